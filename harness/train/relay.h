/*
 * relay: gradients go to other ranks while the backward pass goes on.
 *
 * A lane's gradient is whole from the last slice (zero1.h) on, and the backward
 * pass moves that place to the front.  A slice that is whole in all lanes of
 * this rank is added up as the tree says and goes, in a thread of its own,
 * which takes what comes from other ranks as well.  Slices go in one order, and
 * each is the sum that it would be after the backward pass, so no bit moves.
 *
 *     relay_begin(r);
 *     relay_take(r, 0);         what another rank has of the lane, if any
 *     relay_whole(r, 0, at);    as often as it likes, at last with 0
 *     relay_end(r);             all is gone, and all has come
 */
#pragma once

#include "harness/train/zero1.h"

struct relay;

/* grad[lane]: the flat gradient of each lane.  sum: adds up this rank's lanes
 * in a slice.  Memory from a. */
struct relay *relay_new(const struct zero1 *s, real *const *grad,
                        void (*sum)(void *arg, const struct slice *x),
                        void *arg, struct arena *a);

void relay_begin(struct relay *r);
void relay_end(struct relay *r);

/* Of stint i, by the thread that works on it: the lane's gradient so far, from
 * the rank that has the shards before. */
void relay_take(struct relay *r, int stint);
/* Nothing more is added to it from `at` on. */
void relay_whole(struct relay *r, int stint, size_t at);
