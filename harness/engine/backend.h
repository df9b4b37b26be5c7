/*
 * backend: the arithmetic, as a table of kernels (op_list.h).  The ops (ops.h)
 * handle shapes and gradients, check sizes and call the kernels; a backend
 * implements the loops.  A kernel runs in the calling thread and returns
 * bit-identical results for the same input; a row of a result never depends on
 * the other rows.
 *
 * Arrays of reals and doubles, of the bytes of dropout masks and hits, and of
 * struct best are buffers of the backend.  They come from an arena of its
 * memory.  The host moves their values only with put, get, copy, zero and
 * backend_read.  Structs of shapes and arrays of int (ids, lengths, rows,
 * targets) belong to the host and are valid only during the call; a backend
 * whose kernels run later copies them.
 *
 * A kernel may use memory of its own in addition to `work`.  A backend chooses
 * the order of summation, which must be the same in every call with the same
 * shape.  The order of backend_cpu must not change, because stored results
 * depend on it.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/names.h"
#include "harness/base/rng.h"
#include "harness/engine/row.h"
#include "harness/engine/tensor.h"

/* C = alpha op(A) op(B) [+ bias] [relu], or, if `add` is set, C += alpha op(A)
 * op(B), for each of outer x inner batches.  op(A) is A, transposed if `ta` is
 * set; op(A) is (m,k), op(B) (k,n), C (m,n).  lda, ldb and ldc are the leading
 * dimensions as stored.  step_a[0] is the distance between outer batches of A,
 * step_a[1] the distance between its inner batches; step_b and step_c are the
 * same for B and C.  If a distance is 0, all batches use the same operand (A or
 * B, not both).  A bias requires alpha 1.
 *
 * If `each` is set, every batch is a large product (over many tokens), and the
 * CPU computes the batches one by one.  Only products with `each` set may have
 *     - a bias (n) for each outer batch, at distances of step_bias, and relu;
 *     - a step_c of 0, if `add` is set: all batches are added to the same C, in
 *       order or in a tree;
 *     - lengths: in inner batch i, length[i] replaces the dimension that
 *       `limits` names ('m', 'n' or 'k'); the struct itself has the largest
 *       length there.  If length[i] is 0, nothing is added; if k is 0 and `add`
 *       is not set, C is set to 0.  Values of C beyond a batch's m or n are
 *       left unchanged.  Values of A and B beyond a batch's k are not read and
 *       may be NaN. */
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

/* Returns 1 if a and b agree in all members except low_a, low_b, step_bias,
 * `length` and `limits`, which are not compared. */
int gemm_same(const struct gemm *a, const struct gemm *b);

/* Returns the shape of inner batch i as a single product. */
struct gemm gemm_batch(const struct gemm *s, int i);

/* Returns the number of multiplications and additions in all batches.  If
 * s->length is set, each batch counts with its own length. */
double gemm_flops(const struct gemm *s);

/* Returns the number of values from the first to the last value of each
 * operand, gaps included. */
struct gemm_spans { size_t a, b, c; };
struct gemm_spans gemm_spans(const struct gemm *s);

/* Describes a call of attention: for every head and sentence, a softmax over
 * the visible keys, then the weighted sum of the values.  Key j is visible to
 * row i of sentence b if j < length[b] and, if `causal` is set, j <= `from` +
 * i.  A row without visible keys yields zeros. */
struct attend {
    int    h, b, n, m, k;              /* v (b,m,h k), y (b,n,h k) */
    int    from, causal, shared;       /* shared: scores (h,1,n,m) */
    int    linear;                     /* p = scores, 0 if not visible */
    const int *length;                 /* (b) or NULL */
    real   keep;                       /* 1 - dropout rate */
    const unsigned char *kept;         /* (h,b,n,m) 0 or 1; NULL: no dropout */
};

/* Returns true if all sentences have the same weights, because the scores are
 * shared and there is neither padding nor dropout.  The weights p are then
 * (h,1,n,m) and computed once. */
static inline int attend_once(const struct attend *a)
{
    return a->shared && !a->length && !a->kept;
}

/* Returns the number of keys that row i of sentence b sees.  The visible keys
 * are always the first ones. */
static inline int attend_visible(const struct attend *a, int b, int i)
{
    int end = a->length ? a->length[b] : a->m;

    if (a->causal && end > a->from + i + 1)
        end = a->from + i + 1;
    return end < a->m ? end : a->m;
}

/* Returns the number of sentences of one head that a kernel processes at once.
 * The buffer `work` of the kernel attend holds two (n,m) matrices for each of
 * these sentences. */
int attend_together(const struct attend *a);

/* The distances, in values, between heads, sentences, rows and columns of an
 * array.  If a distance is 0, the values are repeated. */
struct lattice { size_t head, sentence, row, col; };

