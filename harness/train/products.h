/* products: the time of each shape of matrix product in a training step, in the
 * step and alone, for `synthbench bench`. */
#pragma once

#include "harness/train/bench.h"

struct product {
    struct gemm shape;
    int         bias;
    double      calls;    /* per step                     */
    double      flops;    /* per call, multiply-add = 2   */
    double      seconds;  /* per call in a step, the mean */
    double      alone;    /* per call if repeated on operands of its own, the
                             best of some rounds          */
};

/* Times the model's own products with one thread; those inside attention belong
 * to its kernels.  *out (n) is sorted by time per step, the longest first; the
 * caller frees it.  Fails if the backend of c->precision cannot be opened. */
int products_time(struct product **out, int *n, const struct config *c,
                  const struct mix *mix, const struct task *task);

/* Writes and returns a name such as "512x2000x128 A^T B, +=": m x n x k, which
 * operands are transposed, and how C is computed. */
const char *product_name(const struct product *p, char out[96]);
