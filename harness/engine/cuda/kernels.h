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

/* The arguments of `moments` (kernel_list.h). */
struct cuda_decay { double decay, eps, n; size_t step; };

/* lr, eps2 and clip of struct adafactor (backend.h). */
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

/* ---- fused attention (attend.cu) ---- */

/* Two neighbouring values of an operand of a matrix instruction: bfloat16, the
 * first in the lower half.  Where gradients are checked in double precision,
 * the values are not rounded. */
#ifdef REAL_DOUBLE
struct pair { real of[2]; };
#else
struct pair { unsigned of; };
#endif

/* What a lane holds of a block of SQUARE x SQUARE values.  With g = lane div 4
 * and t = lane mod 4, pair i begins at row g + 8 (i mod 2) and column 2 t + 8
 * (i div 2).  A block is an operand A of `mma` or, transposed, two operands
 * B. */
enum { SQUARE = 16 };
struct quad { struct pair of[4]; } __attribute__((aligned(16)));

/* A matrix for each head and sentence, in `down` x `across` blocks of WARP
 * quads.  Blocks are padded with zeros.  `head` and `sentence` are distances in
 * quads; if one is 0, all heads or all sentences share a matrix. */
struct cuda_operand {
    const struct quad *at;
    size_t head, sentence;
    int    down, across;
};

/* A source (rows,cols) of such matrices: the numbers of heads and sentences,
 * and the distances in values between heads, sentences, rows and columns. */
struct cuda_layout {
    size_t heads, sentences;
    int    rows, cols;
    size_t head, sentence, row, col;
};

/* Like struct score_part (backend.h).  If k.at is NULL, the part is a table x.
 * `step` holds the distances between the heads, sentences, rows and keys of x,
 * and `to` those of gx.  gx is the gradient of x or, if the part is a bias, the
 * gradient of the scores; if gx is NULL, no gradient is computed. */
enum {
    FUSED_MOST = 9, FUSED_WEIGHTS = 4, FUSED_WIDEST = 128,
    FUSED_STEP = 2 /* squares of keys, or of rows, at a time */
};
struct cuda_part {
    int                 first, h, weight;
    real                scale;
    struct cuda_operand q, k;
    const real         *x;
    real               *gx;
    size_t              step[4], to[4];
};

/* Like struct fused (backend.h), with the draws of dropout described by key,
 * `counter` and `limit` (0: no dropout).  v (m rows) and gy (n rows) are
 * operands; turned_v is V transposed.  `along` (h,b,n) holds the sum over each
 * row of Y' Y. */
struct cuda_fuse {
    int                 h, b, n, m, k, from, causal, parts;
    unsigned            limit;
    real                keep;
    const int          *length;
    struct cuda_key     key;
    size_t              counter;
    const double       *w;
    struct cuda_operand v, turned_v, gy;
    const real         *along;
    struct cuda_part    part[FUSED_MOST];
};

/* Describes sums of products.  If `part` is -1, the factors are the weights and
 * Y', else the gradient of the scores and an operand of product `part`.  The
 * sums run over the keys of each row, or over the rows of each key.  `by` is
 * the second factor, transposed.  `heads` heads of the result are computed,
 * from head `first` of the scores on, of `width` columns each; to[] are the
 * distances between its heads, slices, rows and columns.  The sentences
 * are divided into `slices` slices: slice z sums `each` sentences, or those
 * that are left, from sentence z * each on.  If `scaled` is set, the sums of a
 * product are multiplied by its scale and its weight. */
struct cuda_gather {
    int                 part, first, heads, width, slices, each, scaled;
    struct cuda_operand by;
    size_t              to[4];
};

/* Describes the sum of `slices` arrays (outer,cols,rows), one after another in
 * memory.  to[] are the distances of the result between its outer parts, rows
 * and columns.  The sums are multiplied by scale and by w[weight] (1 if
 * `weight` is negative). */
struct cuda_fold {
    int    slices, outer, rows, cols, weight;
    real   scale;
    size_t to[3];
};
