/*
 * gradcheck: compares the gradient computed by the tape with the finite
 * difference
 *
 *     (45 D(e) - 9 D(2e) + D(3e)) / 60 e,   D(s) = f(x + s) - f(x - s),
 *
 * whose error is of order e^6, for every element of every tensor in wrt. The
 * error measure is |g - slope| / max(|g|, |slope|, a, b): a is a thousandth of
 * the largest |g| of the tensor, b is 1e-5 of the largest |g| of all tensors.
 * The bounds a and b are needed because a whole tensor may have no gradient
 * (softmax cancels a bias of the keys) while the slope has rounding errors.
 * Meaningful only if real is double.
 */
#pragma once

#include "harness/engine/tape.h"

#define GRADCHECK_BOUND 1e-7

/* Returns a scalar computed from the tensors wrt, or a tensor that leaf_sum
 * reduces to one. */
typedef tensor *graph_fn(struct tape *t, void *arg);

/* Returns the largest error measure. Unless `where` is NULL, sets *where to its
 * place. The tape is in training mode and has the same key each time, so
 * dropout drops the same elements. */
double gradcheck(struct tape *t, double dropout, graph_fn *f, void *arg, int n,
                 tensor *const wrt[], const char **where);

/* Fails with the place if the measure exceeds GRADCHECK_BOUND. */
void assert_gradient(const char *what, struct tape *t, double dropout,
                     graph_fn *f, void *arg, int n, tensor *const wrt[]);
