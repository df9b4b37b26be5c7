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
#ifndef METRICS_METEOR_METEOR_H
#define METRICS_METEOR_METEOR_H

#include "harness/metrics/meteor/meteor_norm.h"

enum meteor_stage { METEOR_EXACT, METEOR_STEM, METEOR_SYNONYM, METEOR_MODULES };
enum { METEOR_STAGES = 4 }; /* of the statistics: one for paraphrases */

struct wordnet;

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

struct meteor_side { /* words; content and function matches of each stage */
    double words, function, content_match[METEOR_STAGES],
        function_match[METEOR_STAGES];
};

struct meteor_stats { struct meteor_side hyp, ref; double chunks; };

struct meteor_score { double score, precision, recall, fmean, penalty; };

struct meteor; /* scratch space */

struct meteor *meteor_new(const struct meteor_config *c); /* c is not copied */
void           meteor_free(struct meteor *m);

/* Texts are words joined by single blanks. */
struct meteor_stats meteor_count(struct meteor *m, const char *hyp,
                                 const char *ref);
struct meteor_score meteor_score(const struct meteor_config *c,
                                 const struct meteor_stats *s);

/* Adds a segment's statistics; the one chunk of a perfect segment is left
 * out. */
void meteor_add(struct meteor_stats *sum, const struct meteor_stats *s);

double meteor_matches(const struct meteor_side *s); /* words matched */

/* The text as it is compared; it lives until the next call. */
const char *meteor_text(struct meteor *m, const char *text);

#endif
