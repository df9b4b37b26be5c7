/*
 * meteor: METEOR 1.5 for English (Denkowski and Lavie, WMT 2014) without its
 * paraphrase table.  Scores equal those of the program with the same stages,
 * and are lower than those of the full program if a paraphrase would match.
 * score_meteor.c calls meteor_new, then meteor_count for each segment, then
 * meteor_score.
 *
 *   P = sum_stage w (d content + (1-d) function matches of the hypothesis)
 *       / (d content + (1-d) function words of the hypothesis); R likewise
 *   F = 1 / ((1-a)/P + a/R)
 *   score = F (1 - g frag^b), frag = chunks / matched words, or 0 if all
 *           words match in one chunk
 */
#pragma once

#include "harness/base/text.h"

enum meteor_stage { METEOR_EXACT, METEOR_STEM, METEOR_SYNONYM, METEOR_MODULES };
enum { METEOR_STAGES = 4 }; /* in the statistics; one is for paraphrases */

struct arena;
struct ints;
struct lines;
struct map;

/* ---- wordnet.c: the meanings of a word, from the files index.* and *.exc of
 * WordNet 3.0 (Miller, CACM 38, 1995), as METEOR 1.5 looks them up ---- */

struct wordnet;

int  wordnet_open(struct wordnet **out, const char *folder); /* or ERR_DATA */
void wordnet_close(struct wordnet *w);
OWNER(wordnet_close, struct wordnet *)

/*
 * Sets *out to the synsets of the word and of its base forms, sorted.  The base
 * forms are those in the list of exceptions if it has the word, else the first
 * one that WordNet's rules of detachment find.  A synset is identified only by
 * its offset, so synsets of different parts of speech may coincide, as in
 * METEOR.
 */
void wordnet_synsets(struct ints *out, const struct wordnet *w,
                     const char *word, size_t bytes);

/* Returns the first digits of the SHA-256 of all files. */
const char *wordnet_digest(const struct wordnet *w);

/* ---- meteor_norm.c: METEOR 1.5's normaliser for English with punctuation kept
 * (-norm), before lowercasing.  It is the Moses tokenizer with additions:
 * quotes and dashes are unified, hyphens between words become blanks, and
 * dotted words lose their dots (U.S. -> US) ---- */

/* Words that keep a dot after them: always, or only before a number. */
struct meteor_prefixes { struct map *always, *numeric; };

/* Reads the list: a word per line, "#NUMERIC_ONLY#" after some, # comments. */
void meteor_prefixes_read(struct meteor_prefixes *p, const struct lines *list);
void meteor_prefixes_close(struct meteor_prefixes *p);

/* Appends the normalised line, words joined by single blanks. */
void meteor_normalise(struct text *out, const char *line,
                      const struct meteor_prefixes *p);

/* ---- meteor_align.c: the alignment of the words of hypothesis and reference
 * by METEOR 1.5's search, for matches of one word each ---- */

struct meteor_match { int hyp, stage; }; /* hyp -1: no match; stage: index */

struct meteor_candidates {
    int hyp_words, ref_words;
    const struct meteor_match *match; /* of reference word j:              */
    const int *first;                 /* match[first[j]..first[j+1]-1]     */
    const int *matches_of_stage;      /* matches that one counts as in the
                                         search: 1 exact, 0 any other      */
};

/* Sets best (ref_words) to the match of each reference word. */
void meteor_align(struct meteor_match *best, const struct meteor_candidates *c,
                  struct arena *scratch);

/* Returns the number of chunks: runs of matches that are adjacent in both
 * texts. */
int meteor_chunks(const struct meteor_match *match, int ref_words);

/* ---- meteor.c ---- */

struct meteor_config {
    int    stages;                       /* in the order of matching       */
    int    stage[METEOR_STAGES];         /* enum meteor_stage              */
    double weight[METEOR_STAGES];
    double alpha, beta, gamma, delta;
    int    normalise;                    /* 1: also converts to lower case */
    struct map            *function;     /* function words                 */
    struct meteor_prefixes prefixes;     /* used if normalise              */
    struct wordnet        *wordnet;      /* used if a stage needs it       */
};

struct meteor_stats { /* [2]: hypothesis, reference; in METEOR's order */
    double words[2], function[2];
    struct { double content[2], function[2]; } match[METEOR_STAGES];
    double chunks;
};

struct meteor_score { double score, precision, recall, fmean, penalty; };

struct meteor; /* scratch space */

struct meteor *meteor_new(const struct meteor_config *c); /* c is not copied */
void           meteor_free(struct meteor *m);
OWNER(meteor_free, struct meteor *)

/* Counts the statistics of two texts of words joined by single blanks. */
struct meteor_stats meteor_count(struct meteor *m, const char *hyp,
                                 const char *ref);
struct meteor_score meteor_score(const struct meteor_config *c,
                                 const struct meteor_stats *s);

/* Returns 1 if all words match in one chunk; sums then omit the chunk. */
int meteor_perfect(const struct meteor_stats *s);

/* Returns the number of matched words of a side. */
double meteor_matches(const struct meteor_stats *s, int side);

/* Returns the text as it is compared; it lives until the next call. */
const char *meteor_text(struct meteor *m, const char *text);
