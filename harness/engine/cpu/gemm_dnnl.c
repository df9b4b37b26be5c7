/*
 * Matrix products by oneDNN.  oneDNN has no products in double, and its sums
 * depend on the processor, so MODE=double and MODE=golden use plain loops.
 * Creating a primitive takes 50 to 1000 us, much longer than a call, so
 * primitives are cached by shape, in one table per thread.  With AVX-512 small
 * products go to gemm_small.c.
 */
#include "harness/engine/cpu/cpu.h"

#include "harness/base/err.h"

#include <stdlib.h>

#ifdef PLAIN_PRODUCTS

void cpu_gemm(const struct gemm *s, const real *a, const real *b,
              const real *bias, real *c)
{
    cpu_gemm_plain(s, a, b, bias, c);
}

/* Returns n values of x, rounded to bfloat16, which the caller frees.  `low`
 * holds them if they have already been rounded; otherwise it is NULL. */
static real *rounded(size_t n, const real *x, const uint16_t *low)
{
    real *y = malloc(n * sizeof *y);

    if (low)
        cpu_widen(n, low, y);
    else
        cpu_round(n, x, y);
    return y;
}

void cpu_gemm_bf16(const struct gemm *s, const real *a, const real *b,
                   const real *bias, real *c)
{
    struct gemm_spans n = gemm_spans(s);
    OWNED(free) real *a_rounded = rounded(n.a, a, s->low_a);
    OWNED(free) real *b_rounded = rounded(n.b, b, s->low_b);

    cpu_gemm_plain(s, a_rounded, b_rounded, bias, c);
}

const char *backend_products(char name[BACKEND_PRODUCTS])
{
    return strcpy(name, "plain loops");
}

const char *backend_instructions(void) { return ""; }
int backend_multiplies(enum precision p) { return p == PRECISION_FP32; }
double backend_library_bytes(void) { return 0; }
size_t backend_product_bytes(const struct gemm *s, int bias, enum precision p)
{
    (void)s, (void)bias, (void)p;
    return 0;
}

struct backend_scratch backend_scratch_bytes(const struct gemm *s)
{
    (void)s;
    return (struct backend_scratch){0, 0}; /* plain loops keep no buffers */
}

#else

#include "harness/engine/cpu/onednn.h"

#include <pthread.h>
#include <stdio.h>

const char *backend_products(char name[BACKEND_PRODUCTS])
{
    const dnnl_version_t *v = dnnl_version();

    snprintf(name, BACKEND_PRODUCTS, "oneDNN %d.%d.%d", v->major, v->minor,
             v->patch);
    return name;
}

const char *backend_instructions(void)
{
    static const char front[] = "cpu_isa_";
    const char *name = dnnl_cpu_isa2str(dnnl_get_effective_cpu_isa());

    return strncmp(name, front, sizeof front - 1) ? name
                                                  : name + sizeof front - 1;
}

/* oneDNN's bfloat16 kernels require AVX-512 (without avx512_bf16 they compute
 * in fp32); on other processors the library returns "unimplemented". */
int backend_multiplies(enum precision p)
{
    int isa = (int)dnnl_get_effective_cpu_isa();

    return p == PRECISION_FP32 ||
           (isa & (int)dnnl_cpu_isa_avx512_core) ==
               (int)dnnl_cpu_isa_avx512_core;
}

enum { CACHED = 1 << 18 }; /* values of B that fit into the cache: one
                              megabyte */

/* Returns true if sgemm is faster than a primitive within a step: for gradients
 * of weights, A^T B, and for products by a matrix larger than the cache.  sgemm
 * saves 5 to 33 % of the time, and the memory of a primitive.  No other shape
 * gains. */
static int by_sgemm(const struct gemm *s, int bias)
{
    int large = (size_t)s->k * (size_t)s->n >= CACHED;

    return (s->ta || large) && !s->tb && !s->relu && !(s->add && bias) &&
           s->outer <= 1 && s->inner <= 1;
}

double backend_library_bytes(void) { return ONEDNN_FIRST_BYTES; }

/* Returns the bytes that oneDNN keeps for a product.  Without AVX-512, oneDNN
 * 2.6 was measured to keep 41 kB, or 15 kB for a batched product. */
