/*
 * gradcheck: the gradient that the tape finds against the slope of f,
 *
 *     (45 D(e) - 9 D(2e) + D(3e)) / 60 e,   D(s) = f(x + s) - f(x - s),
 *
 * whose error is of order e^6, at every element of every tensor of wrt.
 * The measure is |g - slope| / max(|g|, |slope|, a, b): a is a thousandth of
 * the tensor's largest |g|, b 1e-5 of the largest of all, as a whole tensor
 * may have no gradient (softmax cancels a bias of keys) and the slope rounds.
 * Meaningful where real is double only.
 */
#pragma once

#include "harness/engine/tape.h"

#define GRADCHECK_BOUND 1e-7

/* A scalar that is made of wrt, or a tensor: then its leaf_sum. */
typedef tensor *graph_fn(struct tape *t, void *arg);

/* Returns the worst element's measure; *where (may be NULL) tells which.  The
 * tape trains, and the same key makes dropout drop the same. */
double gradcheck(struct tape *t, double dropout, graph_fn *f, void *arg, int n,
                 tensor *const wrt[], const char **where);

/* Fails, with the place, above GRADCHECK_BOUND. */
void assert_gradient(const char *what, struct tape *t, double dropout,
                     graph_fn *f, void *arg, int n, tensor *const wrt[]);