/* One part of scores B (h,b,n,m), which are the sum of their parts, each times
 * w[weight] (times 1 if `weight` is -1).  The part covers the heads `first` to
 * `first` + `h` - 1 of B.  It is
 *     scale sum_c x[i,c] y[j,c],  c < width      if `width` is not 0
 *     x[i,j]                                     if `width` is 0: a table
 * for row i and key j.  gx and gy are the gradients of x and y, or NULL; at_x
 * is also the lattice of gx, and at_y that of gy.  In a product, x has values
 * of its own for each head and sentence; y may repeat its sentences, and then
 * also its heads.  In a product, low_x is NULL, or holds x as rounded by
 * `lower`, and x is then not read; low_y does the same for y.  A table has
 * values of its own for each head; if it repeats its rows, it repeats its
 * sentences, too. */
struct score_part {
    int            first, h, width, weight;
    real           scale;
    struct lattice at_x, at_y;
    const real    *x, *y;
    const uint16_t *low_x, *low_y;
    real          *gx, *gy;
};

/* Describes attention whose scores are computed while it runs, so that neither
 * scores nor weights are stored.  w (parts of a mixture) and gw, its gradient,
 * are buffers, or NULL if no part has a weight.  a.kept is not used.  If a.keep
 * is less than 1, dropout draws a mask (b,n,m) for each head h, as drop_draw
 * does for site key.site + h from counter `counter` on.  a.linear must be 0. */
enum {
    MIX_PARTS_MOST = 4, /* the maximum number of parts of a mixture */
    /* A product and a bias for each part of a mixture, and a position bias. */
    SCORE_PARTS = 2 * MIX_PARTS_MOST + 1,
    FUSED_WIDTH = 128   /* the maximum of k and of the widths of products */
};
struct fused {
    struct attend     a;
    struct rng_key    key;
    uint64_t          counter;
    int               parts;
    struct score_part part[SCORE_PARTS];
    const double     *w;
    double           *gw;
    /* NULL, or V as rounded by `lower`; the kernel's argument v is then not
     * read. */
    const uint16_t   *low_v;
};

/* Describes the convolution, with taps j = 0 .. k - 1,
 *     y[i,c] = bias[c] + sum_j w[c heads div d, j] u[from + i + first + j, c]
 */
struct conv {
    int b, n, m, d, heads, k;          /* u (b,m,d), y (b,n,d)             */
    int from, first;
    int shared;                        /* w (heads,k), else (b,n,heads k)  */
};

struct cross_entropy {
    size_t     rows;
    int        v;
    const int *target;                 /* (rows) */
    double     smoothing;              /* e: the probability of the target is
                                          1 - e, of each other class e/(v-1) */
    double     scale;                  /* factor of the loss and its gradient */
};

/* One class of a row of logits: `id` is the class, `x` its logit, and `mass`
 * the log of the sum of e^x over all classes of the row. */
struct best { double mass; real x; int id; };

/* Describes the sum Y = sum_p w_p X_p + P, where Y is (h,b,len) and w_p is the
 * weight of part X_p.  X_p has of[p].h heads, which are added to the heads of Y
 * from head of[p].first on.  It has of[p].b sentences: b, or 1 if X_p is the
 * same for all sentences.  of[parts] describes P, which has weight 1: P has h
 * heads, or 0 heads if there is no P.  With MIX_HEADS (ops.h) the parts cover
 * different heads of Y; otherwise each part has all h heads. */
struct mix_part { int h, b, first; };
struct mix_sum {
    int    parts, h, b;
    size_t len;
    struct mix_part of[MIX_PARTS_MOST + 1];
};

/* Describes how the tokens of a padded array (b,n,..) are packed without
 * padding into (1,rows,..): the first length[s] positions of each sentence s,
 * in order, then rows without a token. */
struct packing { int b, n, rows; const int *length; /* (b) */ };

/* Describes a copy of (outer,rows,cols) values.  In the source array, from[0]
 * is the distance between outer parts and from[1] the distance between rows; a
 * distance of 0 repeats the values.  to[0] and to[1] are the distances in the
 * destination. */
struct blocks { size_t outer, rows, cols, from[2], to[2]; };

/* Describes a step of Adafactor for a tensor (outer,rows,cols) with strides
 * step_outer, step_row and step_col.  If `factored` is set, the optimizer keeps
 * one second moment per row and one per column, else one per value. */
struct adafactor {
    int    factored;
    size_t outer, rows, cols, step_outer, step_row, step_col;
    double decay;                      /* of the moments at this step */
    double eps1, eps2, clip, lr;
};

struct adam {
    double b1, b2, eps, lr;
    double correct1, correct2;         /* 1 - b1^t, 1 - b2^t at step t */
};

struct backend {
    const char *name;
    int dry;                           /* computes nothing, stores no values */
    int fuses;                         /* attention is fused where it can be
                                          (tape.h)                          */
    void (*thread_begin)(void);        /* called in each computing thread */

