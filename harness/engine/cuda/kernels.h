/* kernels: what the kernels of kernels.cu and those who launch them share. */
#pragma once

#include "harness/engine/row.h"
#include "harness/engine/tensor.h"

enum { WARP = 32, WARPS = 8, BLOCK_THREADS = WARP * WARPS };

enum { SPAN = 1 << 14 }; /* values of which `dots` makes one sum */

enum { TILE = 64 };      /* rows and columns of C of a block of `product` */

/* struct attend of backend.h; length and kept are of the card's memory.  once:
 * p is (h,n,m), the same for every sentence. */
struct cuda_attend {
    int h, b, n, m, from, causal, shared, linear, once;
    const int *length;
    real keep;
    const unsigned char *kept;
};

struct cuda_conv { int b, n, m, d, heads, k, from, first, shared; };

struct cuda_loss {
    int        v;
    const int *target;
    double     smoothing, scale;
};

/* b1, b2, 1 - b1, 1 - b2, lr / (1 - b1^t), 1 / sqrt(1 - b2^t) */
struct cuda_adam { real b1, b2, c1, c2, eps, step, unbias; };

/* A tensor of `outer` matrices whose axes are sorted by step: v has, for each,
 * `rows` moments of the rows, then those of the columns.  far_is_row: the far
 * axis is that of the rows. */
struct cuda_matrix {
    size_t outer, far, near, step_outer, step_far, step_near;
    int    far_is_row;
};

struct cuda_decay { double decay, eps, n; size_t step; };

struct cuda_rate { double lr, eps, clip; };

struct cuda_product {
    int    m, n, k, ta, tb, lda, ldb, ldc, inner;
    size_t step_a[2], step_b[2], step_c[2];
    int    add, relu;
    real   alpha;
};

/* A key of random numbers as Philox takes it (base/rng.c). */
struct cuda_key { unsigned k0, k1, step, top; };
