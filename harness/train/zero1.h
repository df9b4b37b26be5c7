/*
 * zero1: divides a training step among the ranks (harness/ranks) that train one
 * cell.  trainer.c calls zero1_make once, and the other functions in each step
 * or checkpoint.
 *
 * Shards.  A lane adds the gradients of its shards in order (train.h), so a
 * lane is divided between ranks only if there are more ranks than lanes.  In
 * this case the ranks of a lane pass the lane's gradient on, each after its own
 * forward pass, and the last rank has the complete gradient.  Otherwise a rank
 * has whole adjacent lanes.
 *
 * Gradients.  Lanes are added in the binary tree of train.h.  A rank first does
 * the additions of the tree that need only its own lanes.  Each result is
 * called a head: the sum of the lanes `lane` to `lane` + `size` - 1.
 *
 * Weights.  The units of the optimizer (nn/optim.h) are grouped into slices of
 * adjacent weights, several for each rank.  For its own slices, a rank receives
 * the heads of the other ranks, does the remaining additions of the tree,
 * updates the weights, and sends the weights to all ranks.  A rank stores the
 * optimizer's state of its own slices only (as in stage 1 of ZeRO, Rajbhandari
 * et al. 2020).  With one head per rank, each of n ranks sends 2 (n - 1) / n
 * times the size of the gradient, as in a ring all-reduce.
 *
 * Time.  Gradients become complete from the last slice to the first, in the
 * order of the backward pass, and are sent while it runs (relay.h).  The slices
 * of the ranks alternate, so that the ranks never all send to the same rank.
 */
#pragma once

#include "harness/nn/optim.h"
#include "harness/ranks/ranks.h"
#include "harness/train/config.h"

/* The shards of one lane that this rank computes: shards `lane` + k `lanes`,
 * `first` <= k < `last`. */
struct stint {
    int lane, first, last;
    int before, after; /* ranks with the lane's preceding and following
                          shards, or -1 */
};

/* The sum of lanes `lane` to `lane` + `size` - 1, which `rank` computes.  size
 * is a power of two that divides `lane`.  The last head can end beyond the last
 * lane; it then sums only the lanes that exist. */
struct head { int lane, size, rank; };

/* The units `first` to `last` - 1 of the optimizer, which `rank` updates.  In
 * the flat array they are the values `at` to `end` - 1. */
struct slice { int rank, first, last; size_t at, end; };

struct zero1 {
    struct ranks *ranks;  /* NULL: alone                    */
    int           me, n;  /* this rank; number of ranks     */
    int           stints;
    struct stint *stint;  /* (stints) of this rank          */
    int           heads;
    struct head  *head;   /* (heads) of all ranks, in order */
    int           slices;
    struct slice *slice;  /* (slices) of all ranks */
    int          *owner;  /* (units) rank that updates each */

    /* Totals of zero1_count.  `steps`: number of steps.  `time`: their seconds.
     * `sent`: bytes that this rank sent.  `overlapped`: those of them that it
     * sent during its backward pass.  `ring`: bytes that this rank would send
     * in a ring all-reduce.  `seconds`: time of communication outside the
     * backward pass. */
    double        steps, time, sent, overlapped, ring, seconds;
};

/* Computes the division of the work, allocated in `a`.  If `r` is NULL, there
 * is only this process. */
void zero1_make(struct zero1 *s, struct ranks *r, const struct config *c,
                const struct optim *o, struct arena *a);

/* Returns OK, or ERR_USAGE if a step of c cannot be divided among this number
 * of ranks. */
int zero1_check(const struct config *c, int ranks);

/* Adds a step of `time` seconds to the totals of s.  `before` is the traffic
 * counted before the step, and `learned` the length of the flat gradient. */
void zero1_count(struct zero1 *s, const struct traffic *before, double time,
                 size_t learned);

/* Returns slice `x` of the flat gradient or weights `flat` as cargo (ranks.h)
 * that is sent to `rank` or received from it. */
struct cargo zero1_cargo(int rank, real *flat, const struct slice *x);

/* Sends the slices of the flat weights that this rank has updated to all other
 * ranks, and receives the slices that they have updated. */
void zero1_weights(const struct zero1 *s, real *flat);

/* Collects the optimizer's state of all ranks in rank 0. */
void zero1_state(const struct zero1 *s, const struct optim *o);

/* Releases the memory of the parts of the optimizer's state that belong to
 * other ranks. */
void zero1_thin(const struct zero1 *s, const struct optim *o);

/* Replaces each x[i] by its sum over all ranks.  x[i] must be 0 in all ranks
 * but one. */
void zero1_sum(const struct zero1 *s, double *x, size_t n);
