/*
 * sentence: the first self-attention of each stack on one sentence, before and
 * after training.  train/watch.c records it, record.c stores it.
 *
 * The sentence is the first of the validation examples that train/watch.h runs.
 * Recorded are the weights of every head and, if the scores are the same for
 * every input (random forms), the scores R, as far as the sentence's rectangle
 * reaches.  Only the first rows, keys and heads are recorded, up to the limits
 * below.
 */
#pragma once

#include "harness/data/dataset.h"
#include "harness/engine/tape.h"
#include "harness/store/cell.h"

enum { SENTENCE_SIDE = 32, SENTENCE_HEADS = 16, SENTENCE_PLACES = 2 };

/* Values [head][row][key], for the first `heads`, `rows` and `keys`. */
struct sentence_map {
    int32_t heads, rows, keys; /* heads 0: nothing recorded */
    real    x[SENTENCE_HEADS][SENTENCE_SIDE][SENTENCE_SIDE];
};

struct sentence {
    int32_t             example; /* in the validation set */
    struct sentence_map weight[SENTENCE_PLACES], score[SENTENCE_PLACES];
};

/* Record the weights p and the logits x that a tape reports.  They ignore all
 * but the first self-attention, and logits that depend on the input. */
void sentence_weights(struct sentence *s, enum tape_place place, int layer,
                      const struct attend *a, const real *p);
void sentence_scores(struct sentence *s, enum tape_place place, int layer,
                     const struct attend *a, const real *x);

/* Writes group attention/sentence, with the values of both times. */
int sentence_put(struct cell_writer *w, const struct dataset *d,
                 const struct sentence *start, const struct sentence *end);
