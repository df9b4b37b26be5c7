/*
 * bleu: computes the statistics that all BLEU scorers use, and the score as
 * sacreBLEU 2.6.0 does (Post, WMT 2018).  The statistics are integers that are
 * summed over the segments.  Scorers call bleu_add for each segment, then
 * bleu_score.
 */
#pragma once

#include "harness/metrics/result.h"

enum { BLEU_ORDERS = 4, BLEU_MOST_ORDERS = 16 };

struct ngrams;

struct bleu_stats { /* [n-1] refers to n-grams */
    long correct[BLEU_MOST_ORDERS]; /* matches with a reference, clipped */
    long total[BLEU_MOST_ORDERS];   /* n-grams of the hypotheses         */
    long hyp_words, ref_words; /* ref_words counts, for each segment, the words
                                  of the reference closest in length */
};

enum bleu_smooth { BLEU_NONE, BLEU_FLOOR, BLEU_ADD_K, BLEU_EXP };

struct bleu_form {
    int              orders;
    enum bleu_smooth smooth;
    double           value;     /* parameter of BLEU_FLOOR, BLEU_ADD_K  */
    int              effective; /* 1: use only orders n for which the
                                   hypotheses have n-grams              */
};

struct bleu_score {
    double score, precision[BLEU_MOST_ORDERS]; /* percent */
    double brevity, ratio; /* brevity penalty; hyp_words / ref_words */
};

/* Adds the counts of one tokenised segment to *b; `g` is scratch space. */
void bleu_add(struct bleu_stats *b, struct ngrams *g, int orders,
              const char *hyp, const char *const ref[], int refs);

struct bleu_score bleu_score(const struct bleu_stats *b,
                             const struct bleu_form *f);

/* Returns the brevity penalty for numbers of words `hyp` and `ref`: 1 if
 * hyp >= ref, 0 if hyp is 0, else exp(1 - ref / hyp). */
double bleu_brevity(double hyp, double ref);

/* ---- score_bleu_multibleu.c: Moses's multi-bleu.perl for tokenised text: no
 * smoothing, words split at ASCII white space ---- */

/* Adds the counts of one segment to *b, in lower case if `lowercase` is 1. */
void multibleu_add(struct bleu_stats *b, struct ngrams *g, const char *hyp,
                   const char *const ref[], int refs, int lowercase);

/* Adds the members "printed", "bleu", ..., "score" to `out`.  Returns ERR_DATA
 * if multi-bleu.perl would divide by zero, because the references have words
 * and the hypotheses have none. */
int multibleu_write(json_t *out, const struct bleu_stats *b);
