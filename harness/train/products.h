/* products: measures the time of each shape of matrix product in a training
 * step, both within the step and repeated alone.  `synthbench bench` calls
 * it. */
#pragma once

#include "harness/train/bench.h"

struct product {
    struct gemm shape;
    int         bias;
    double      calls;    /* per step                     */
    double      flops;    /* per call, multiply-add = 2   */
    double      seconds;  /* per call in a step, the mean */
    double      alone;    /* per call if repeated on separate operands, the
                             best of several rounds       */
};

/* Times the matrix products of a step with one thread, except those inside the
 * kernels of attention.  *out receives an array of *n products in descending
 * order of time per step; the caller frees it.  Fails if the backend of
 * c->precision cannot be opened. */
int products_time(struct product **out, int *n, const struct config *c,
                  const struct mix *mix, const struct task *task);

/* Writes a name such as "512x2000x128 A^T B, +=" and returns it.  The name
 * states m x n x k, then which operands are transposed, then how C is
 * updated. */
const char *product_name(const struct product *p, char out[96]);
