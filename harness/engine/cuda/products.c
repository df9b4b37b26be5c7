/*
 * Matrix products: by cuBLASLt if it is installed, else by the card's own
 * kernels (gemm.cu).  The kernels also compute what the library lacks: batches
 * that have different lengths, and batches that are added to one C.
 *
 * The library stores matrices by columns, so it computes C^T = op(B)^T op(A)^T.
 * The first algorithm that it proposes is used, with a fixed workspace and with
 * alignments of at most ALIGNED bytes, which are the same wherever the card
 * places a buffer.  Results are therefore bit-identical for the same card and
 * version.
 */
#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/engine/cuda/launches.h"
#include "harness/engine/cuda/lt.h"
#include "harness/engine/cuda/products.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKSPACE = 32 << 20, ALIGNED = 16 /* maximum, in bytes */ };

/* A requested product, and the algorithm that the library chose for it; `found`
 * is 0 if the library has none. */
struct chosen {
    struct gemm         shape;
    int                 type, bias, align[3];
    int                 found;
    struct lt_algorithm algorithm;
};

static struct {
    struct lt      call;
    void          *handle, *workspace;
    struct chosen *of;
    int            n;
    size_t         cap;
    char           name[32];
} lt = {.name = "own kernels"};

static void must(int rc, const char *call)
{
    char code[32];

    snprintf(code, sizeof code, "status %d", rc);
    if (rc)
        card_fail(call, code, 0);
}
#define LT_MUST(name, ...) must(lt.call.name(__VA_ARGS__), #name)

