/*
 * backend: the arithmetic, as a table of kernels.  The ops (ops.h) know
 * shapes and gradients; a backend knows loops.  Kernels that feed gradients
 * accumulate (+=), all others store (=).  Sizes are checked by the caller.
 * A kernel runs in the calling thread and gives the same bits for the same
 * input; a row of a result never depends on the other rows.
 */
#ifndef ENGINE_BACKEND_H
#define ENGINE_BACKEND_H

#include "harness/base/rng.h"
#include "harness/engine/tensor.h"

/* C = alpha op(A) op(B) [+ bias] [relu], or C += alpha op(A) op(B), for each
 * of outer x inner batches.  op(A) is (m,k), op(B) (k,n), C (m,n); ld* are the
 * leading dimensions as stored; step_*[0] and [1] the distances of the outer
 * and the inner batch, 0 to use the same operand again (A or B, not both).
 * A bias needs a batch of one and alpha 1. */
struct gemm {
    int    m, n, k, ta, tb, lda, ldb, ldc;
    int    outer, inner;               /* 0 means 1 */
    size_t step_a[2], step_b[2], step_c[2];
    int    add, relu;
    real   alpha;                      /* 0 means 1 */
};

/* Softmax over the visible keys, then the weighted sum of values, for every
 * head and sentence.  Key j is visible to row i if j < length[b] and, when
 * causal, j <= from + i; a row that sees nothing gives zeros. */
struct attend {
    int    h, b, n, m, k;              /* v (b,m,h k), y (b,n,h k) */
    int    from, causal, shared;       /* shared: scores (h,1,n,m) */
    int    linear;                     /* p = mask B, no softmax   */
    const int *length;                 /* (b) or NULL */
    real   keep;                       /* share of weights kept by dropout */
    const unsigned char *kept;         /* (h,b,n,m) 0 or 1; NULL: no dropout */
};

/* y[i,c] = bias[c] + sum_j w[c heads div d, j] u[from + i + first + j, c] */
struct conv {
    int b, n, m, d, heads, k;          /* u (b,m,d), y (b,n,d)             */
    int from, first;
    int shared;                        /* w (heads,k), else (b,n,heads k)  */
};

struct cross_entropy {
    size_t     rows;
    int        v;
    const int *target;                 /* (rows) */
    double     smoothing;              /* e: 1 - e on target, e/(v-1) else */
    double     scale;                  /* of the loss and its gradient */
};

/* One tensor of `outer` x `rows` x `cols` values at strides; factored: second
 * moments of rows and of columns, else one each. */
struct adafactor {
    int    factored;
    size_t outer, rows, cols, step_outer, step_row, step_col;
    double decay;                      /* of the moments at this step: b */
    double eps1, eps2, clip, lr;
};

struct adam {
    double b1, b2, eps, lr;
    double correct1, correct2;         /* 1 - b1^t, 1 - b2^t */
};

struct backend {
    const char *name;
    void (*put)(void *dst, const void *host, size_t bytes);
    void (*get)(void *host, const void *src, size_t bytes);
    void (*zero)(void *p, size_t bytes);
    void (*thread_begin)(void);        /* once in each thread that computes */

    void (*gemm)(const struct gemm *s, const real *a, const real *b,
                 const real *bias, real *c);
    void (*axpy)(size_t n, real a, const real *x, real *y);  /* y += a x */
    double (*dot)(size_t n, const real *x, const real *y);
    void (*column_sums)(size_t rows, int n, const real *x, real *sum); /* += */
    void (*relu_back)(size_t n, const real *y, real *gy); /* gy = 0 at y = 0 */

    /* y = (x - mean) rstd gain + bias over the last dim; stat (rows,2).
     * bias NULL: mean 0 and the root mean square in place of the deviation */
    void (*norm)(size_t rows, int d, double eps, const real *x,
                 const real *gain, const real *bias, real *y, real *stat);
    void (*norm_back)(size_t rows, int d, const real *x, const real *gain,
                      const real *stat, const real *gy, real *gx, real *ggain,
                      real *gbias);

    /* y[r] = scale table[id[r]] + wave[(from + r mod n)]; wave or NULL */
    void (*embed)(size_t rows, int n, int d, int from, const int *id,
                  const real *table, const real *wave, real scale, real *y);
    /* gtable or gwave may be NULL */
    void (*embed_back)(size_t rows, int n, int d, int from, const int *id,
                       real scale, const real *gy, real *gtable, real *gwave);

