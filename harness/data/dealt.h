/*
 * dealt: which training examples make the batch of a step, by buckets.
 *
 * Each epoch shuffles each bucket.  A bucket's epochs stand one behind the
 * other, and every so many examples of that row are a batch: none is ever left
 * out, each comes once an epoch, and what is too few for a batch at the end of
 * an epoch waits for the next, as where Tensor2Tensor repeats its data.  The
 * batches that an epoch completes come in a random order (there: in that of a
 * queue of some hundreds).  All follows from dataset, buckets, seed and step.
 */
#pragma once

#include "harness/data/buckets.h"
#include "harness/data/dataset.h"

struct dealt;

/* In arena a: of these buckets. */
struct dealt *dealt_new(const struct dataset *d, const struct buckets *b,
                        struct arena *a);

/* The rows of a step's batch, *n; the next call may overwrite them. */
const int *dealt_step(struct dealt *x, uint64_t seed, uint64_t step, int *n);

/* Examples that are in a bucket, and of a batch on average. */
int    dealt_examples(const struct dealt *x);
double dealt_rows(const struct dealt *x);

const struct buckets *dealt_buckets(const struct dealt *x);
