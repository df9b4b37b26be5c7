/*
 * batch: the ids of one step, padded with 0 to rectangles.
 *
 * A training batch is a function of (dataset, seed, rows, step) alone, so a
 * resumed run needs no cursor.  Each epoch shuffles the training set; examples
 * of similar length share a batch (pools of 32 batches are sorted by length,
 * then the batches of the pool are shuffled); the last incomplete batch of an
 * epoch is dropped.  n and m are rounded up to multiples of 8, at most N, so
 * that few shapes occur.  Batches of so many tokens: dealt.h.
 */
#pragma once

#include "harness/data/dataset.h"

/* What a step takes of the training set. */
struct batching {
    int rows;     /* examples; 0: by buckets (buckets.h) of */
    int tokens, devices, longest;
};

struct batch {
    int        b, n, m;       /* rows, source length, target length; 0: none */
    const int *source;        /* (b,n)                                       */
    const int *source_length; /* (b)                                         */
    const int *target_in;     /* (b,m): target_out shifted right, start first */
    const int *target_out;    /* (b,m)                                       */
    const int *target_length; /* (b), of both                                */
    const int *label;         /* (b)                                         */
    const int *index;         /* (b): which example of the split             */
    long       targets;       /* targets that count, or b when classifying   */
    const float *value;       /* (b) in place of label, where classes is 1   */
    const int *prompt;        /* (b): ids of target_out, the first ones, that
                                 do not count; NULL: none                    */
};

/* Called by dataset_seal. */
void batch_prepare(struct dataset *d);

/* The batch of a training step (0, 1, ...); 1 <= rows <= examples. */
void batch_train(struct batch *out, const struct dataset *d, uint64_t seed,
                 int rows, uint64_t step, struct arena *a);

/* The same of either kind; what buckets need is kept in d. */
void batch_step(struct batch *out, const struct dataset *d,
                const struct batching *by, uint64_t seed, uint64_t step,
                struct arena *a);

/* Examples of a step, on average; 0: there is none, or too few. */
double batch_rows_expected(const struct dataset *d, const struct batching *by);

/* Evaluation: rows [first, first + rows) of the split ordered by length, so
 * that every example comes once; out->b is 0 past the end. */
void batch_eval(struct batch *out, const struct dataset *d, enum split s,
                int first, int rows, struct arena *a);

/* The side of a rectangle for sequences of at most `longest` ids: a multiple
 * of 8, so that products come in few shapes; at most `most`. */
int batch_padded(int longest, int most);
