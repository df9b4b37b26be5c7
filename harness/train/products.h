/* products: each shape of matrix product that a training step makes, timed
 * there and alone. */
#pragma once

#include "harness/train/bench.h"

struct product {
    struct gemm shape;
    int         bias;
    double      calls;    /* a step                                         */
    double      flops;    /* of a call, multiply-add = 2                    */
    double      seconds;  /* of a call in a step, the mean                  */
    double      alone;    /* of a call again and again on operands of its
                             own, the best of some rounds                   */
};

/* Of the model's own products; those inside attention are its kernels'.  One
 * thread; the one that takes longest comes first.  The caller frees *out.
 * Fails if the backend of c->precision cannot be opened. */
int products_time(struct product **out, int *n, const struct config *c,
                  const struct mix *mix, const struct task *task);

/* "512x2000x128 A^T B +=": m x n x k, what is turned, and how C is made. */
const char *product_name(const struct product *p, char out[96]);
