/*
 * multibleu: BLEU as Moses's multi-bleu.perl computes it of text that is
 * tokenised already: no smoothing, words cut at ASCII white space.
 */
#ifndef METRICS_BLEU_MULTIBLEU_H
#define METRICS_BLEU_MULTIBLEU_H

#include "harness/metrics/bleu/bleu.h"
#include "harness/metrics/result.h"

struct ngrams;

/* Adds one segment. */
void multibleu_add(struct bleu_stats *b, struct ngrams *g, const char *hyp,
                   const char *const ref[], int refs, int lowercase);

/* "printed", "bleu", "precisions", ..., "score"; ERR_DATA where the script
 * divides by zero: words in the reference, none in the hypotheses. */
int multibleu_write(json_t *out, const struct bleu_stats *b);

#endif
