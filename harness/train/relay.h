/*
 * relay: sends gradients to other ranks during the backward pass.  trainer.c
 * calls it in each step.
 *
 * The backward pass completes the gradient of a lane (train.h) slice by slice
 * (zero1.h), from the last slice to the first.  When a slice is complete in all
 * lanes of this rank, a separate thread sums it over these lanes in the order
 * of the binary tree of train.h, and sends the sum.  The same thread receives
 * the slices of other ranks.  Slices are sent in a fixed order, and the sums
 * are the same as if they were computed after the backward pass, so the results
 * are bit-identical.
 *
 *     relay_begin(r);
 *     relay_take(r, 0);         before stint 0 (zero1.h) of this rank
 *     relay_whole(r, 0, at);    any number of times, finally with `at` = 0
 *     relay_end(r);             returns when all is sent and received
 */
#pragma once

#include "harness/train/zero1.h"

struct relay;

/* Returns a relay, allocated in `a`.  grad[lane] is the flat gradient of each
 * lane.  `sum` adds the gradients of the lanes of this rank in slice `x`. */
struct relay *relay_new(const struct zero1 *s, real *const *grad,
                        void (*sum)(void *arg, const struct slice *x),
                        void *arg, struct arena *a);

void relay_begin(struct relay *r);
void relay_end(struct relay *r);

/* The thread that works on a stint (zero1.h) calls relay_take before and
 * relay_whole during its work.  relay_take receives the lane's gradient so far
 * from the rank that has the preceding shards of the lane, if there is such a
 * rank.  relay_whole declares that the lane's gradient is complete from index
 * `at` on. */
void relay_take(struct relay *r, int stint);
void relay_whole(struct relay *r, int stint, size_t at);
