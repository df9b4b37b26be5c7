/*
 * project: what a step would take of several ranks (harness/ranks), from what
 * it takes of one and a model of the network.
 *
 *     step(P) = work(P) + exchange(P) - beside(P)
 *     work(P) = one ceil(batch / P) / batch
 *     exchange(P) = 2 (P - 1) / P gradient / bandwidth + 4 (P - 1) latency
 *     beside(P) = min((P - 1) / P gradient / bandwidth, 2/3 work(P))
 *
 * The first term: the rows of a batch are shared out whole, and what is not
 * rows (the optimiser) with them.  The second: each rank sends its slices of
 * the gradient to P - 1 others and gets theirs, then the same of weights; both,
 * and two exchanges of a few bytes, take a message for each other rank, one
 * after the other.  The third: gradients go beside the backward pass, which has
 * twice the products of the forward pass; weights do not.  Lanes and shards are
 * taken to be as many as ranks, which makes the cell another one.
 */
#pragma once

#include "harness/plan/plan.h"

struct network { double bandwidth, latency; }; /* bytes/s of a rank; seconds */

struct projection {
    double step, exchange; /* seconds                                  */
    double beside;         /* of exchange: no part of step             */
    double efficiency;     /* one / (P step)                           */
};

/* The plan has been looked at; c->seconds is for all its steps. */
struct projection project(const struct cell *c, const struct network *net,
                          int ranks);

/* Of the numbers of ranks that divide the batch, or are greater, the first
 * whose efficiency is below `least`; 0: none up to `most`. */
int project_limit(const struct cell *c, const struct network *net,
                  double least, int most);
