/* A cuBLASLt in plain loops, for the simulated GPU of device.h. Matrices are
 * stored by columns. */
#include "tests/support/device.h"

#include <stdlib.h>
#include <string.h>

struct layout {
    int      type;
    int64_t  rows, cols, ld, step;
    int32_t  batches;
};

struct product { int32_t ta, tb, epilogue; const float *bias; };

enum { ALGORITHM = 7 };

static size_t asked, refused;

static int create(void **handle)
{
    *handle = &asked;
    return 0;
}

static int product_create(void **product, int compute, int scale)
{
    struct product *p = calloc(1, sizeof *p);

    REQUIRE(compute == LT_COMPUTE_FLOAT && scale == LT_FLOAT, "sums of %d",
            compute);
    p->epilogue = LT_DEFAULT_IS;
    *product = p;
    return 0;
}

static int product_set(void *product, int what, const void *value,
                       size_t bytes)
{
    struct product *p = product;
    void *at = what == LT_TRANSPOSE_A   ? (void *)&p->ta
               : what == LT_TRANSPOSE_B ? (void *)&p->tb
               : what == LT_EPILOGUE    ? (void *)&p->epilogue
               : what == LT_BIAS        ? (void *)&p->bias
                                        : NULL;

    REQUIRE(at && bytes == (what == LT_BIAS ? sizeof(void *) : 4),
            "attribute %d of %zu bytes", what, bytes);
    memcpy(at, value, bytes);
    return 0;
}

static int layout_create(void **layout, int type, uint64_t rows, uint64_t cols,
                         int64_t ld)
{
    struct layout *l = calloc(1, sizeof *l);

    REQUIRE(ld >= (int64_t)rows, "ld %lld of %llu rows", (long long)ld,
            (unsigned long long)rows);
    *l = (struct layout){type, (int64_t)rows, (int64_t)cols, ld, 0, 1};
    *layout = l;
    return 0;
}

static int layout_set(void *layout, int what, const void *value, size_t bytes)
{
    struct layout *l = layout;

    REQUIRE(what == LT_BATCHES ? bytes == 4 : what == LT_BATCH_STEP &&
            bytes == 8, "attribute %d of %zu bytes", what, bytes);
    memcpy(what == LT_BATCHES ? (void *)&l->batches : (void *)&l->step, value,
           bytes);
    return 0;
}

static int drop(void *p)
{
    free(p);
    return 0;
}

static int preference_create(void **p)
{
    *p = calloc(1, 1);
    return 0;
}

static int preference_set(void *p, int what, const void *value, size_t bytes)
{
    REQUIRE(p && value && (what == LT_WORKSPACE ? bytes == 8
                           : what >= LT_ALIGN_A && what < LT_ALIGN_A + 4 &&
                                 bytes == 4),
            "attribute %d of %zu bytes", what, bytes);
    return 0;
}

/* Returns a number that identifies the shape of a product. An algorithm is
 * valid for one shape only. */
static uint64_t shape_of(const struct product *p, const struct layout *a,
                         const struct layout *c)
{
    uint64_t deep = (uint64_t)(p->ta ? a->rows : a->cols);

    return (((uint64_t)c->rows * 10007 + (uint64_t)c->cols) * 10007 + deep) *
               101 + (uint64_t)(p->ta + 2 * p->tb + 4 * p->epilogue +
                                32 * (a->type == LT_FLOAT));
}

/* Finds an algorithm, unless a bfloat16 matrix has columns of odd length. */
static int heuristic(void *handle, void *product, void *a, void *b, void *c,
                     void *d, void *preference, int most,
                     struct lt_found *found, int *n)
{
    const struct layout *l = a;

    REQUIRE(handle == &asked && product && b && c == d && preference &&
                most == 1, "a heuristic of another form");
    *n = l->type == LT_FLOAT || l->ld % 2 == 0;
    refused += !*n;
    found->algorithm.data[0] = ALGORITHM;
    found->algorithm.data[1] = shape_of(product, a, c);
    return 0;
}

