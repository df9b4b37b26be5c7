/*
 * sentence: records what the first self-attention of each stack does with one
 * sentence, before and after training.  train/watch.c calls the recording
 * functions, train/record.c calls sentence_put.
 *
 * The sentence is the first of the validation examples that watch_run uses.
 * The attention weights of every head are recorded.  If the scores are the same
 * for every input (as in the variant `random`), the part of the score matrix R
 * that covers the sentence is recorded as well.  Only the first SENTENCE_HEADS
 * heads and the first SENTENCE_SIDE rows and keys are recorded.
 */
#pragma once

#include "harness/data/dataset.h"
#include "harness/engine/tape.h"
#include "harness/store/cell.h"

enum { SENTENCE_SIDE = 32, SENTENCE_HEADS = 16, SENTENCE_PLACES = 2 };

/* Values [head][row][key], of which the first `heads`, `rows` and `keys` are
 * recorded. */
struct sentence_map {
    int32_t heads, rows, keys; /* heads 0: nothing recorded */
    real    x[SENTENCE_HEADS][SENTENCE_SIDE][SENTENCE_SIDE];
};

struct sentence {
    int32_t             example; /* index in the validation set */
    /* Index: TAPE_ENCODER or TAPE_DECODER (engine/tape.h). */
    struct sentence_map weight[SENTENCE_PLACES], score[SENTENCE_PLACES];
};

/* sentence_weights records the attention weights `p`, and sentence_scores the
 * logits `x`.  Both are called with the arguments of a tape_watch.  They record
 * only the first self-attention of a stack, and logits only if they do not
 * depend on the input. */
void sentence_weights(struct sentence *s, enum tape_place place, int layer,
                      const struct attend *a, const real *p);
void sentence_scores(struct sentence *s, enum tape_place place, int layer,
                     const struct attend *a, const real *x);

/* Writes group attention/sentence, with the values at the start and at the end
 * of training. */
int sentence_put(struct cell_writer *w, const struct dataset *d,
                 const struct sentence *start, const struct sentence *end);