size_t backend_product_bytes(const struct gemm *s, int bias, enum precision p)
{
    int wide = backend_multiplies(PRECISION_BF16);
    int fp32 = p == PRECISION_FP32 || !wide;
    int batched = s->outer > 1 || s->inner > 1;

    if (fp32 && (cpu_gemm_is_small(s, bias) || by_sgemm(s, bias)))
        return 0;
    return wide ? ONEDNN_WIDE_BYTES : batched ? 18000 : 45000;
}

/* If oneDNN multiplies bfloat16, only operands that have not been rounded yet
 * take memory: A, and B if A is transposed (otherwise B holds weights, which
 * have been rounded).  If oneDNN does not multiply bfloat16, both operands take
 * memory, as floats. */
struct backend_scratch backend_scratch_bytes(const struct gemm *s)
{
    struct gemm_spans n = gemm_spans(s);

    return backend_multiplies(PRECISION_BF16)
               ? (struct backend_scratch){n.a * sizeof(uint16_t),
                                          s->ta ? n.b * sizeof(uint16_t) : 0}
               : (struct backend_scratch){n.a * sizeof(real),
                                          n.b * sizeof(real)};
}

enum { SLOTS = 4096 };

struct entry {
    struct gemm      shape;
    int              bias, low; /* bias: with a bias; low: a and b are
                                   bfloat16 */
    dnnl_primitive_t run;
    dnnl_memory_t    a, b, bias_mem, c;
};

static struct {
    dnnl_engine_t engine;
    pthread_key_t end_of_thread; /* calls thread_close */
} all;

static _Thread_local struct {
    dnnl_stream_t  stream;
    struct entry **table;
    int            used;
    struct { void *x; size_t bytes; } scratch[2]; /* converted operands */
} own;

#define CALL(x)                                                               \
    do {                                                                      \
        int status_ = (int)(x);                                               \
        REQUIRE(status_ == dnnl_success, "oneDNN: status %d", status_);       \
    } while (0)

static onednn_layout describe(const struct gemm *s, int rows, int cols, int ld,
                              int turned, const size_t step[2], int low)
{
    const int count[2] = {s->outer, s->inner};
    int nd = 0;
    dnnl_dims_t dim, stride;
    onednn_layout l;

    for (int i = 0; i < 2; i++) /* without dimensions of 1, oneDNN's kernels
                                   are faster */
        if (count[i] > 1) {
            dim[nd] = step[i] ? count[i] : 1;
            stride[nd++] = step[i] ? (dnnl_dim_t)step[i] : 1;
        }
    dim[nd] = rows;
    stride[nd++] = turned ? 1 : ld;
    dim[nd] = cols;
    stride[nd++] = turned ? ld : 1;
    CALL(onednn_layout_init(&l, nd, dim, low ? dnnl_bf16 : dnnl_f32, stride));
    return l;
}

static dnnl_primitive_attr_t attributes(const struct gemm *s)
{
    dnnl_primitive_attr_t attr;
    dnnl_post_ops_t post;
    float alpha = (float)s->alpha;

    CALL(dnnl_primitive_attr_create(&attr));
    CALL(dnnl_post_ops_create(&post));
    if (alpha != 0 && alpha != 1)
        CALL(onednn_scale(attr, post, alpha));
    if (s->add)
        CALL(onednn_add(post));
    if (s->relu)
        CALL(onednn_relu(post));
    CALL(dnnl_primitive_attr_set_post_ops(attr, post));
    CALL(dnnl_post_ops_destroy(post));
    return attr;
}

static struct entry *create(const struct gemm *s, int bias, int low)
{
    struct entry *e = calloc(1, sizeof *e);
    onednn_layout a = describe(s, s->m, s->k, s->lda, s->ta, s->step_a, low);
    onednn_layout b = describe(s, s->k, s->n, s->ldb, s->tb, s->step_b, low);
    onednn_layout c = describe(s, s->m, s->n, s->ldc, 0, s->step_c, 0);
    onednn_layout row;
    dnnl_primitive_attr_t attr = attributes(s);

