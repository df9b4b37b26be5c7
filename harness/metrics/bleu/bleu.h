/*
 * bleu: the statistics that all BLEU scores are made of, and the score as
 * sacreBLEU 2.6.0 computes it (Post, WMT 2018).  The statistics are integers,
 * summed over the segments.
 */
#pragma once

#include "harness/metrics/result.h"

enum { BLEU_ORDERS = 4, BLEU_MOST_ORDERS = 16 };

struct ngrams;

struct bleu_stats { /* [n-1]: n-grams */
    long correct[BLEU_MOST_ORDERS]; /* in a reference, clipped    */
    long total[BLEU_MOST_ORDERS];   /* in the hypotheses          */
    long hyp_words, ref_words;      /* ref: the closest in length */
};

enum bleu_smooth { BLEU_NONE, BLEU_FLOOR, BLEU_ADD_K, BLEU_EXP };

struct bleu_form {
    int              orders;
    enum bleu_smooth smooth;
    double           value;     /* of floor and add-k                      */
    int              effective; /* only the orders that hypotheses have    */
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

/* 1 if hyp >= ref, else exp(1 - ref / hyp); 0 without hyp words. */
double bleu_brevity(double hyp, double ref);

/* ---- score_bleu_multibleu.c: as Moses's multi-bleu.perl computes it of
 * tokenised text: no smoothing, words cut at ASCII white space ---- */

/* Adds one segment. */
void multibleu_add(struct bleu_stats *b, struct ngrams *g, const char *hyp,
                   const char *const ref[], int refs, int lowercase);

/* "printed", "bleu", "precisions", ..., "score"; ERR_DATA where the script
 * divides by zero: words in the reference, none in the hypotheses. */
int multibleu_write(json_t *out, const struct bleu_stats *b);
