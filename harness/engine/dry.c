/*
 * The backend that computes nothing (backend.h).  Its kernels ignore what they
 * are given, so that -Wunused-parameter has nothing to say about them here.
 */
#include "harness/engine/flops.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

static void copy(void *d, const void *s, size_t n) {}
static void zero(void *p, size_t n) {}
static void thread_begin(void) {}

enum { SHAPES = 1024 };
static _Thread_local struct gemm shape[SHAPES];
static _Thread_local int shapes;

static int same(const struct gemm *a, const struct gemm *b)
{
    return a->m == b->m && a->n == b->n && a->k == b->k && a->ta == b->ta &&
           a->tb == b->tb && a->lda == b->lda && a->ldb == b->ldb &&
           a->outer == b->outer && a->inner == b->inner && a->add == b->add &&
           a->relu == b->relu;
}

static void count(const struct gemm *s)
{
    int i = 0;

    flops_add(s);
    while (i < shapes && !same(&shape[i], s))
        i++;
    if (i == shapes && shapes < SHAPES)
        shape[shapes++] = *s;
}

int backend_dry_products(void)
{
    int n = shapes;

    shapes = 0;
    return n;
}

static void gemm(const struct gemm *s, const real *a, const real *b,
                 const real *bias, real *c)
{
    count(s);
}

static void axpy(size_t n, real a, const real *x, real *y) {}
static double dot(size_t n, const real *x, const real *y) { return 0; }
static void column_sums(size_t rows, int n, const real *x, real *sum) {}
static void relu_back(size_t n, const real *y, real *gy) {}
static void norm(size_t rows, int d, double eps, const real *x,
                 const real *gain, const real *bias, real *y, real *stat) {}
static void norm_back(size_t rows, int d, const real *x, const real *gain,
                      const real *stat, const real *gy, real *gx, real *ggain,
                      real *gbias) {}
static void embed(size_t rows, int n, int d, int from, const int *id,
                  const real *table, const real *wave, real scale, real *y) {}
static void embed_back(size_t rows, int n, int d, int from, const int *id,
                       real scale, const real *gy, real *gtable, real *gwave)
{
}
static void drop_draw(size_t n, struct rng_key key, uint64_t first, real keep,
                      unsigned char *kept) {}
static void drop_add(size_t n, real keep, const unsigned char *kept,
                     const real *x, const real *z, real *y) {}
static void drop_back(size_t n, real keep, const unsigned char *kept,
                      const real *gy, real *gz) {}

/* The products that attention of each (head, sentence) makes. */
static void count_attend(const struct attend *a, int products)
{
    struct gemm s = {.m = a->n, .n = a->k, .k = a->m, .outer = a->h,
                     .inner = a->b};

    for (int i = 0; i < products; i++) {
        s.ta = i; /* the backward products are turned */
        count(&s);
    }
}

static void attend(const struct attend *a, const real *scores, const real *v,
                   real *work, real *p, real *y)
{
    count_attend(a, 1);
}

static void attend_back(const struct attend *a, const real *p, const real *v,
                        const real *gy, real *work, real *gscores, real *gv)
{
    count_attend(a, (gscores != NULL) + (gv != NULL));
}

static void pair(size_t rows, int a, int c, int m, const real *fa,
                 const real *fc, real *out) {}
static void pair_back(size_t rows, int a, int c, int m, const real *fa,
                      const real *fc, const real *gout, real *ga, real *gc) {}
static void columns(int r, int h, int N, int n, int m, const real *r1,
                    const real *r2, real *y) {}
static void columns_back(int r, int h, int N, int n, int m, const real *r1,
                         const real *r2, const real *gy, real *gr1, real *gr2)
{
}
static void diagonals(int n, int m, int h, const int *row, const real *table,
                      real *y) {}
static void diagonals_back(int n, int m, int h, const int *row, const real *gy,
                           real *gtable) {}
static void glu(int b, int n, int d, const int *length, const real *x, real *y)
{
}
static void glu_back(int b, int n, int d, const int *length, const real *x,
                     const real *gy, real *gx) {}
static void softmax(size_t rows, int k, const real *x, real *y) {}
static void softmax_back(size_t rows, int k, const real *y, const real *gy,
                         real *gx) {}

static void conv(const struct conv *s, const real *u, const real *w,
                 const real *bias, real *y)
{
    flops_conv(s);
}

static void conv_back(const struct conv *s, const real *u, const real *w,
                      const real *gy, real *gu, real *gw)
{
    flops_conv(s); /* by u */
    flops_conv(s); /* by w */
}

static void mean(int b, int n, int d, const int *length, const real *x,
                 real *y) {}
static void mean_back(int b, int n, int d, const int *length, const real *gy,
                      real *gx) {}
static double cross_entropy(const struct cross_entropy *s, real *logits,
                            int gradient, double *nll, unsigned char *hit)
{
    return 0;
}

static void adam(size_t n, const struct adam *s, const real *g, real *p,
                 real *m, real *v) {}
static void adafactor(const struct adafactor *s, const real *g, real *p,
                      real *v) {}

const struct backend backend_dry = {
    .name = "dry",
    .put = copy,
    .get = copy,
    .zero = zero,
    .thread_begin = thread_begin,
    .gemm = gemm,
    .axpy = axpy,
    .dot = dot,
    .column_sums = column_sums,
    .relu_back = relu_back,
    .norm = norm,
    .norm_back = norm_back,
    .embed = embed,
    .embed_back = embed_back,
    .drop_draw = drop_draw,
    .drop_add = drop_add,
    .drop_back = drop_back,
    .attend = attend,
    .attend_back = attend_back,
    .pair = pair,
    .pair_back = pair_back,
    .columns = columns,
    .columns_back = columns_back,
    .diagonals = diagonals,
    .diagonals_back = diagonals_back,
    .glu = glu,
    .glu_back = glu_back,
    .softmax = softmax,
    .softmax_back = softmax_back,
    .conv = conv,
    .conv_back = conv_back,
    .mean = mean,
    .mean_back = mean_back,
    .cross_entropy = cross_entropy,
    .adam = adam,
    .adafactor = adafactor,
};
