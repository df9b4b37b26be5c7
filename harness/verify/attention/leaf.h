/* leaf: tensors with synthetic values, and a scalar computed from a tensor. */
#pragma once

#include "harness/base/arena.h"
#include "harness/engine/tape.h"

#include <stdint.h>

/* Sets x[0..n-1] to N(0, sd^2), as a function of (site, index) only. */
void leaf_fill(real *x, size_t n, double sd, uint64_t site);

/* Returns a leaf of normal values with a zeroed gradient, in memory of a. */
tensor *leaf_new(struct arena *a, uint64_t site, int nd, const int dim[]);

/* leaf_sum returns the scalar sum_i w_i y_i.  leaf_weight stores the w_i, which
 * are N(0,1) as a function of i only. */
tensor *leaf_sum(struct tape *t, tensor *y);
void    leaf_weight(real *w, size_t n);