    REQUIRE(!bias || (s->outer <= 1 && s->inner <= 1 &&
                      (s->alpha == 0 || s->alpha == 1)),
            "bias with a batch of %d by %d, alpha %g", s->outer, s->inner,
            (double)s->alpha);
    CALL(onednn_layout_init(&row, 2, (dnnl_dims_t){1, s->n}, dnnl_f32,
                            (dnnl_dims_t){s->n, 1}));
    CALL(onednn_matmul(&e->run, all.engine, &a, &b, bias ? &row : NULL, &c,
                       attr));
    CALL(dnnl_primitive_attr_destroy(attr));
    CALL(onednn_memory(&e->a, &a, all.engine));
    CALL(onednn_memory(&e->b, &b, all.engine));
    CALL(onednn_memory(&e->c, &c, all.engine));
    CALL(onednn_memory(&e->bias_mem, &row, all.engine));
    onednn_layout_free(&a);
    onednn_layout_free(&b);
    onednn_layout_free(&c);
    onednn_layout_free(&row);
    e->shape = *s;
    e->bias = bias;
    e->low = low;
    return e;
}

static size_t slot_of(const struct gemm *s, int bias, int low)
{
    size_t h = (size_t)s->m;

    h = h * 31 + (size_t)s->n;
    h = h * 31 + (size_t)s->k;
    h = h * 31 + (size_t)s->lda;
    h = h * 31 + (size_t)s->ldc;
    h = h * 31 + (size_t)s->inner;
    h = h * 2 + (size_t)s->ta;
    h = h * 2 + (size_t)s->tb;
    h = h * 2 + (size_t)s->add;
    h = h * 2 + (size_t)s->relu;
    h = h * 2 + (size_t)bias;
    h = h * 2 + (size_t)low;
    return (h ^ h >> 12) % SLOTS;
}

/* Empties the table of primitives, because it is full or the thread ends. */
static void table_clear(void)
{
    for (int i = 0; i < SLOTS; i++) {
        struct entry *e = own.table[i];

        if (!e)
            continue;
        dnnl_primitive_destroy(e->run);
        dnnl_memory_destroy(e->a);
        dnnl_memory_destroy(e->b);
        dnnl_memory_destroy(e->c);
        dnnl_memory_destroy(e->bias_mem);
        free(e);
        own.table[i] = NULL;
    }
    own.used = 0;
}

static void thread_close(void *unused)
{
    (void)unused;
    table_clear();
    free(own.table);
    own.table = NULL;
    for (int i = 0; i < 2; i++) {
        free(own.scratch[i].x);
        own.scratch[i].x = NULL;
        own.scratch[i].bytes = 0;
    }
    dnnl_stream_destroy(own.stream);
}

static void thread_open(void)
{
    #pragma omp critical(gemm_engine)
    if (!all.engine) {
        CALL(dnnl_engine_create(&all.engine, dnnl_cpu, 0));
        REQUIRE(!pthread_key_create(&all.end_of_thread, thread_close),
                "no key");
    }
    CALL(dnnl_stream_create(&own.stream, all.engine,
                            dnnl_stream_default_flags));
    own.table = calloc(SLOTS, sizeof *own.table);
    pthread_setspecific(all.end_of_thread, own.table);
}

static struct entry *find(const struct gemm *s, int bias, int low)
{
    size_t at = slot_of(s, bias, low);

    while (own.table[at]) {
        if (own.table[at]->bias == bias && own.table[at]->low == low &&
            gemm_same(&own.table[at]->shape, s))
            return own.table[at];
        at = (at + 1) % SLOTS;
    }
    if (own.used >= SLOTS / 2) {
        table_clear();
        at = slot_of(s, bias, low);
    }
    own.used++;
    return own.table[at] = create(s, bias, low);
}

static void run_product(const struct gemm *s, const void *a, const void *b,
                        const real *bias, real *c, int low)
{
    struct entry *e = find(s, bias != NULL, low);
    dnnl_exec_arg_t arg[] = {{DNNL_ARG_SRC, e->a},
                             {DNNL_ARG_WEIGHTS, e->b},
                             {DNNL_ARG_DST, e->c},
                             {DNNL_ARG_BIAS, e->bias_mem}};

    CALL(dnnl_memory_set_data_handle(e->a, (void *)a));
    CALL(dnnl_memory_set_data_handle(e->b, (void *)b));
    CALL(dnnl_memory_set_data_handle(e->c, c));
    if (bias)
        CALL(dnnl_memory_set_data_handle(e->bias_mem, (void *)bias));
    CALL(dnnl_primitive_execute(e->run, own.stream, bias ? 4 : 3, arg));
}

/* Returns true if the library must not be used: oneDNN 3 treats a column of C,
 * and a transposed row of A, as contiguous whatever their strides are. */
