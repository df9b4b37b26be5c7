/*
 * relay: sends gradients to other ranks during the backward pass.
 *
 * A lane's gradient is complete from some slice (zero1.h) on, and the backward
 * pass moves that place towards the front.  When a slice is complete in all
 * lanes of this rank, it is summed according to the tree and sent by a separate
 * thread, which also receives the slices of other ranks.  Slices are sent in a
 * fixed order, and each equals its sum after the backward pass, so that the
 * result is bit-identical.
 *
 *     relay_begin(r);
 *     relay_take(r, 0);         receives the lane from another rank, if any
 *     relay_whole(r, 0, at);    any number of times, finally with at = 0
 *     relay_end(r);             returns when all is sent and received
 */
#pragma once

#include "harness/train/zero1.h"

struct relay;

/* Returns a relay, allocated in a.  grad[lane]: the flat gradient of each lane.
 * sum: adds up this rank's lanes in a slice. */
struct relay *relay_new(const struct zero1 *s, real *const *grad,
                        void (*sum)(void *arg, const struct slice *x),
                        void *arg, struct arena *a);

void relay_begin(struct relay *r);
void relay_end(struct relay *r);

/* Both are called by the thread that works on `stint`.  relay_take receives the
 * lane's gradient so far from the rank that has the shards before. */
void relay_take(struct relay *r, int stint);
/* Declares that nothing more is added to that gradient from index `at` on. */
void relay_whole(struct relay *r, int stint, size_t at);
