/*
 * project: estimates the time of a training step on several ranks
 * (harness/ranks) from the time on one rank and a model of the network.  The
 * command `plan` prints the estimates.  For P ranks:
 *
 *     step(P) = work(P) + exchange(P) - beside(P)
 *     work(P) = one ceil(batch / P) / batch
 *     exchange(P) = 2 (P - 1) / P gradient / bandwidth + 4 (P - 1) latency
 *     beside(P) = min((P - 1) / P gradient / bandwidth, 2/3 work(P))
 *
 * `one` is the time of a step on one rank, `gradient` the size of the gradient
 * in bytes, and `batch` the number of rows of the batch.
 *
 * work: the rank with the most rows of the batch determines the time; the
 * optimiser is assumed to scale in the same way.  exchange: each rank sends
 * slices of its gradient to the P - 1 other ranks and receives theirs; weights
 * are exchanged in the same way.  In these two exchanges, and in two more of a
 * few bytes, a rank sends one message to each other rank, one after another.
 * beside: gradients, but not weights, are sent during the backward pass, which
 * has twice the matrix products of the forward pass.  The model assumes as many
 * shards and lanes (train/train.h) as ranks; a cell with these settings would
 * have another id.
 */
#pragma once

#include "harness/plan/plan.h"

struct network { double bandwidth, latency; }; /* bytes/s per rank; seconds */

struct projection {
    double step, exchange; /* seconds                                       */
    double beside;         /* seconds of exchange that overlap with work    */
    double efficiency;     /* one / (P step)                                */
};

/* Estimates a step of `c` on `ranks` ranks.  Call plan_look before: c->seconds
 * is the time of all steps. */
struct projection project(const struct cell *c, const struct network *net,
                          int ranks);

/* Returns the smallest number of ranks from 2 to `most` whose efficiency is
 * less than `least`, or 0 if there is none.  Considers only numbers that divide
 * the batch or exceed it. */
int project_limit(const struct cell *c, const struct network *net,
                  double least, int most);
