/*
 * Matrix products by oneDNN, which has none in double: MODE=double takes the
 * plain loops.  Creating a primitive costs 50 to 1000 us and a
 * call a quarter of one, so primitives are kept, by shape, one table a thread.
 */
#include "harness/engine/cpu/cpu.h"

#include "harness/engine/flops.h"

#ifdef REAL_DOUBLE

void cpu_gemm(const struct gemm *s, const real *a, const real *b,
              const real *bias, real *c)
{
    flops_add(s);
    cpu_gemm_plain(s, a, b, bias, c);
}

const char *backend_products(void) { return "plain loops"; }
size_t backend_product_bytes(void) { return 0; }

#else

#include "harness/base/err.h"

#include <dnnl.h>
#include <pthread.h>
#include <stdlib.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

const char *backend_products(void)
{
    return "oneDNN " TEXT(DNNL_VERSION_MAJOR) "." TEXT(DNNL_VERSION_MINOR) "."
           TEXT(DNNL_VERSION_PATCH);
}

/* Measured: 90 kB of descriptors and 20 kB of code, oneDNN 2.6. */
size_t backend_product_bytes(void) { return 110000; }

enum { SLOTS = 4096 };

struct entry {
    struct gemm      shape;
    int              bias;
    dnnl_primitive_t run;
    dnnl_memory_t    a, b, bias_mem, c;
};

static dnnl_engine_t engine;
static pthread_key_t end_of_thread; /* calls thread_close */
static _Thread_local dnnl_stream_t stream;
static _Thread_local struct entry **table;
static _Thread_local int used;

#define CALL(x)                                                               \
    do {                                                                      \
        int status_ = (int)(x);                                               \
        REQUIRE(status_ == dnnl_success, "oneDNN: status %d", status_);       \
    } while (0)

static dnnl_memory_desc_t describe(const struct gemm *s, int rows, int cols,
                                   int ld, int turned, const size_t step[2])
{
    int outer = s->outer > 1 ? s->outer : 1;
    int inner = s->inner > 1 ? s->inner : 1;
    int has_a = outer > 1, has_b = inner > 1, nd = 0;
    dnnl_dims_t dim, stride;
    dnnl_memory_desc_t md;

    if (has_a || has_b) { /* a batch of one is no batch: faster kernels */
        if (has_a) {
            dim[nd] = step[0] ? outer : 1;
            stride[nd++] = step[0] ? (dnnl_dim_t)step[0] : 1;
        }
        if (has_b) {
            dim[nd] = step[1] ? inner : 1;
            stride[nd++] = step[1] ? (dnnl_dim_t)step[1] : 1;
        }
    }
    dim[nd] = rows;
    stride[nd++] = turned ? 1 : ld;
    dim[nd] = cols;
    stride[nd++] = turned ? ld : 1;
    CALL(dnnl_memory_desc_init_by_strides(&md, nd, dim, dnnl_f32, stride));
    return md;
}

static dnnl_primitive_attr_t attributes(const struct gemm *s)
{
    dnnl_primitive_attr_t attr;
    dnnl_post_ops_t post;
    float alpha = (float)s->alpha;

    CALL(dnnl_primitive_attr_create(&attr));
    if (alpha != 0 && alpha != 1)
        CALL(dnnl_primitive_attr_set_output_scales(attr, 1, 0, &alpha));
    CALL(dnnl_post_ops_create(&post));
    if (s->add)
        CALL(dnnl_post_ops_append_sum(post, 1));
    if (s->relu)
        CALL(dnnl_post_ops_append_eltwise(post, 1, dnnl_eltwise_relu, 0, 0));
    CALL(dnnl_primitive_attr_set_post_ops(attr, post));
    CALL(dnnl_post_ops_destroy(post));
    return attr;
}

static struct entry *create(const struct gemm *s, int bias)
{
    struct entry *e = calloc(1, sizeof *e);
    dnnl_memory_desc_t a = describe(s, s->m, s->k, s->lda, s->ta, s->step_a);
    dnnl_memory_desc_t b = describe(s, s->k, s->n, s->ldb, s->tb, s->step_b);
    dnnl_memory_desc_t c = describe(s, s->m, s->n, s->ldc, 0, s->step_c), row;
    dnnl_matmul_desc_t op;
    dnnl_primitive_desc_t pd;
    dnnl_primitive_attr_t attr = attributes(s);

