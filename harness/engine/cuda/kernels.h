/* kernels: the types and constants shared by the kernels of kernels.cu and the
 * code that launches them. */
#pragma once

#include "harness/engine/row.h"
#include "harness/engine/tensor.h"

enum { WARP = 32, WARPS = 8, BLOCK_THREADS = WARP * WARPS };

enum { SPAN = 1 << 14 }; /* values per sum of `dots` */

enum { TILE = 64 };      /* rows and columns of C per block of `product` */

/* struct attend of backend.h, with length and kept in the card's memory.  once:
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

/* A tensor of `outer` matrices whose axes are sorted by stride.  For each of
 * them, v holds `rows` moments of the rows, then those of the columns.
 * far_is_row: the far axis is the axis of the rows. */
struct cuda_matrix {
    size_t outer, far, near, step_outer, step_far, step_near;
    int    far_is_row;
};

struct cuda_decay { double decay, eps, n; size_t step; };

struct cuda_rate { double lr, eps, clip; };

/* struct gemm (backend.h).  length is in the card's memory and replaces the
 * dimension `limits` of each inner batch.  fold[0] and fold[1]: one block adds
 * the outer and the inner batches to one C, in order. */
struct cuda_product {
    int    m, n, k, ta, tb, lda, ldb, ldc, outer, inner, fold[2];
    size_t step_a[2], step_b[2], step_c[2], step_bias;
    int    add, relu;
    real   alpha;
    const int *length;
    char   limits;
};

/* struct rng_key (base/rng.h). */
struct cuda_key { size_t seed, site; unsigned stream, step; };

/* struct blocks (backend.h). */
struct cuda_blocks { size_t outer, rows, cols, from[2], to[2]; };

/* h heads of rows of d values: (b,n,d) with padding, (rows,d) without it. */
struct cuda_packing { int h, b, n, rows, d; };

/* struct mix_sum (backend.h) with its parts; of[parts] has weight 1. */
enum { MIX_MOST = 5 };
struct cuda_mix {
    int    parts, h, b;
    size_t len;
    struct { int h, b, first; const real *x; } of[MIX_MOST];
};

/* struct best (backend.h). */
struct cuda_best { double mass; real x; int id; };
