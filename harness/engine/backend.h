/*
 * backend: the arithmetic, as a table of kernels (op_list.h).  The ops (ops.h)
 * handle shapes and gradients; a backend implements the loops.  The caller
 * checks sizes.  A kernel runs in the calling thread and returns bit-identical
 * results for the same input; a row of a result never depends on the other
 * rows.
 *
 * Arrays of reals and doubles, the bytes of dropout and hits, and struct best
 * are buffers of the backend.  They come from an arena of its memory, and the
 * host moves their values only with put, get, copy, zero and backend_read.
 * Structs of shapes and arrays of int (ids, lengths, rows, targets) belong to
 * the host and are valid only during the call; a kernel that runs later copies
 * them.
 *
 * A kernel may use memory of its own in addition to `work`.  The backend
 * chooses the order of a sum and fixes it for each shape; the order of
 * backend_cpu is determined by stored results.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/names.h"
#include "harness/base/rng.h"
#include "harness/engine/row.h"
#include "harness/engine/tensor.h"

/* C = alpha op(A) op(B) [+ bias] [relu], or C += alpha op(A) op(B), for each of
 * outer x inner batches.  op(A) is (m,k), op(B) (k,n), C (m,n).  ld* are the
 * leading dimensions as stored.  step_*[0] and [1] are the distances between
 * outer and between inner batches; 0 uses the same operand again (A or B, not
 * both).  A bias requires alpha 1.
 *
 * If `each` is set, every batch is a product of many tokens, and the CPU
 * computes the batches one by one.  Only such products may have
 *     - a bias (n) for each outer batch, step_bias apart, and relu;
 *     - a C with steps of 0, with `add`: the batches are added to it in order,
 *       or in a tree;
 *     - lengths: inner batch i has length[i] in place of m, n or k, as `limits`
 *       says ('m', 'n' or 'k'); the replaced dimension is the largest length.
 *       If length[i] is 0, nothing is added; if k is 0 and `add` is not set, C
 *       is set to 0.  Values beyond m or n of a batch's C are left unchanged.
 *       Values beyond k of its A and B are not read and may be NaN. */
struct gemm {
    int    m, n, k, ta, tb, lda, ldb, ldc;
    int    outer, inner;               /* 0 means 1 */
    size_t step_a[2], step_b[2], step_c[2];
    int    add, relu;
    real   alpha;                      /* 0 means 1 */
    const uint16_t *low_a, *low_b;     /* A and B as converted by `lower`, or
                                          NULL; not part of the shape       */
    int    each;
    size_t step_bias;
    const int *length;                 /* (inner) or NULL */
    char   limits;
};

int gemm_same(const struct gemm *a, const struct gemm *b);

/* Returns the shape of inner batch i as a product of its own. */
struct gemm gemm_batch(const struct gemm *s, int i);

/* Returns the multiplications and additions of all batches, given their
 * lengths. */
double gemm_flops(const struct gemm *s);

/* Returns the number of values from the first to the last of each operand, gaps
 * included. */
struct gemm_spans { size_t a, b, c; };
struct gemm_spans gemm_spans(const struct gemm *s);

/* Softmax over the visible keys, then the weighted sum of values, for every
 * head and sentence.  Key j is visible to row i if j < length[b] and, if
 * causal, j <= from + i.  A row without visible keys yields zeros. */
struct attend {
    int    h, b, n, m, k;              /* v (b,m,h k), y (b,n,h k) */
    int    from, causal, shared;       /* shared: scores (h,1,n,m) */
    int    linear;                     /* p = mask B, no softmax   */
    const int *length;                 /* (b) or NULL */
    real   keep;                       /* fraction of weights kept by dropout */
    const unsigned char *kept;         /* (h,b,n,m) 0 or 1; NULL: no dropout */
};

/* Returns true if all sentences share the weights: shared scores without
 * padding and dropout.  p is then (h,1,n,m) and computed once. */
static inline int attend_once(const struct attend *a)
{
    return a->shared && !a->length && !a->kept;
}

/* Returns the number of keys that row i of sentence b sees.  Visible keys are a
 * prefix. */
static inline int attend_visible(const struct attend *a, int b, int i)
{
    int end = a->length ? a->length[b] : a->m;

    if (a->causal && end > a->from + i + 1)
        end = a->from + i + 1;
    return end < a->m ? end : a->m;
}

/* Returns the number of sentences of one head that are processed at once.
 * `work` of a kernel holds twice as many (n,m) matrices. */
int attend_together(const struct attend *a);

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

/* One class of a row of logits: id is the class, x its logit, mass the log of
 * the sum of e^x over all classes of the row. */
struct best { double mass; real x; int id; };

/* Y = sum_p w_p X_p + P.  Y is (h,b,len).  Part p, of[p], is (h_p,b_p,len) and
 * begins at head first_p of Y; b_p is b, or 1 if all b are the same.  of[parts]
 * is P, which has h heads and weight 1, or 0 heads if there is no P.  With
 * MIX_HEADS the parts have different heads; otherwise each has h heads. */
enum { MIX_PARTS_MOST = 4 };
struct mix_part { int h, b, first; };
struct mix_sum {
    int    parts, h, b;
    size_t len;
    struct mix_part of[MIX_PARTS_MOST + 1];
};

/* Describes the tokens of a rectangle (b,n,..) without its padding:
 * (1,rows,..), the first length[s] positions of each sentence s in order, then
 * rows without a token. */
