/*
 * backend: the arithmetic, as a table of kernels (op_list.h).  The ops (ops.h)
 * know shapes and gradients; a backend knows loops.  Sizes are checked by the
 * caller.  A kernel runs in the calling thread and gives the same bits for the
 * same input; a row of a result never depends on the other rows.
 *
 * Arrays of reals and doubles, the bytes of dropout and hits, and struct best
 * are the backend's buffers: they come from an arena of its memory, and the
 * host moves values by put, get, copy, zero and backend_read alone.  Structs of
 * shapes, and arrays of int (ids, lengths, rows, targets), are the host's and
 * valid during the call only; a kernel that runs later copies them.
 *
 * A kernel may use memory of its own beside `work`.  Where a kernel sums, the
 * order of the sum is the backend's, fixed for a shape; backend_cpu's is given
 * by stored results.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/names.h"
#include "harness/base/rng.h"
#include "harness/engine/row.h"
#include "harness/engine/tensor.h"

/* C = alpha op(A) op(B) [+ bias] [relu], or C += alpha op(A) op(B), for each
 * of outer x inner batches.  op(A) is (m,k), op(B) (k,n), C (m,n); ld* are the
 * leading dimensions as stored; step_*[0] and [1] the distances of the outer
 * and the inner batch, 0 to use the same operand again (A or B, not both).
 * A bias needs alpha 1.
 *
 * each: the batches are products of many tokens, and the processor makes them
 * one by one.  Only such batches may have
 *     - a bias (n) for each outer batch, step_bias apart, and relu;
 *     - a C of steps 0, with `add`: the batches are added to it in order, or in
 *       a tree;
 *     - lengths: inner batch i has length[i] in place of m, n or k (`limits`:
 *       'm', 'n' or 'k', which is the largest of them).  Where that is 0
 *       nothing is added; C is set to 0 where k is 0 and it is not added to.
 *       What lies beyond m or n of a batch's C is left as it was, and what lies
 *       beyond k of its A and B is not read: it may be NaN. */
struct gemm {
    int    m, n, k, ta, tb, lda, ldb, ldc;
    int    outer, inner;               /* 0 means 1 */
    size_t step_a[2], step_b[2], step_c[2];
    int    add, relu;
    real   alpha;                      /* 0 means 1 */
    const uint16_t *low_a, *low_b;     /* A and B as `lower` gave them, if
                                          at hand; no part of the shape     */
    int    each;
    size_t step_bias;
    const int *length;                 /* (inner) or NULL */
    char   limits;
};

int gemm_same(const struct gemm *a, const struct gemm *b);

/* The shape of inner batch i as a product of its own. */
struct gemm gemm_batch(const struct gemm *s, int i);

/* Multiplications and additions of all batches, with their lengths. */
double gemm_flops(const struct gemm *s);

/* Values from the first to the last of each operand, gaps included. */
struct gemm_spans { size_t a, b, c; };
struct gemm_spans gemm_spans(const struct gemm *s);

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

/* Without padding and dropout, shared scores give weights that all sentences
 * share: p is (h,1,n,m), computed once. */
static inline int attend_once(const struct attend *a)
{
    return a->shared && !a->length && !a->kept;
}

/* Visible keys are a prefix: how long it is for row i of sentence b. */
static inline int attend_visible(const struct attend *a, int b, int i)
{
    int end = a->length ? a->length[b] : a->m;

    if (a->causal && end > a->from + i + 1)
        end = a->from + i + 1;
    return end < a->m ? end : a->m;
}

/* Sentences of one head whose weights are worked on at once: a kernel's `work`
 * is twice as many (n,m). */
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

/* The logits of one class of a row: its number, their value, and the log of the
 * sum of e^x over all classes of the row. */
struct best { double mass; real x; int id; };

/* Y = sum_p w_p X_p + P.  Y is (h,b,len).  Part p, of[p], is (h_p,b_p,len) and
 * begins at head first_p of Y; b_p is b, or 1 if all b are the same.  of[parts]
 * is P, which has h heads and weight 1, or 0 heads if there is no P.  With
 * MIX_HEADS the parts have different heads, else each of them has h. */
enum { MIX_PARTS_MOST = 4 };
struct mix_part { int h, b, first; };
struct mix_sum {
    int    parts, h, b;
    size_t len;
    struct mix_part of[MIX_PARTS_MOST + 1];
};

/* Tokens of a rectangle (b,n,..) without its padding: (1,rows,..), the first
 * length[s] of each sentence in order, then rows without a token. */
