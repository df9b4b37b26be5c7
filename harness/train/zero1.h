/*
 * zero1: who does what of a training step, where several ranks (harness/ranks)
 * train one cell.
 *
 * Shards.  A lane adds its shards in order, so it is cut between ranks only
 * where there are more of them than lanes: then the ranks of a lane hand its
 * gradient on, each has done its forward pass by then, and the last one has it
 * whole.  Else a rank has whole lanes, side by side.
 *
 * Gradients.  Lanes are added in the one binary tree of train.h.  A rank adds
 * what of the tree lies within its own lanes; what that leaves are heads, each
 * the sum of lanes [lane, lane + size).
 *
 * Weights.  The units of the optimiser (nn/optim.h) are cut into slices of
 * weights that lie side by side, some for each rank.  Each rank gets the heads
 * of its own slices from the others, adds the rest of the tree, moves its
 * weights, and gives them to all.  So each has the optimiser's state of its
 * slices alone (as in stage 1 of ZeRO, Rajbhandari et al. 2020), and with one
 * head a rank all that a rank sends is 2 (n - 1) / n gradients, as in a ring.
 *
 * Time.  Gradients are whole from the last slice to the first, which is the
 * order in which the backward pass comes by, and go while it goes on
 * (relay.h).  Ranks' slices take turns, so that it is never one rank alone
 * that all others send to.
 */
#pragma once

#include "harness/nn/optim.h"
#include "harness/ranks/ranks.h"
#include "harness/train/config.h"

/* Of lane `lane` the shards lane + k lanes, first <= k < last. */
struct stint {
    int lane, first, last;
    int before, after; /* ranks that have the lane's other shards, or -1 */
};

struct head { int lane, size, rank; };

struct slice { int rank, first, last; size_t at, end; }; /* units; flat array */

struct zero1 {
    struct ranks *ranks;  /* NULL: alone  */
    int           me, n;
    int           stints;
    struct stint *stint;  /* (stints) of this rank */
    int           heads;
    struct head  *head;   /* (heads) of all ranks, in order */
    int           slices;
    struct slice *slice;  /* (slices) none is empty */
    int          *owner;  /* (units) rank */

    /* Of steps: how many, and their seconds; bytes that this rank sent, of them
     * beside its backward pass, and the least that a ring has to; seconds in
     * it, but for those beside. */
    double        steps, time, sent, beside, ring, seconds;
};

/* What each rank is, in arena a. */
void zero1_make(struct zero1 *s, struct ranks *r, const struct config *c,
                const struct optim *o, struct arena *a);

/* Why so many ranks cannot share a step: ERR_USAGE, or OK. */
int zero1_check(const struct config *c, int ranks);

/* Behind a step of so many seconds: what was sent in it. */
void zero1_count(struct zero1 *s, const struct traffic *before, double time,
                 size_t learned);

/* A part of a gradient, or of weights, as cargo. */
struct cargo zero1_cargo(int rank, real *flat, const struct slice *x);

/* Everybody's slices of the flat weights, to all. */
void zero1_weights(const struct zero1 *s, real *flat);

/* Everybody's part of the optimiser's state, to rank 0. */
void zero1_state(const struct zero1 *s, const struct optim *o);

/* Gives back the memory of the state that is not this rank's. */
void zero1_thin(const struct zero1 *s, const struct optim *o);

/* Adds up what each rank has; x[i] is 0 for all ranks but one. */
void zero1_sum(const struct zero1 *s, double *x, size_t n);