static int has_strided_vector(const struct gemm *s)
{
    return ONEDNN_CONTIGUOUS_VECTORS &&
           ((s->n == 1 && s->ldc > 1) || (s->m == 1 && s->ta && s->lda > 1));
}

/* Calls run_product once or, if the library supports only one batch dimension,
 * once for each index of the shorter batch dimension. */
static void run_batch(const struct gemm *s, const void *a, const void *b,
                      const real *bias, real *c, int low)
{
    size_t bytes = low ? sizeof(uint16_t) : sizeof(real);
    int at = s->outer > s->inner, count = at ? s->inner : s->outer;
    struct gemm one = *s;

    if (!ONEDNN_ONE_BATCH_DIMENSION || count <= 1) {
        run_product(s, a, b, bias, c, low);
        return;
    }
    *(at ? &one.inner : &one.outer) = 1;
    for (size_t i = 0; i < (size_t)count; i++)
        run_product(&one, (const char *)a + i * s->step_a[at] * bytes,
                    (const char *)b + i * s->step_b[at] * bytes, bias,
                    c + i * s->step_c[at], low);
}

/* Computes C = A B + bias: copies the bias to C, then adds the product. */
static void sgemm(const struct gemm *s, const real *a, const real *b,
                  const real *bias, real *c)
{
    for (int i = 0; bias && i < s->m; i++)
        memcpy(c + (size_t)i * (size_t)s->ldc, bias,
               (size_t)s->n * sizeof *c);
    CALL(dnnl_sgemm(s->ta ? 'T' : 'N', 'N', s->m, s->n, s->k,
                    s->alpha == 0 ? 1 : s->alpha, a, s->lda, b, s->ldb,
                    s->add || bias, c, s->ldc));
}

void cpu_gemm_library(const struct gemm *s, const real *a, const real *b,
                      const real *bias, real *c)
{
    if (by_sgemm(s, bias != NULL)) {
        sgemm(s, a, b, bias, c);
        return;
    }
    if (has_strided_vector(s)) {
        cpu_gemm_plain(s, a, b, bias, c);
        return;
    }
    if (!own.table)
        thread_open();
    run_batch(s, a, b, bias, c, 0);
}

void cpu_gemm(const struct gemm *s, const real *a, const real *b,
              const real *bias, real *c)
{
    if (s->each)
        cpu_gemm_each(cpu_gemm, s, a, b, bias, c);
    else if (cpu_gemm_is_small(s, bias != NULL))
        cpu_gemm_small(s, a, b, c);
    else
        cpu_gemm_library(s, a, b, bias, c);
}

static void *scratch(int i, size_t bytes)
{
    if (own.scratch[i].bytes < bytes) {
        free(own.scratch[i].x);
        own.scratch[i].x = malloc(bytes);
        own.scratch[i].bytes = bytes;
    }
    return own.scratch[i].x;
}

/* Returns n values of x, rounded to bfloat16, in this thread's scratch buffer
 * i. */
static const uint16_t *lowered(int i, size_t n, const real *x)
{
    uint16_t *low = scratch(i, n * sizeof *low);

    cpu_lower(n, x, low);
    return low;
}

/* Returns n values of x, rounded to bfloat16 but stored as floats, in this
 * thread's scratch buffer i.  If the values have already been rounded, `low`
 * holds them; otherwise it is NULL. */
static const real *rounded(int i, size_t n, const real *x, const uint16_t *low)
{
    real *y = scratch(i, n * sizeof *y);

    if (low)
        cpu_widen(n, low, y);
    else
        cpu_round(n, x, y);
    return y;
}

void cpu_gemm_bf16(const struct gemm *s, const real *a, const real *b,
                   const real *bias, real *c)
{
    struct gemm_spans n = gemm_spans(s);

    if (s->each) {
        cpu_gemm_each(cpu_gemm_bf16, s, a, b, bias, c);
        return;
    }
    if (!own.table)
        thread_open();
    if (backend_multiplies(PRECISION_BF16) && !has_strided_vector(s))
        run_batch(s, s->low_a ? s->low_a : lowered(0, n.a, a),
                  s->low_b ? s->low_b : lowered(1, n.b, b), bias, c, 1);
    else
        cpu_gemm(s, rounded(0, n.a, a, s->low_a), rounded(1, n.b, b, s->low_b),
                 bias, c);
}

#endif