    size_t loss_rows;                  /* rows in a block of vocab_loss; 0: as
                                          many as fit into the CPU's cache */
    size_t adam_values;                /* maximum weights per adam call    */

#define BACKEND_DEVICE /* initializes loss_rows and adam_values of a GPU */ \
    .loss_rows = 4096, .adam_values = (size_t)1 << 40

    const struct arena_memory *memory; /* of the backend's buffers */
    void (*put)(void *buffer, const void *host, size_t bytes);
    /* get is NULL if the host may read and write buffers. */
    void (*get)(void *host, const void *buffer, size_t bytes);
    void (*copy)(void *to, const void *from, size_t bytes);
    void (*zero)(void *buffer, size_t bytes);
    void (*wait)(void);                /* waits for all kernels; NULL: kernels
                                          are done when their calls return  */
    /* Rounds n values to bfloat16 operands of products.  NULL if products read
     * float32 operands. */
    void (*lower)(size_t n, const real *x, uint16_t *low);

#define KERNEL(name, class, work, ...) \
    void (*name)(ROW_PARAMETERS(__VA_ARGS__));
#include "harness/engine/op_list.h"
};

extern const struct backend backend_cpu;

/* Like backend_cpu, but operands of products are rounded to bfloat16 and the
 * sums are float32.  The small products inside attention stay in float32.  If
 * the processor cannot multiply bfloat16 (backend_multiplies), float32 products
 * of the same rounded operands are used.  The results then differ only in the
 * rounding of the sums, but the products are no faster than those of
 * backend_cpu. */
extern const struct backend backend_bf16;

/* Waits for the kernels that write a buffer, then copies `bytes` of it to the
 * host. */
void backend_get(const struct backend *be, void *host, const void *buffer,
                 size_t bytes);

/* Returns n values of a buffer for the host to read: the buffer itself if the
 * host can read it, else a copy of the current values, allocated in `a`.
 * tensor_read does the same for the values of x. */
const real *backend_read(const struct backend *be, const real *buffer,
                         size_t n, struct arena *a);
const real *tensor_read(const struct backend *be, const tensor *x,
                        struct arena *a);

#define PRECISIONS(X) X(PRECISION_FP32, "fp32") X(PRECISION_BF16, "bf16")
enum precision { PRECISIONS(NAMES_VALUE) };

/* The device that computes a cell: the CPU, or a GPU (cuda/driver.h).  With
 * bfloat16 products, the device "cuda" fuses attention (form.h), and
 * "cuda-unfused" does not. */
#define DEVICES(X)                                                            \
    X(DEVICE_CPU, "cpu") X(DEVICE_CUDA, "cuda")                               \
    X(DEVICE_CUDA_UNFUSED, "cuda-unfused")
enum device { DEVICES(NAMES_VALUE) };

/* Opens the backend of a device and precision.  The backend's buffers belong to
 * the calling process, so each worker process must call it, not the process
 * that starts the workers.  Returns OK, or ERR_USAGE with a message that says
 * what is missing and what to do. */
int backend_of(const struct backend **out, enum device d, enum precision p);

/* Returns 1 if attention is fused on a device with this precision. */
int backend_fuses(enum device d, enum precision p);

/* Returns OK if the driver of a device can be loaded, or ERR_USAGE with a
 * message like that of backend_of.  Does not touch the device, so the process
 * can still fork. */
int device_find(enum device d);

/* Sets a buffer to zeros.  If the buffer is in host memory, its pages take no
 * memory until they are used. */
void backend_clear(const struct backend *be, void *buffer, size_t bytes);

/* Writes to `name` what computes the products of backend_cpu, except small
 * ones: the loaded oneDNN ("oneDNN 2.6.3") or "plain loops".  Returns
 * `name`. */
enum { BACKEND_PRODUCTS = 48 };
const char *backend_products(char name[BACKEND_PRODUCTS]);
/* Returns the instruction set of these products: the one that oneDNN detected
 * and may use (DNNL_MAX_CPU_ISA), such as "avx512_core_amx"; or "" for plain
 * loops, whose instructions the compiler chooses. */
const char *backend_instructions(void);
/* Returns true if oneDNN multiplies operands of this precision on this machine
 * without widening them to float32 first. */
int backend_multiplies(enum precision p);
/* Returns the bytes of memory that oneDNN occupies for a product of this shape,
 * from the product's first call on. */
size_t backend_product_bytes(const struct gemm *s, int bias, enum precision p);

/* Returns the bytes of memory that oneDNN occupies in addition, for all
 * products together, from its first product on. */
double backend_library_bytes(void);
/* Returns the maximum sizes in bytes, for a product of this shape, of the two
 * buffers of a thread in which backend_bf16 converts the operands A and B. */
struct backend_scratch { size_t a, b; };
struct backend_scratch backend_scratch_bytes(const struct gemm *s);

/* Backends that compute nothing and touch no data.  tape_dry uses them to count
 * the operations and bytes of a step.  backend_dry replaces backend_cpu, and
 * backend_dry_bf16 replaces backend_bf16. */
extern const struct backend backend_dry, backend_dry_bf16;
