/*
 * project: estimates the time of a training step on several ranks
 * (harness/ranks) from the time on one rank and a model of the network.
 *
 *     step(P) = work(P) + exchange(P) - beside(P)
 *     work(P) = one ceil(batch / P) / batch
 *     exchange(P) = 2 (P - 1) / P gradient / bandwidth + 4 (P - 1) latency
 *     beside(P) = min((P - 1) / P gradient / bandwidth, 2/3 work(P))
 *
 * `one` is the time of a step on one rank, `gradient` the size of the gradient
 * in bytes.
 *
 * work: whole rows of the batch are distributed; the rest (the optimiser) is
 * assumed to scale with them.  exchange: each rank sends its slices of the
 * gradient to P - 1 others and receives theirs, then the same for the weights.
 * Both, and two exchanges of a few bytes, take one message per other rank, one
 * after another.  beside: gradients are sent during the backward pass, which
 * has twice the matrix products of the forward pass; weights are not.  Assumes
 * as many lanes and shards as ranks, which would change the cell id.
 */
#pragma once

#include "harness/plan/plan.h"

struct network { double bandwidth, latency; }; /* bytes/s per rank; seconds */

struct projection {
    double step, exchange; /* seconds                                       */
    double beside;         /* seconds of exchange that overlap with work    */
    double efficiency;     /* one / (P step)                                */
};

/* Estimates a step of c on this many ranks.  Requires plan_look: c->seconds is
 * the time of all steps. */
struct projection project(const struct cell *c, const struct network *net,
                          int ranks);

/* Returns the smallest number of ranks, 2 to `most`, whose efficiency is below
 * `least`, or 0 if there is none.  Considers only numbers that divide the batch
 * or exceed it. */
int project_limit(const struct cell *c, const struct network *net,
                  double least, int most);