    REQUIRE(e, "out of memory");
    REQUIRE(!bias || (c.ndims == 2 && (s->alpha == 0 || s->alpha == 1)),
            "a bias under %d dimensions, alpha %g", c.ndims, (double)s->alpha);
    CALL(dnnl_memory_desc_init_by_strides(&row, 2, (dnnl_dims_t){1, s->n},
                                          dnnl_f32, (dnnl_dims_t){s->n, 1}));
    CALL(dnnl_matmul_desc_init(&op, &a, &b, bias ? &row : NULL, &c));
    CALL(dnnl_primitive_desc_create(&pd, &op, attr, engine, NULL));
    CALL(dnnl_primitive_create(&e->run, pd));
    CALL(dnnl_primitive_desc_destroy(pd));
    CALL(dnnl_primitive_attr_destroy(attr));
    CALL(dnnl_memory_create(&e->a, &a, engine, DNNL_MEMORY_NONE));
    CALL(dnnl_memory_create(&e->b, &b, engine, DNNL_MEMORY_NONE));
    CALL(dnnl_memory_create(&e->c, &c, engine, DNNL_MEMORY_NONE));
    CALL(dnnl_memory_create(&e->bias_mem, &row, engine, DNNL_MEMORY_NONE));
    e->shape = *s;
    e->bias = bias;
    return e;
}

static int same(const struct gemm *a, const struct gemm *b)
{
    return a->m == b->m && a->n == b->n && a->k == b->k && a->ta == b->ta &&
           a->tb == b->tb && a->lda == b->lda && a->ldb == b->ldb &&
           a->ldc == b->ldc && a->outer == b->outer && a->inner == b->inner &&
           a->step_a[0] == b->step_a[0] && a->step_a[1] == b->step_a[1] &&
           a->step_b[0] == b->step_b[0] && a->step_b[1] == b->step_b[1] &&
           a->step_c[0] == b->step_c[0] && a->step_c[1] == b->step_c[1] &&
           a->add == b->add && a->relu == b->relu && a->alpha == b->alpha;
}

static size_t slot_of(const struct gemm *s, int bias)
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
    return (h ^ h >> 12) % SLOTS;
}

/* Should ever so many shapes occur, the table starts anew. */
static void table_clear(void)
{
    for (int i = 0; i < SLOTS; i++) {
        struct entry *e = table[i];

        if (!e)
            continue;
        dnnl_primitive_destroy(e->run);
        dnnl_memory_destroy(e->a);
        dnnl_memory_destroy(e->b);
        dnnl_memory_destroy(e->c);
        dnnl_memory_destroy(e->bias_mem);
        free(e);
        table[i] = NULL;
    }
    used = 0;
}

static void thread_close(void *unused)
{
    (void)unused;
    table_clear();
    free(table);
    table = NULL;
    dnnl_stream_destroy(stream);
}

static void thread_open(void)
{
    #pragma omp critical(gemm_engine)
    if (!engine) {
        CALL(dnnl_engine_create(&engine, dnnl_cpu, 0));
        REQUIRE(!pthread_key_create(&end_of_thread, thread_close), "no key");
    }
    CALL(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags));
    table = calloc(SLOTS, sizeof *table);
    REQUIRE(table, "out of memory");
    pthread_setspecific(end_of_thread, table);
}

static struct entry *find(const struct gemm *s, int bias)
{
    size_t at = slot_of(s, bias);

    while (table[at]) {
        if (table[at]->bias == bias && same(&table[at]->shape, s))
            return table[at];
        at = (at + 1) % SLOTS;
    }
    if (used >= SLOTS / 2) {
        table_clear();
        at = slot_of(s, bias);
    }
    used++;
    return table[at] = create(s, bias);
}

void cpu_gemm(const struct gemm *s, const real *a, const real *b,
              const real *bias, real *c)
{
    flops_add(s);
    if (!table)
        thread_open();
    struct entry *e = find(s, bias != NULL);
    dnnl_exec_arg_t arg[] = {{DNNL_ARG_SRC, e->a},
                             {DNNL_ARG_WEIGHTS, e->b},
                             {DNNL_ARG_DST, e->c},
                             {DNNL_ARG_BIAS, e->bias_mem}};

    CALL(dnnl_memory_set_data_handle(e->a, (void *)a));
    CALL(dnnl_memory_set_data_handle(e->b, (void *)b));
    CALL(dnnl_memory_set_data_handle(e->c, c));
    if (bias)
        CALL(dnnl_memory_set_data_handle(e->bias_mem, (void *)bias));
    CALL(dnnl_primitive_execute(e->run, stream, bias ? 4 : 3, arg));
}

#endif