struct packing { int b, n, rows; const int *length; /* (b) */ };

/* (outer,rows,cols) values.  from[] and to[] are the distances of outer parts
 * [0] and of rows [1] in the two arrays.  A distance of 0 in `from` repeats the
 * values. */
struct blocks { size_t outer, rows, cols, from[2], to[2]; /* [0]: outer */ };

/* One tensor of `outer` x `rows` x `cols` values at strides.  If factored, it
 * has second moments of rows and of columns, else one per value. */
struct adafactor {
    int    factored;
    size_t outer, rows, cols, step_outer, step_row, step_col;
    double decay;                      /* b: of the moments at this step */
    double eps1, eps2, clip, lr;
};

struct adam {
    double b1, b2, eps, lr;
    double correct1, correct2;         /* 1 - b1^t, 1 - b2^t */
};

struct backend {
    const char *name;
    int dry;                           /* computes nothing, stores no values */
    void (*thread_begin)(void);        /* called in each computing thread */

    size_t loss_rows;                  /* rows in a block of vocab_loss; 0: as
                                          many as fit into the CPU's cache */
    size_t adam_values;                /* weights in one call of adam      */

#define BACKEND_DEVICE /* loss_rows, adam_values: device with own memory */   \
    .loss_rows = 4096, .adam_values = (size_t)1 << 40

    const struct arena_memory *memory; /* its buffers are cut from this */
    void (*put)(void *buffer, const void *host, size_t bytes);
    /* get is NULL if the host may read and write buffers. */
    void (*get)(void *host, const void *buffer, size_t bytes);
    void (*copy)(void *to, const void *from, size_t bytes);
    void (*zero)(void *buffer, size_t bytes);
    void (*wait)(void);                /* waits for all kernels; NULL: kernels
                                          are done when their calls return  */
    /* Converts values to what products read as operands.  lower is NULL if
     * products read them unchanged. */
    void (*lower)(size_t n, const real *x, uint16_t *low);

#define KERNEL(name, class, work, ...) \
    void (*name)(ROW_PARAMETERS(__VA_ARGS__));
#include "harness/engine/op_list.h"
};

extern const struct backend backend_cpu;

/* Like backend_cpu, but operands of products are rounded to bfloat16 and the
 * sums are float32; attention's own small products stay in float32.  If the
 * processor has no such products (backend_multiplies), they are float32
 * products of the same rounded operands: equal up to the rounding of the sums,
 * and no faster. */
extern const struct backend backend_bf16;

/* Waits for the kernels that write a buffer, then copies `bytes` of it to the
 * host. */
void backend_get(const struct backend *be, void *host, const void *buffer,
                 size_t bytes);

/* Returns n values of a buffer for the host to read: the buffer itself if the
 * host can read it, else a copy of the current values in a. */
const real *backend_read(const struct backend *be, const real *buffer,
                         size_t n, struct arena *a);
const real *tensor_read(const struct backend *be, const tensor *x,
                        struct arena *a);

#define PRECISIONS(X) X(PRECISION_FP32, "fp32") X(PRECISION_BF16, "bf16")
enum precision { PRECISIONS(NAMES_VALUE) };

/* The device that computes a cell: the CPU, or a GPU (cuda/driver.h). */
#define DEVICES(X) X(DEVICE_CPU, "cpu") X(DEVICE_CUDA, "cuda")
enum device { DEVICES(NAMES_VALUE) };

/* Opens the backend of a device and precision.  Its buffers belong to the
 * calling process, so a runner leaves this call to its workers.  Returns OK, or
 * ERR_USAGE with a message that says what is missing and what to do. */
int backend_of(const struct backend **out, enum device d, enum precision p);

/* Returns OK if the driver of a device can be loaded, or ERR_USAGE like
 * backend_of.  Does not touch the device, so the process can still fork. */
int device_find(enum device d);

/* Sets a buffer to zeros.  In host memory they cost nothing until they are
 * touched. */
void backend_clear(const struct backend *be, void *buffer, size_t bytes);

/* Writes to name, and returns, what computes the products of backend_cpu except
 * small ones: the loaded library ("oneDNN 2.6.3") or "plain loops". */
enum { BACKEND_PRODUCTS = 48 };
const char *backend_products(char name[BACKEND_PRODUCTS]);
/* Returns the instruction set of these products: what oneDNN detected and may
 * use (DNNL_MAX_CPU_ISA), such as "avx512_core_amx", or "" for plain loops,
 * whose instructions the compiler chooses. */
const char *backend_instructions(void);
/* Returns true if the library multiplies operands of this precision on this
 * machine without widening them to float32 first. */
int backend_multiplies(enum precision p);
/* Returns the bytes that a product of this shape occupies from its first call
 * on. */
size_t backend_product_bytes(const struct gemm *s, int bias, enum precision p);

/* Returns the bytes that the library of products occupies from its first
 * product on. */
double backend_library_bytes(void);
/* Returns the size that this shape needs at most in the two buffers of a thread
 * in which backend_bf16 converts operands A and B. */
struct backend_scratch { size_t a, b; };
struct backend_scratch backend_scratch_bytes(const struct gemm *s);

/* Backends that compute nothing and touch no data; the tape counts what a step
 * would cost (tape_dry).  backend_dry_bf16 replaces backend_bf16. */
extern const struct backend backend_dry, backend_dry_bf16;
