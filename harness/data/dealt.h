/*
 * dealt: the training examples of the batch of a step, by buckets.  batch.c
 * calls it for batches of a given number of tokens.
 *
 * Each epoch shuffles each bucket.  The shuffled epochs of a bucket are
 * concatenated and cut into batches of the bucket's number of rows.  No example
 * is left out, and each occurs once per epoch; examples that do not fill a
 * batch at the end of an epoch are completed by the next epoch, as when
 * Tensor2Tensor repeats its data.  The batches that an epoch completes come in
 * random order (in Tensor2Tensor: in the order of a queue of some hundred
 * batches).  Everything follows from dataset, buckets, seed and step.
 */
#pragma once

#include "harness/data/buckets.h"
#include "harness/data/dataset.h"

struct dealt;

/* Returns the training examples of d in these buckets, in memory of arena a. */
struct dealt *dealt_new(const struct dataset *d, const struct buckets *b,
                        struct arena *a);

/* Returns the dataset rows of the batch of a step and sets *n to their number.
 * The next call may overwrite them. */
const int *dealt_step(struct dealt *x, uint64_t seed, uint64_t step, int *n);

/* Return the number of examples that belong to a bucket, and the mean number of
 * examples per batch. */
int    dealt_examples(const struct dealt *x);
double dealt_rows(const struct dealt *x);

const struct buckets *dealt_buckets(const struct dealt *x);
