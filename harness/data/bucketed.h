/*
 * bucketed: chooses the training examples of each step so that all of them
 * belong to one bucket (buckets.h).  batch.c calls bucketed_step for batches of
 * a given number of tokens.
 *
 * Each epoch shuffles each bucket.  The shuffled epochs of a bucket are
 * concatenated and cut into batches of the bucket's number of rows.  Each
 * example of the bucket occurs once per epoch.  If the last examples of an
 * epoch do not fill a batch, the first examples of the next epoch complete it,
 * as when Tensor2Tensor repeats its data.  The batches that an epoch completes
 * come in random order; Tensor2Tensor only mixes them in a queue of some
 * hundred batches.  The examples depend only on dataset, buckets, seed and
 * step.
 */
#pragma once

#include "harness/data/buckets.h"
#include "harness/data/dataset.h"

struct bucketed;

/* Assigns the training examples of d to buckets b; the result is in arena a. */
struct bucketed *bucketed_new(const struct dataset *d, const struct buckets *b,
                              struct arena *a);

/* Returns the indices of the training examples of step `step` and sets *n to
 * their number.  The next call may overwrite the array. */
const int *bucketed_step(struct bucketed *x, uint64_t seed, uint64_t step,
                         int *n);

/* bucketed_examples returns the number of examples in all buckets together;
 * bucketed_rows returns the mean number of examples per batch. */
int    bucketed_examples(const struct bucketed *x);
double bucketed_rows(const struct bucketed *x);

const struct buckets *bucketed_buckets(const struct bucketed *x);