struct packing { int b, n, rows; const int *length; /* (b) */ };

/* (outer,rows,cols) values, of which rows and outer parts have these distances
 * in both arrays; a distance of 0 in `from` repeats it. */
struct blocks { size_t outer, rows, cols, from[2], to[2]; /* [0]: outer */ };

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
    int dry;                           /* computes nothing: no value is made */
    void (*thread_begin)(void);        /* once in each thread that computes */

    size_t loss_rows;                  /* rows in a block of vocab_loss; 0: as
                                          many as fit a processor's cache  */
    size_t adam_values;                /* weights in one call of adam      */

#define BACKEND_DEVICE /* both, for a device with memory of its own */        \
    .loss_rows = 4096, .adam_values = (size_t)1 << 40

    const struct arena_memory *memory; /* what its buffers are cut from */
    void (*put)(void *buffer, const void *host, size_t bytes);
    void (*get)(void *host, const void *buffer, size_t bytes); /* or NULL: the
                                          host may read and write buffers */
    void (*copy)(void *to, const void *from, size_t bytes);
    void (*zero)(void *buffer, size_t bytes);
    void (*wait)(void);                /* until all kernels are done; NULL:
                                          they are when their calls return  */
    void (*lower)(size_t n, const real *x, uint16_t *low); /* operands as the
                                          products take them; or NULL: as they
                                          are                               */

#define KERNEL(name, class, work, ...) \
    void (*name)(ROW_PARAMETERS(__VA_ARGS__));
#include "harness/engine/op_list.h"
};

extern const struct backend backend_cpu;

/* The same with products of operands rounded to bfloat16, summed in float32;
 * attention's own small products stay in float32.  Where the processor has no
 * such products (backend_multiplies) they are those of float32, of the same
 * rounded operands: equal to rounding of the sums, and no faster. */
extern const struct backend backend_bf16;

/* Copies `bytes` of a buffer to the host, and waits for the kernels that write
 * it. */
void backend_get(const struct backend *be, void *host, const void *buffer,
                 size_t bytes);

/* n values of a buffer for the host to read: there, or as they are now in a. */
const real *backend_read(const struct backend *be, const real *buffer,
                         size_t n, struct arena *a);
const real *tensor_read(const struct backend *be, const tensor *x,
                        struct arena *a);

#define PRECISIONS(X) X(PRECISION_FP32, "fp32") X(PRECISION_BF16, "bf16")
enum precision { PRECISIONS(NAMES_VALUE) };

/* Where a cell is computed: on the processor, or on a GPU (cuda/driver.h). */
#define DEVICES(X) X(DEVICE_CPU, "cpu") X(DEVICE_CUDA, "cuda")
enum device { DEVICES(NAMES_VALUE) };

/* Opens the backend of a device and precision; its buffers belong to the
 * process that called this, so a runner leaves it to its workers.  Returns OK,
 * or ERR_USAGE with a message that says what is missing and what to do. */
int backend_of(const struct backend **out, enum device d, enum precision p);

/* Returns OK if the driver of a device can be loaded, and ERR_USAGE as
 * backend_of if not.  Touches no device, so that the process can still fork. */
int device_find(enum device d);

/* Zeros, which cost no memory until they are touched where that can be. */
void backend_clear(const struct backend *be, void *buffer, size_t bytes);

/* What makes backend_cpu's products, but for small ones: the library that is
 * loaded, "oneDNN 2.6.3", or "plain loops". */
enum { BACKEND_PRODUCTS = 48 };
const char *backend_products(char name[BACKEND_PRODUCTS]);
/* The instructions that they are made of: what oneDNN found and was allowed
 * (DNNL_MAX_CPU_ISA), "avx512_core_amx"; of plain loops "", the compiler's. */
const char *backend_instructions(void);
/* Whether the library has products of operands of this precision here, rather
 * than widening them to float32 first. */
int backend_multiplies(enum precision p);
/* Memory that a product of this shape costs from its first call on. */
size_t backend_product_bytes(const struct gemm *s, int bias, enum precision p);

/* Returns the bytes that the library of products takes for its first one. */
double backend_library_bytes(void);
/* Of a thread's two buffers in which backend_bf16 makes operands A and B anew:
 * what this shape needs at most. */
struct backend_scratch { size_t a, b; };
struct backend_scratch backend_scratch_bytes(const struct gemm *s);

/* Computes nothing and touches no data: what a step would cost is counted by
 * its tape (tape_dry).  bf16: in place of backend_bf16. */
extern const struct backend backend_dry, backend_dry_bf16;
