/*
 * batch: the ids of one step, padded with 0 to rectangular arrays.  The
 * training loop calls batch_step, evaluation calls batch_eval; both need a
 * dataset that dataset_seal has completed.
 *
 * A training batch depends only on (dataset, seed, rows, step), so a resumed
 * run needs no cursor.  Each epoch shuffles the training set.  Examples of
 * similar length share a batch: pools of 32 batches are sorted by length, then
 * the batches of each pool are shuffled.  The last incomplete batch of an epoch
 * is dropped.  n and m are rounded up to multiples of 8, at most N, so that few
 * shapes occur.  For batches of a given number of tokens see dealt.h.
 */
#pragma once

#include "harness/data/dataset.h"

/* Determines how many training examples a step uses. */
struct batching {
    int rows;     /* examples per step; 0: use buckets (buckets.h) of */
    int tokens, devices, longest;
};

struct batch {
    int        b, n, m;       /* rows, source length, target length; 0: none */
    const int *source;        /* (b,n)                                       */
    const int *source_length; /* (b)                                         */
    const int *target_in;     /* (b,m): target_out shifted right after the
                                 start id                                    */
    const int *target_out;    /* (b,m)                                       */
    const int *target_length; /* (b): length of target_in and target_out     */
    const int *label;         /* (b)                                         */
    const int *index;         /* (b): index of the example in the split      */
    long       targets;       /* number of scored targets; b for
                                 classification                              */
    const float *value;       /* (b): used instead of label if classes is 1  */
    const int *prompt;        /* (b): number of leading ids of target_out
                                 that are not scored; NULL: none             */
};

/* Prepares d for batches.  Called by dataset_seal. */
void batch_prepare(struct dataset *d);

/* Makes the batch of a training step (0, 1, ...); 1 <= rows <= examples. */
void batch_train(struct batch *out, const struct dataset *d, uint64_t seed,
                 int rows, uint64_t step, struct arena *a);

/* Makes the batch of a training step, either of by->rows examples or from
 * buckets.  The state of the buckets is kept in d. */
void batch_step(struct batch *out, const struct dataset *d,
                const struct batching *by, uint64_t seed, uint64_t step,
                struct arena *a);

/* Returns the mean number of examples per step, or 0 if there are too few
 * examples for a batch. */
double batch_rows_expected(const struct dataset *d, const struct batching *by);

/* Makes a batch for evaluation: rows [first, first + rows) of the split ordered
 * by length, so that every example occurs once.  Past the end, out->b is 0. */
void batch_eval(struct batch *out, const struct dataset *d, enum split s,
                int first, int rows, struct arena *a);

/* Returns the padded length for sequences of at most `longest` ids: the next
 * multiple of 8, so that products have few shapes, but at most `most`. */
int batch_padded(int longest, int most);