    /* kept[i] = 1 with probability keep, drawn by (key, first + i) */
    void (*drop_draw)(size_t n, struct rng_key key, uint64_t first, real keep,
                      unsigned char *kept);
    /* y = x + kept z / keep (x NULL: 0);  gz += kept gy / keep */
    void (*drop_add)(size_t n, real keep, const unsigned char *kept,
                     const real *x, const real *z, real *y);
    void (*drop_back)(size_t n, real keep, const unsigned char *kept,
                      const real *gy, real *gz);

    /* p (h,b,n,m) is kept for attend_back; work: 2 n m */
    void (*attend)(const struct attend *a, const real *scores, const real *v,
                   real *work, real *p, real *y);
    /* gscores or gv may be NULL */
    void (*attend_back)(const struct attend *a, const real *p, const real *v,
                        const real *gy, real *work, real *gscores, real *gv);

    /* B[r, j] = A[r, j mod a] C[r, j div a], j < m */
    void (*pair)(size_t rows, int a, int c, int m, const real *fa,
                 const real *fc, real *out);
    void (*pair_back)(size_t rows, int a, int c, int m, const real *fa,
                      const real *fc, const real *gout, real *ga, real *gc);

    /* y[h,i,j] = sum_t R1[t,h,j] R2[t,h,j], i < n, j < m;  R1, R2 (r,h,N) */
    void (*columns)(int r, int h, int N, int n, int m, const real *r1,
                    const real *r2, real *y);
    void (*columns_back)(int r, int h, int N, int n, int m, const real *r1,
                         const real *r2, const real *gy, real *gr1,
                         real *gr2);

    /* y[h,i,j] = table[row[j - i + n - 1], h];  table (rows,h), row (n+m-1) */
    void (*diagonals)(int n, int m, int h, const int *row, const real *table,
                      real *y);
    void (*diagonals_back)(int n, int m, int h, const int *row, const real *gy,
                           real *gtable);

    /* y = x1 sigmoid(x2), x (b,n,2d), y (b,n,d); 0 from length[b] on */
    void (*glu)(int b, int n, int d, const int *length, const real *x,
                real *y);
    void (*glu_back)(int b, int n, int d, const int *length, const real *x,
                     const real *gy, real *gx);

    void (*softmax)(size_t rows, int k, const real *x, real *y);
    void (*softmax_back)(size_t rows, int k, const real *y, const real *gy,
                         real *gx);

    void (*conv)(const struct conv *s, const real *u, const real *w,
                 const real *bias, real *y);
    void (*conv_back)(const struct conv *s, const real *u, const real *w,
                      const real *gy, real *gu, real *gw);

    /* y[b] = mean of x[b, i] over i < length[b] (divided by at least 1) */
    void (*mean)(int b, int n, int d, const int *length, const real *x,
                 real *y);
    void (*mean_back)(int b, int n, int d, const int *length, const real *gy,
                      real *gx);

    /* Returns scale times the summed smoothed loss.  nll[r] = -log p(target)
     * and hit[r] = 1 where the most probable class is the target (the first of
     * equals); with `gradient` the logits become d loss / d logits. */
    double (*cross_entropy)(const struct cross_entropy *s, real *logits,
                            int gradient, double *nll, unsigned char *hit);

    void (*adam)(size_t n, const struct adam *s, const real *g, real *p,
                 real *m, real *v);
    /* v: outer (cols + rows) means where factored, else one a value */
    void (*adafactor)(const struct adafactor *s, const real *g, real *p,
                      real *v);
};

extern const struct backend backend_cpu;

/* The same with products of operands rounded to bfloat16, summed in float32;
 * attention's own small products stay in float32. */
extern const struct backend backend_bf16;

enum precision { PRECISION_FP32, PRECISION_BF16 };
const struct backend *backend_of(enum precision p);

/* What makes backend_cpu's products: the library that is loaded, "oneDNN
 * 2.6.3", or "plain loops". */
const char *backend_products(void);
/* The instructions that they are made of: what oneDNN found and was allowed
 * (DNNL_MAX_CPU_ISA), "avx512_core_amx"; of plain loops "", the compiler's. */
const char *backend_instructions(void);
/* Memory that each product of another shape costs for as long as it runs. */
size_t backend_product_bytes(void);

/* Computes nothing and touches no data: what a step would cost.  Its gemm
 * counts (flops.h), its tapes count bytes (tape_dry). */
extern const struct backend backend_dry;

/* Products of different shapes asked of backend_dry by this thread since its
 * last call of this. */
int backend_dry_products(void);

#endif
