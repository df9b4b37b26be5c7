/*
 * meteor: computes METEOR 1.5 for English (Denkowski and Lavie, WMT 2014)
 * without its paraphrase table.  Scores equal those of the original program
 * with the same stages, and are lower than those with all stages if a
 * paraphrase would match.  score_meteor.c calls meteor_new, then meteor_count
 * for each segment, then meteor_score.
 *
 * Let C(s) and F(s) be the numbers of content and function words of the
 * hypothesis that stage s matches, and C and F those of all its content and
 * function words.  Let w(s) be the weight of the stage.  With alpha, beta,
 * gamma and delta of struct meteor_config:
 *
 *   P = sum_s w(s) (delta C(s) + (1 - delta) F(s))
 *       / (delta C + (1 - delta) F);  R is the same for the reference
 *   fmean = 1 / ((1 - alpha) / P + alpha / R)
 *   score = fmean (1 - gamma frag^beta), where frag = chunks / matched words,
 *           or 0 if all words match in one chunk
 */
#pragma once

#include "harness/base/text.h"

enum meteor_stage { METEOR_EXACT, METEOR_STEM, METEOR_SYNONYM, METEOR_MODULES };
enum { METEOR_STAGES = 4 }; /* stages in the statistics, of which one is for
                               paraphrases */

struct arena;
struct ints;
struct lines;
struct map;

/* ---- wordnet.c: the meanings of a word, from the files index.* and *.exc of
 * WordNet 3.0 (Miller, CACM 38, 1995), as METEOR 1.5 looks them up ---- */

struct wordnet;

/* Returns ERR_DATA if a file cannot be read or is not valid. */
int  wordnet_open(struct wordnet **out, const char *folder);
void wordnet_close(struct wordnet *w);
OWNER(wordnet_close, struct wordnet *)

/*
 * Sets *out to the synsets of the word and of its base forms, sorted.  If the
 * word is in the list of exceptions (*.exc), the list states the base forms;
 * else the only base form is the first that WordNet's rules of detachment find.
 * A synset is identified only by its offset, so synsets of different parts of
 * speech can have the same offset and are then not distinguished, as in METEOR.
 */
void wordnet_synsets(struct ints *out, const struct wordnet *w,
                     const char *word, size_t bytes);

/* Returns the first eight digits of the SHA-256 of all files. */
const char *wordnet_digest(const struct wordnet *w);

/* ---- meteor_norm.c: METEOR 1.5's normaliser for English, with its option
 * -norm, which keeps punctuation; it does not convert to lower case.  It is the
 * Moses tokenizer with additions: quotes and dashes are unified, hyphens
 * between words become blanks, and dotted words lose their dots (U.S. -> US)
 * ---- */

/* Words after which a dot is kept: always, or only before a number. */
struct meteor_prefixes { struct map *always, *numeric; };

/* Reads a list.  A line is a comment if it begins with #, else a word, followed
 * by "#NUMERIC_ONLY#" if the word belongs to `numeric`. */
void meteor_prefixes_read(struct meteor_prefixes *p, const struct lines *list);
void meteor_prefixes_close(struct meteor_prefixes *p);

/* Normalises `line` and appends its words to *out, joined by single blanks. */
void meteor_normalise(struct text *out, const char *line,
                      const struct meteor_prefixes *p);

/* ---- meteor_align.c: METEOR 1.5's search for the best alignment of hypothesis
 * and reference, in which each match pairs one word with one word ---- */

/* `hyp` is the index of a hypothesis word, or -1 if there is no match; `stage`
 * is the index of the stage that matches. */
struct meteor_match { int hyp, stage; };

/* The candidates for reference word j are match[first[j] .. first[j+1]-1].  In
 * the search, a match of stage s counts as matches_of_stage[s] matches: 1 for
 * the exact stage, 0 for any other. */
struct meteor_candidates {
    int hyp_words, ref_words;
    const struct meteor_match *match;
    const int *first;
    const int *matches_of_stage;
};

/* Sets best[j] to the match of each reference word j. */
void meteor_align(struct meteor_match *best, const struct meteor_candidates *c,
                  struct arena *scratch);

/* Returns the number of chunks: runs of matches that are adjacent in both
 * texts. */
int meteor_chunks(const struct meteor_match *match, int ref_words);

/* ---- meteor.c ---- */

struct meteor_config {
    int    stages;                       /* number of stages               */
    int    stage[METEOR_STAGES];         /* enum meteor_stage, in the order
                                            of matching                    */
    double weight[METEOR_STAGES];
    double alpha, beta, gamma, delta;
    int    normalise;                    /* 1: also converts to lower case */
    struct map            *function;     /* function words                 */
    struct meteor_prefixes prefixes;     /* used if normalise              */
    struct wordnet        *wordnet;      /* used if a stage needs it       */
};

/* The members are in the order of METEOR's own statistics; [0] is for the
 * hypothesis, [1] for the reference. */
struct meteor_stats {
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

/* Returns 1 if all words match in one chunk.  Sums of `chunks` over segments
 * omit the chunk of such a segment. */
int meteor_perfect(const struct meteor_stats *s);

/* Returns the number of matched words of the hypothesis (`side` 0) or of the
 * reference (`side` 1). */
double meteor_matches(const struct meteor_stats *s, int side);

/* Returns `text` in the form in which meteor_count compares words.  The result
 * lives until the next call. */
const char *meteor_text(struct meteor *m, const char *text);
