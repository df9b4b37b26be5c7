/*
 * share: who does what of a training step, where several ranks (harness/ranks)
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
 * Weights.  The units of the optimiser (nn/optim.h) are cut into slices, one a
 * rank, of weights that lie side by side.  Each rank gets the heads of its own
 * slice from the others, adds the rest of the tree, moves its weights, and
 * gives them to all.  So each has the optimiser's state of its slice alone (as
 * in stage 1 of ZeRO, Rajbhandari et al. 2020), and with one head a rank all
 * that a rank sends is 2 (n - 1) / n gradients, as in a ring.
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

struct slice { int first, last; size_t at, end; }; /* units; flat array */

struct share {
    struct ranks *ranks;  /* NULL: alone  */
    int           me, n;
    int           stints;
    struct stint *stint;  /* (stints) of this rank */
    int           heads;
    struct head  *head;   /* (heads) of all ranks, in order */
    struct slice *slice;  /* (n) */

    /* In steps: what they were, bytes this rank sent, the least that a ring
     * has to, seconds in it. */
    double        steps, sent, ring, seconds;
};

/* What each rank is, in arena a. */
void share_make(struct share *s, struct ranks *r, const struct config *c,
                const struct optim *o, struct arena *a);

/* Why so many ranks cannot share a step: ERR_USAGE, or OK. */
int share_check(const struct config *c, int ranks);

/* Before and behind a step: what was sent in it. */
void share_count(struct share *s, const struct traffic *before, size_t learned);

/* grad[lane]: the flat gradient of each lane.  The heads of my slice. */
void share_heads(const struct share *s, real *const *grad);

/* Everybody's slice of the flat weights, to all. */
void share_weights(const struct share *s, real *flat);

/* Everybody's part of the optimiser's state, to rank 0. */
void share_state(const struct share *s, const struct optim *o);

/* Gives back the memory of the state that is not this rank's. */
void share_thin(const struct share *s, const struct optim *o);

/* Adds up what each rank has; x[i] is 0 for all ranks but one. */
void share_sum(const struct share *s, double *x, size_t n);
