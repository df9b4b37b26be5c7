/*
 * bleu: the statistics of all BLEU scores, and the score as sacreBLEU 2.6.0
 * computes it (Post, WMT 2018).  The statistics are integers, summed over the
 * segments: call bleu_add for each, then bleu_score.
 */
#pragma once

#include "harness/metrics/result.h"

enum { BLEU_ORDERS = 4, BLEU_MOST_ORDERS = 16 };

struct ngrams;

struct bleu_stats { /* [n-1] refers to n-grams */
    long correct[BLEU_MOST_ORDERS]; /* matches with a reference, clipped */
    long total[BLEU_MOST_ORDERS];   /* n-grams of the hypotheses         */
    long hyp_words, ref_words;      /* ref: the closest lengths          */
};

enum bleu_smooth { BLEU_NONE, BLEU_FLOOR, BLEU_ADD_K, BLEU_EXP };

struct bleu_form {
    int              orders;
    enum bleu_smooth smooth;
    double           value;     /* for floor and add-k                  */
    int              effective; /* 1: use only orders in the hypotheses */
};

struct bleu_score {
    double score, precision[BLEU_MOST_ORDERS]; /* percent */
    double brevity, ratio;                     /* penalty; hyp / ref words */
};

/* Adds one tokenised segment; g is scratch space. */
void bleu_add(struct bleu_stats *b, struct ngrams *g, int orders,
              const char *hyp, const char *const ref[], int refs);

struct bleu_score bleu_score(const struct bleu_stats *b,
                             const struct bleu_form *f);

/* Returns 1 if hyp >= ref, else exp(1 - ref / hyp), or 0 if hyp is 0. */
double bleu_brevity(double hyp, double ref);

/* ---- score_bleu_multibleu.c: Moses's multi-bleu.perl for tokenised text: no
 * smoothing, words split at ASCII white space ---- */

/* Adds one segment. */
void multibleu_add(struct bleu_stats *b, struct ngrams *g, const char *hyp,
                   const char *const ref[], int refs, int lowercase);

/* Adds "printed", "bleu", "precisions", ..., "score".  Returns ERR_DATA if the
 * script would divide by zero: the reference has words, the hypotheses have
 * none. */
int multibleu_write(json_t *out, const struct bleu_stats *b);
