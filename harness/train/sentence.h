/*
 * sentence: what the first self-attention of each stack makes of one sentence,
 * the first of those validation examples that train/watch.h shows the model,
 * before training and after it: the weights of every head, and where scores are
 * the same for every input, as those of random forms, these: R, as far as the
 * sentence's rectangle reaches.  At most so many rows, keys and heads as below,
 * the first ones.
 */
#pragma once

#include "harness/data/dataset.h"
#include "harness/engine/tape.h"
#include "harness/store/cell.h"

enum { SENTENCE_SIDE = 32, SENTENCE_HEADS = 16, SENTENCE_PLACES = 2 };

/* [head][row][key], of so many of each */
struct sentence_map {
    int32_t heads, rows, keys; /* heads 0: there is none */
    real    x[SENTENCE_HEADS][SENTENCE_SIDE][SENTENCE_SIDE];
};

struct sentence {
    int32_t             example; /* of the validation set                    */
    struct sentence_map weight[SENTENCE_PLACES], score[SENTENCE_PLACES];
};

/* What a tape tells of weights and of logits; others than of a first
 * self-attention, and logits that follow the input, are passed over. */
void sentence_weights(struct sentence *s, enum tape_place place, int layer,
                      const struct attend *a, const real *p);
void sentence_scores(struct sentence *s, enum tape_place place, int layer,
                     const struct attend *a, const real *x);

/* Group attention/sentence, of both times. */
int sentence_put(struct cell_writer *w, const struct dataset *d,
                 const struct sentence *start, const struct sentence *end);
