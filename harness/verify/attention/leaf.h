/* leaf: tensors with made-up values, and a scalar made of a tensor. */
#pragma once

#include "harness/base/arena.h"
#include "harness/engine/tape.h"

#include <stdint.h>

/* x[0..n-1] = N(0, sd^2), a function of (site, index) alone. */
void leaf_fill(real *x, size_t n, double sd, uint64_t site);

/* A leaf of normal values with a zeroed gradient. */
tensor *leaf_new(struct arena *a, uint64_t site, int nd, const int dim[]);

/* sum_i w_i y_i, w_i = N(0,1) of i alone (leaf_weight): a scalar. */
tensor *leaf_sum(struct tape *t, tensor *y);
void    leaf_weight(real *w, size_t n);
