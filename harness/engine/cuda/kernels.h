/* kernels: the types and constants shared by the kernels of kernels.cu and the
 * code that launches them. */
#pragma once

#include "harness/engine/row.h"
#include "harness/engine/tensor.h"

enum { WARP = 32, WARPS = 8, BLOCK_THREADS = WARP * WARPS };

enum { SPAN = 1 << 14 }; /* values per sum of `dots` */

enum { TILE = 64 };      /* rows and columns of C per block of `product` */

/* Like struct attend of backend.h, but `length` and `kept` are in the card's
 * memory.  If `once` is set, the weights p are (h,n,m), the same for every
 * sentence. */
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

/* c1 = 1 - b1, c2 = 1 - b2, step = lr / (1 - b1^t), and unbias = 1 / sqrt(1 -
 * b2^t), where t is the number of the training step. */
struct cuda_adam { real b1, b2, c1, c2, eps, step, unbias; };

/* A tensor of `outer` matrices whose axes are sorted by stride: the far axis
 * has the larger stride.  For each matrix, the optimizer's state `v` holds the
 * moments of the rows, then the moments of the columns.  far_is_row: the far
 * axis is the axis of the rows. */
struct cuda_matrix {
    size_t outer, far, near, step_outer, step_far, step_near;
    int    far_is_row;
};

struct cuda_decay { double decay, eps, n; size_t step; };

struct cuda_rate { double lr, eps, clip; };

/* Like struct gemm (backend.h), but `length` is in the card's memory; it
 * replaces the dimension `limits` of each inner batch.  If fold[0] is set, one
 * block of threads adds the outer batches to one C, in order; fold[1] does the
 * same for the inner batches. */
struct cuda_product {
    int    m, n, k, ta, tb, lda, ldb, ldc, outer, inner, fold[2];
    size_t step_a[2], step_b[2], step_c[2], step_bias;
    int    add, relu;
    real   alpha;
    const int *length;
    char   limits;
};

/* Like struct rng_key (base/rng.h). */
struct cuda_key { size_t seed, site; unsigned stream, step; };

/* Like struct blocks (backend.h). */
struct cuda_blocks { size_t outer, rows, cols, from[2], to[2]; };

/* h heads, each with rows of d values: (b,n,d) with padding, (rows,d) without
 * padding. */
struct cuda_packing { int h, b, n, rows, d; };

/* Like struct mix_sum (backend.h), with the values x of each part; of[parts]
 * has weight 1. */
enum { MIX_MOST = 5 };
struct cuda_mix {
    int    parts, h, b;
    size_t len;
    struct { int h, b, first; const real *x; } of[MIX_MOST];
};

/* Like struct best (backend.h). */
struct cuda_best { double mass; real x; int id; };