static int load(struct lt *to)
{
    static const char *const file[] = {"libcublasLt.so.13", "libcublasLt.so.12",
                                       "libcublasLt.so.11"};
    void *library = NULL;
    int missing = 0;

    for (size_t i = 0; i < sizeof file / sizeof *file && !library; i++)
        library = dlopen(file[i], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return 0;
#define LT_CALL(name, parameters)                                             \
    *(void **)&to->name = dlsym(library, #name);                              \
    missing |= !to->name;
    LT_CALLS(LT_CALL)
#undef LT_CALL
    *(void **)&to->cublasLtGetVersion = dlsym(library, "cublasLtGetVersion");
    return !missing && to->cublasLtGetVersion;
}

int products_open(const struct lt *given)
{
    if (given)
        lt.call = *given;
    else if (!load(&lt.call))
        return OK;
    size_t v = lt.call.cublasLtGetVersion(); /* 120804 is 12.8.4 */
    int rc = lt.call.cublasLtCreate(&lt.handle);
    if (rc)
        return err_set(ERR_USAGE, "cuBLASLt cannot be used: cublasLtCreate: "
                       "status %d; its version must fit the driver", rc);
    lt.workspace = card_room(ROOM_LIBRARY, WORKSPACE);
    snprintf(lt.name, sizeof lt.name, "cuBLASLt %zu.%zu.%zu", v / 10000,
             v / 100 % 100, v % 100);
    return OK;
}

const char *cuda_products(void) { return lt.name; }

/* ---- the library ---- */

/* `count` products, whose operands are step[] apart. */
struct call {
    const struct gemm *s;
    int         type; /* of A and B */
    int         count;
    size_t      step[3];
    const char *a, *b;
    const real *bias;
    real       *c;
};

static size_t size_of(int type) { return type == LT_FLOAT ? 4 : 2; }

/* Returns the largest power of two up to ALIGNED that divides an address. */
static int alignment(const void *p)
{
    int by = ALIGNED;

    while ((uintptr_t)p % (uintptr_t)by)
        by /= 2;
    return by;
}

static void *layout(int type, int rows, int cols, int ld, const struct call *k,
                    size_t apart)
{
    int64_t step = (int64_t)apart;
    int32_t count = k->count;
    void *l;

    LT_MUST(cublasLtMatrixLayoutCreate, &l, type, (uint64_t)rows,
            (uint64_t)cols, ld);
    LT_MUST(cublasLtMatrixLayoutSetAttribute, l, LT_BATCHES, &count,
            sizeof count);
    LT_MUST(cublasLtMatrixLayoutSetAttribute, l, LT_BATCH_STEP, &step,
            sizeof step);
    return l;
}

static void *description(const struct call *k)
{
    int32_t left = k->s->tb, right = k->s->ta, epilogue = LT_DEFAULT_IS;
    void *d;

    if (k->bias || k->s->relu)
        epilogue = (k->bias ? LT_BIAS_IS : 0) | (k->s->relu ? LT_RELU_IS : 0);
    LT_MUST(cublasLtMatmulDescCreate, &d, LT_COMPUTE_FLOAT, LT_FLOAT);
    LT_MUST(cublasLtMatmulDescSetAttribute, d, LT_TRANSPOSE_A, &left,
            sizeof left);
    LT_MUST(cublasLtMatmulDescSetAttribute, d, LT_TRANSPOSE_B, &right,
            sizeof right);
    LT_MUST(cublasLtMatmulDescSetAttribute, d, LT_EPILOGUE, &epilogue,
            sizeof epilogue);
    if (k->bias)
        LT_MUST(cublasLtMatmulDescSetAttribute, d, LT_BIAS, &k->bias,
                sizeof k->bias);
    return d;
}

static int is_of(const struct chosen *x, const struct chosen *y)
{
    return gemm_same(&x->shape, &y->shape) && x->type == y->type &&
           x->bias == y->bias &&
           !memcmp(x->align, y->align, sizeof x->align);
}

/* Sets the algorithm of x to the first that the library proposes.  `layouts`
 * are those of op(B), op(A) and C. */
static void choose(struct chosen *x, void *product, void *const layouts[3])
{
    uint64_t bytes = WORKSPACE;
    uint32_t align[] = {(uint32_t)x->align[1], (uint32_t)x->align[0],
                        (uint32_t)x->align[2], (uint32_t)x->align[2]};
    struct lt_found found = {.state = 0};
    void *wish;
    int n = 0;

    LT_MUST(cublasLtMatmulPreferenceCreate, &wish);
    LT_MUST(cublasLtMatmulPreferenceSetAttribute, wish, LT_WORKSPACE, &bytes,
            sizeof bytes);
    for (int i = 0; i < 4; i++)
        LT_MUST(cublasLtMatmulPreferenceSetAttribute, wish, LT_ALIGN_A + i,
                &align[i], sizeof align[i]);
    int rc = lt.call.cublasLtMatmulAlgoGetHeuristic(
        lt.handle, product, layouts[0], layouts[1], layouts[2], layouts[2],
        wish, 1, &found, &n);
    LT_MUST(cublasLtMatmulPreferenceDestroy, wish);
    x->found = !rc && n == 1 && !found.state;
    x->algorithm = found.algorithm;
}

static const struct chosen *choice(const struct call *k, void *product,
                                   void *const layouts[3])
{
    struct chosen x = {.shape = *k->s, .type = k->type,
                       .bias = k->bias != NULL,
                       .align = {alignment(k->a), alignment(k->b),
                                 alignment(k->c)}};

    for (int i = 0; i < lt.n; i++)
        if (is_of(&lt.of[i], &x))
            return &lt.of[i];
    choose(&x, product, layouts);
    ARRAY_ROOM(lt.of, lt.n, lt.cap);
    lt.of[lt.n] = x;
    return &lt.of[lt.n++];
}

/* Computes the products of k, or returns 0 if the library cannot. */
static int ask(const struct call *k)
{
    const struct gemm *s = k->s;
    float alpha = s->alpha == 0 ? 1 : (float)s->alpha, beta = s->add ? 1 : 0;
    void *product = description(k);
    void *l[] = {layout(k->type, s->tb ? s->k : s->n, s->tb ? s->n : s->k,
                        s->ldb, k, k->step[1]),
                 layout(k->type, s->ta ? s->m : s->k, s->ta ? s->k : s->m,
                        s->lda, k, k->step[0]),
                 layout(LT_FLOAT, s->n, s->m, s->ldc, k, k->step[2])};
    const struct chosen *x = choice(k, product, l);

    if (x->found)
        LT_MUST(cublasLtMatmul, lt.handle, product, &alpha, k->b, l[0], k->a,
                l[1], &beta, k->c, l[2], k->c, l[2], &x->algorithm,
                lt.workspace, WORKSPACE, card.stream);
    for (int i = 0; i < 3; i++)
        LT_MUST(cublasLtMatrixLayoutDestroy, l[i]);
    LT_MUST(cublasLtMatmulDescDestroy, product);
    return x->found;
}

static int several(int n) { return n ? n : 1; }

/* Makes one call for each index of the shorter batch dimension; each call
 * computes all batches of the longer one.  With a bias, each outer batch has
 * its own call and its own bias.  Returns 0 if the library cannot compute s. */
static int by_library(const struct gemm *s, int type, const void *a,
                      const void *b, const real *bias, real *c)
{
    int n[] = {several(s->outer), several(s->inner)};
    int whole = !bias && n[0] > n[1] ? 0 : 1, calls = n[!whole];
    int folds = (n[0] > 1 && !s->step_c[0]) || (n[1] > 1 && !s->step_c[1]);

    if (!lt.handle || s->length || folds)
        return 0;
    for (int i = 0; i < calls; i++) {
        size_t o = (size_t)i;
        struct call k = {
            s, type, n[whole],
            {s->step_a[whole], s->step_b[whole], s->step_c[whole]},
            (const char *)a + o * s->step_a[!whole] * size_of(type),
            (const char *)b + o * s->step_b[!whole] * size_of(type),
            bias ? bias + o * s->step_bias : NULL, c + o * s->step_c[!whole]};

        if (!ask(&k)) {
            REQUIRE(i == 0, "batch %d has another algorithm", i);
            return 0;
        }
    }
    return 1;
}

/* ---- the card's own kernels ---- */

/* Fills *to and returns the number of blocks of the product. */
static size_t product_of(struct cuda_product *to, const struct gemm *s)
{
    int outer = several(s->outer), inner = several(s->inner);
    size_t tiles = parts((size_t)s->m, TILE) * parts((size_t)s->n, TILE);

    *to = (struct cuda_product){
        .m = s->m, .n = s->n, .k = s->k, .ta = s->ta, .tb = s->tb,
        .lda = s->lda, .ldb = s->ldb, .ldc = s->ldc, .outer = outer,
        .inner = inner,
        .fold = {outer > 1 && !s->step_c[0], inner > 1 && !s->step_c[1]},
        .step_bias = s->step_bias, .add = s->add, .relu = s->relu,
        .alpha = s->alpha == 0 ? 1 : s->alpha,
        .length = card_ints((size_t)inner, s->length), .limits = s->limits};
    memcpy(to->step_a, s->step_a, sizeof to->step_a);
    memcpy(to->step_b, s->step_b, sizeof to->step_b);
    memcpy(to->step_c, s->step_c, sizeof to->step_c);
    return tiles * (size_t)(to->fold[0] ? 1 : outer) *
           (size_t)(to->fold[1] ? 1 : inner);
}

void card_gemm(const struct gemm *s, const real *a, const real *b,
               const real *bias, real *c)
{
    struct cuda_product p;

    if (by_library(s, LT_FLOAT, a, b, bias, c))
        return;
    size_t blocks = product_of(&p, s);
    launch_product(blocks, p, a, b, bias, c);
}

void card_lower(size_t n, const real *x, uint16_t *low)
{
    launch_lower(values(n), n, x, low);
}

/* Returns the n values of an operand, gaps included, as bfloat16: `low` unless
 * it is NULL, else x converted in work buffer r. */
static const uint16_t *lowered(size_t n, const real *x, const uint16_t *low,
                               enum card_room r)
{
    uint16_t *to;

    if (low)
        return low;
    to = card_room(r, n * sizeof *to);
    card_lower(n, x, to);
    return to;
}

void card_gemm_bf16(const struct gemm *s, const real *a, const real *b,
                    const real *bias, real *c)
{
    struct gemm_spans n = gemm_spans(s);
    const uint16_t *low_a = lowered(n.a, a, s->low_a, ROOM_LEFT);
    const uint16_t *low_b = lowered(n.b, b, s->low_b, ROOM_RIGHT);
    struct cuda_product p;

    if (by_library(s, LT_BFLOAT16, low_a, low_b, bias, c))
        return;
    size_t blocks = product_of(&p, s);
    launch_product_low(blocks, p, low_a, low_b, bias, c);
}
