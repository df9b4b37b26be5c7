/*
 * meteor: METEOR 1.5 for English (Denkowski and Lavie, WMT 2014) without its
 * paraphrase table: scores are those of the program with the same stages, and
 * below those of the full one where a paraphrase would match.
 *
 *   P = sum_stage w (d content + (1-d) function matches of the hypothesis)
 *       / (d content + (1-d) function words of the hypothesis); R likewise
 *   F = 1 / ((1-a)/P + a/R)
 *   score = F (1 - g frag^b), frag = chunks / matched words; 0 if all words
 *           match in one chunk
 */
#pragma once

#include "harness/base/text.h"

enum meteor_stage { METEOR_EXACT, METEOR_STEM, METEOR_SYNONYM, METEOR_MODULES };
enum { METEOR_STAGES = 4 }; /* of the statistics: one for paraphrases */

struct arena;
struct ints;
struct lines;
struct map;

/* ---- wordnet.c: which meanings a word has, from the files index.* and *.exc
 * of WordNet 3.0 (Miller, CACM 38, 1995), as METEOR 1.5 looks them up ---- */

struct wordnet;

int  wordnet_open(struct wordnet **out, const char *folder); /* ERR_DATA */
void wordnet_close(struct wordnet *w);
OWNER(wordnet_close, struct wordnet *)

/*
 * The synsets of the word and of its base forms: those of the list of
 * exceptions if it has the word, else the first that WordNet's rules of
 * detachment find.  Replaces what *out held, sorted.  A synset is its offset
 * alone, so synsets of different parts of speech may coincide, as in METEOR.
 */
void wordnet_synsets(struct ints *out, const struct wordnet *w,
                     const char *word, size_t bytes);

/* The first digits of the SHA-256 of all files. */
const char *wordnet_digest(const struct wordnet *w);

/* ---- meteor_norm.c: METEOR 1.5's normaliser for English with punctuation kept
 * (-norm), before lower case.  It is the Moses tokenizer with additions: quotes
 * and dashes are made alike, hyphens between words become blanks, and dotted
 * words lose their dots (U.S. -> US) ---- */

/* Words behind which a dot stays: always, or only before a number. */
struct meteor_prefixes { struct map *always, *numeric; };

/* The list: a word a line, "#NUMERIC_ONLY#" behind some, # comments. */
void meteor_prefixes_read(struct meteor_prefixes *p, const struct lines *list);
void meteor_prefixes_close(struct meteor_prefixes *p);

/* line: words joined by single blanks.  Appends. */
void meteor_normalise(struct text *out, const char *line,
                      const struct meteor_prefixes *p);

/* ---- meteor_align.c: which word of the hypothesis goes with which of the
 * reference, as METEOR 1.5 searches, for matches of one word each ---- */

struct meteor_match { int hyp, stage; }; /* hyp -1: none; stage: its number */

struct meteor_candidates {
    int hyp_words, ref_words;
    const struct meteor_match *match; /* of reference word j:            */
    const int *first;                 /* match[first[j]..first[j+1]-1]   */
    const int *matches_of_stage;      /* what one counts in the search:
                                         1 exact, 0 any other            */
};

/* best (ref_words): the match of each reference word. */
void meteor_align(struct meteor_match *best, const struct meteor_candidates *c,
                  struct arena *scratch);

/* Runs of matches that are neighbours in both texts. */
int meteor_chunks(const struct meteor_match *match, int ref_words);

/* ---- meteor.c ---- */

struct meteor_config {
    int    stages;                       /* in the order of their matches   */
    int    stage[METEOR_STAGES];         /* enum meteor_stage               */
    double weight[METEOR_STAGES];
    double alpha, beta, gamma, delta;
    int    normalise;                    /* and lower case                  */
    struct map            *function;     /* words                           */
    struct meteor_prefixes prefixes;     /* if normalise                    */
    struct wordnet        *wordnet;      /* if a stage needs it             */
};

struct meteor_stats { /* [2]: hypothesis, reference; METEOR's own order */
    double words[2], function[2];
    struct { double content[2], function[2]; } match[METEOR_STAGES];
    double chunks;
};

struct meteor_score { double score, precision, recall, fmean, penalty; };

struct meteor; /* scratch space */

struct meteor *meteor_new(const struct meteor_config *c); /* c is not copied */
void           meteor_free(struct meteor *m);
OWNER(meteor_free, struct meteor *)

/* Texts are words joined by single blanks. */
struct meteor_stats meteor_count(struct meteor *m, const char *hyp,
                                 const char *ref);
struct meteor_score meteor_score(const struct meteor_config *c,
                                 const struct meteor_stats *s);

/* All words match in one chunk: sums leave it out. */
int meteor_perfect(const struct meteor_stats *s);

double meteor_matches(const struct meteor_stats *s, int side); /* words */

/* The text as it is compared; it lives until the next call. */
const char *meteor_text(struct meteor *m, const char *text);