struct job {
    struct product p;
    struct layout  a, b, c;
    float          alpha, beta;
    const char    *x, *y;
    float         *z;
};

/* Returns element (row,col) of matrix i of the batch; if `turned` is set, of
 * its transpose. */
static float value(const struct layout *l, const char *x, int turned, int i,
                   int64_t row, int64_t col)
{
    int64_t at = i * l->step + (turned ? col + row * l->ld : row + col * l->ld);
    union { uint32_t u; float f; } low;

    if (l->type == LT_FLOAT)
        return ((const float *)x)[at];
    low.u = (uint32_t)((const uint16_t *)x)[at] << 16;
    return low.f;
}

static void run(const void *with)
{
    const struct job *j = with;
    int64_t deep = j->p.ta ? j->a.rows : j->a.cols;

    device_unlock();
    for (int i = 0; i < j->c.batches; i++)
        for (int64_t col = 0; col < j->c.cols; col++)
            for (int64_t row = 0; row < j->c.rows; row++) {
                float *to = j->z + i * j->c.step + row + col * j->c.ld, sum = 0;

                for (int64_t k = 0; k < deep; k++)
                    sum += value(&j->a, j->x, j->p.ta, i, row, k) *
                           value(&j->b, j->y, j->p.tb, i, k, col);
                sum *= j->alpha;
                if (j->beta != 0)
                    sum += j->beta * *to;
                if (j->p.epilogue & LT_BIAS_IS)
                    sum += j->p.bias[row];
                *to = j->p.epilogue & LT_RELU_IS && !(sum > 0) ? 0 : sum;
            }
}

static int multiply(void *handle, void *product, const void *alpha,
                    const void *a, void *layout_a, const void *b,
                    void *layout_b, const void *beta, const void *c,
                    void *layout_c, void *d, void *layout_d,
                    const struct lt_algorithm *algorithm, void *workspace,
                    size_t bytes, void *stream)
{
    struct job j = {*(const struct product *)product,
                    *(const struct layout *)layout_a,
                    *(const struct layout *)layout_b,
                    *(const struct layout *)layout_c,
                    *(const float *)alpha, *(const float *)beta, a, b, d};
    const struct layout *x = &j.a, *y = &j.b, *z = &j.c;

    REQUIRE(handle == &asked && c == d && layout_c == layout_d && workspace &&
                bytes && stream && algorithm->data[0] == ALGORITHM,
            "a product of another form");
    REQUIRE((j.p.ta ? x->cols : x->rows) == z->rows &&
                (j.p.tb ? y->rows : y->cols) == z->cols &&
                (j.p.ta ? x->rows : x->cols) ==
                    (j.p.tb ? y->cols : y->rows) &&
                x->batches == z->batches && y->batches == z->batches,
            "shapes that do not fit");
    REQUIRE(algorithm->data[1] == shape_of(product, x, z),
            "the algorithm of another shape");
    device_later(run, &j, sizeof j);
    asked++;
    return 0;
}

static size_t version(void) { return 130002; }

const struct lt device_lt = {
    .cublasLtCreate = create,
    .cublasLtMatmulDescCreate = product_create,
    .cublasLtMatmulDescSetAttribute = product_set,
    .cublasLtMatmulDescDestroy = drop,
    .cublasLtMatrixLayoutCreate = layout_create,
    .cublasLtMatrixLayoutSetAttribute = layout_set,
    .cublasLtMatrixLayoutDestroy = drop,
    .cublasLtMatmulPreferenceCreate = preference_create,
    .cublasLtMatmulPreferenceSetAttribute = preference_set,
    .cublasLtMatmulPreferenceDestroy = drop,
    .cublasLtMatmulAlgoGetHeuristic = heuristic,
    .cublasLtMatmul = multiply,
    .cublasLtGetVersion = version,
};

size_t device_lt_asked(size_t *without)
{
    *without = refused;
    return asked;
}
