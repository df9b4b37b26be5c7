/* leaf: makes tensors with random values that do not depend on the order of
 * calls, and reduces a tensor to a scalar, for the checks of gradients. */
#pragma once

#include "harness/base/arena.h"
#include "harness/engine/tape.h"

#include <stdint.h>

/* Sets x[0..n-1] to values of N(0, sd^2), each a function of `site` and its
 * index only. */
void leaf_fill(real *x, size_t n, double sd, uint64_t site);

/* Returns a leaf (an input tensor of the tape) with values of N(0, 1) and a
 * gradient of zeros, in memory of `a`. */
tensor *leaf_new(struct arena *a, uint64_t site, int nd, const int dim[]);

/* leaf_sum returns the scalar sum_i w_i y_i, where w_i is a value of N(0, 1)
 * that depends only on i.  leaf_weight stores w_0 to w_(n-1) in w. */
tensor *leaf_sum(struct tape *t, tensor *y);
void    leaf_weight(real *w, size_t n);
