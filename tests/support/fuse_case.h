/* fuse_case: calls of fused attention (struct fused, harness/engine/backend.h)
 * with parts of every kind, for tests that compare two backends. */
#pragma once

#include "harness/engine/backend.h"

/* FUSE_DOT: dot products; FUSE_DENSE: keys that all sentences share, and with
 * FUSE_ONE also all heads; FUSE_BIAS: a bias per key; FUSE_TABLE: a table that
 * all sentences share; FUSE_OWN: one for each.  FUSE_WEIGHTS: all parts have
 * weights, the kinds of parts in turn.  FUSE_HEADS: the parts cover two of
 * three heads, from head 0 or 1 on.  FUSE_EQUAL: the scale is 0, so that all
 * weights are equal. */
enum {
    FUSE_DOT = 1, FUSE_DENSE = 2, FUSE_ONE = 4, FUSE_BIAS = 8, FUSE_TABLE = 16,
    FUSE_OWN = 32, FUSE_WEIGHTS = 64, FUSE_HEADS = 128,
    FUSE_EQUAL = 256
};

struct fuse_case {
    const char *name;
    unsigned    parts;
    int         h, b, n, m, k, width, from, causal, lengths, drops;
};
extern const struct fuse_case fuse_case[];
extern const int fuse_cases;

/* With whole numbers as inputs, all sums of this case are exact. */
extern const struct fuse_case fuse_exact;

/* The number of input and output values of c. */
size_t fuse_inputs(const struct fuse_case *c);
size_t fuse_outputs(const struct fuse_case *c);

/* Runs c, a struct fuse_case, forward and backward.  x[0] are its inputs, x[1]
 * receives y and stat, which replace the values there, and all gradients, which
 * are added to the values there. */
void fuse_run(const struct backend *be, real *const x[], const void *c);
