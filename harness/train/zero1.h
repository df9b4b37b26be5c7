/*
 * zero1: divides a training step among the ranks (harness/ranks) that train one
 * cell.  trainer.c calls zero1_make once, and the other functions in each step
 * or checkpoint.
 *
 * Shards.  A lane adds its shards in order, so it is divided between ranks only
 * if there are more ranks than lanes.  Then the ranks of a lane pass its
 * gradient on; each has done its forward pass by then, and the last one has the
 * complete gradient.  Otherwise a rank has whole lanes that are next to each
 * other.
 *
 * Gradients.  Lanes are added in the binary tree of train.h.  A rank adds the
 * part of the tree within its own lanes.  The results are heads, each the sum
 * of lanes [lane, lane + size).
 *
 * Weights.  The units of the optimizer (nn/optim.h) are grouped into slices of
 * adjacent weights, several for each rank.  A rank receives the heads of its
 * own slices from the others, adds the rest of the tree, updates its weights,
 * and sends them to all.  It has the optimizer's state of its own slices only
 * (as in stage 1 of ZeRO, Rajbhandari et al. 2020).  With one head per rank, a
 * rank sends 2 (n - 1) / n gradients in all, as in a ring.
 *
 * Time.  Gradients become complete from the last slice to the first, in the
 * order of the backward pass, and are sent while it runs (relay.h).  The slices
 * of the ranks alternate, so that the others never all send to the same rank.
 */
#pragma once

#include "harness/nn/optim.h"
#include "harness/ranks/ranks.h"
#include "harness/train/config.h"

/* Shards lane + k lanes, first <= k < last, of lane `lane`. */
struct stint {
    int lane, first, last;
    int before, after; /* ranks with the lane's other shards, or -1 */
};

struct head { int lane, size, rank; };

/* Units [first, last), at [at, end) of the flat array, which `rank` updates. */
struct slice { int rank, first, last; size_t at, end; };

struct zero1 {
    struct ranks *ranks;  /* NULL: alone                    */
    int           me, n;
    int           stints;
    struct stint *stint;  /* (stints) of this rank          */
    int           heads;
    struct head  *head;   /* (heads) of all ranks, in order */
    int           slices;
    struct slice *slice;  /* (slices) none empty            */
    int          *owner;  /* (units) rank that updates it   */

    /* Totals of zero1_count: steps and their seconds; bytes that this rank
     * sent, those of them sent during its backward pass, and the minimum of a
     * ring; seconds of communication, except during the backward pass. */
    double        steps, time, sent, beside, ring, seconds;
};

/* Computes the division, in memory of arena a.  r NULL: one process. */
void zero1_make(struct zero1 *s, struct ranks *r, const struct config *c,
                const struct optim *o, struct arena *a);

/* Returns OK, or ERR_USAGE if so many ranks cannot share a step. */
int zero1_check(const struct config *c, int ranks);

/* Counts what was sent in a step of `time` seconds.  before: the traffic before
 * it; learned: the length of the flat gradient. */
void zero1_count(struct zero1 *s, const struct traffic *before, double time,
                 size_t learned);

/* Returns a slice of a flat gradient, or of the weights, as cargo. */
struct cargo zero1_cargo(int rank, real *flat, const struct slice *x);

/* Sends the slices of the flat weights that each rank has updated to all
 * ranks. */
void zero1_weights(const struct zero1 *s, real *flat);

/* Sends each rank's part of the optimizer's state to rank 0. */
void zero1_state(const struct zero1 *s, const struct optim *o);

/* Releases the memory of the state that belongs to other ranks. */
void zero1_thin(const struct zero1 *s, const struct optim *o);

/* Replaces x (n) by its sum over all ranks.  x[i] is 0 in all ranks but one. */
void zero1_sum(const struct zero1 *s, double *x, size_t n);
