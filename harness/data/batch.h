/*
 * batch: makes batches: rectangular arrays of the ids of several examples,
 * padded with 0.  The training loop calls batch_step, evaluation calls
 * batch_eval; both need a dataset that dataset_seal has completed.
 *
 * A training batch depends only on (dataset, seed, rows, step), so a resumed
 * run needs no record of its position in the data.  Each epoch shuffles the
 * training set.  Examples of similar length share a batch: the examples of
 * every 32 batches are sorted by length, then these 32 batches are shuffled.
 * The last incomplete batch of an epoch is dropped.  The padded lengths `n` and
 * `m` (struct batch) are multiples of 8, or the dataset's `N` if this is less,
 * so that few shapes occur.  bucketed.h describes batches of a given number of
 * tokens.
 */
#pragma once

#include "harness/data/dataset.h"

/* Determines how many training examples a step uses. */
struct batching {
    int rows; /* examples per step; 0: use buckets (buckets.h) */
    int tokens, devices, longest; /* arguments of buckets_make */
};

struct batch {
    int        b, n, m;       /* rows; padded length of sources and of targets,
                                 0: there are none                           */
    const int *source;        /* (b,n)                                       */
    const int *source_length; /* (b)                                         */
    const int *target_in;     /* (b,m): target_out shifted right after the
                                 start id                                    */
    const int *target_out;    /* (b,m)                                       */
    const int *target_length; /* (b): length of target_in and target_out     */
    const int *label;         /* (b)                                         */
    const int *index;         /* (b): index of the example in the split      */
    long       targets;       /* number of scored target ids, or b for
                                 classification                              */
    const float *value;       /* (b): replaces `label` if the dataset's
                                 `classes` is 1                              */
    const int *prompt;        /* (b): number of leading ids of target_out
                                 that are not scored; NULL: all are scored   */
};

/* Prepares d for batches.  dataset_seal calls this function. */
void batch_prepare(struct dataset *d);

/* Makes the batch of training step `step` (0, 1, ...) with `rows` examples;
 * `rows` is at least 1 and at most the number of training examples. */
void batch_train(struct batch *out, const struct dataset *d, uint64_t seed,
                 int rows, uint64_t step, struct arena *a);

/* Makes the batch of a training step: by->rows examples or, if by->rows is 0,
 * examples of one bucket (bucketed.h).  The state of the buckets is kept in
 * d. */
void batch_step(struct batch *out, const struct dataset *d,
                const struct batching *by, uint64_t seed, uint64_t step,
                struct arena *a);

/* Returns the mean number of examples per step, or 0 if the training set is too
 * small for a batch. */
double batch_rows_expected(const struct dataset *d, const struct batching *by);

/* Makes a batch for evaluation: sorts split s by length and takes the examples
 * [`first`, `first` + `rows`), so that successive batches contain every example
 * once.  If `first` is past the end, out->b is 0. */
void batch_eval(struct batch *out, const struct dataset *d, enum split s,
                int first, int rows, struct arena *a);

/* Returns the padded length for sequences of at most `longest` ids: `longest`
 * rounded up to a multiple of 8, but at most `most`. */
int batch_padded(int longest, int most);
