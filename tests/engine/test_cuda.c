/* The kernels of the GPU, run on the host as a GPU would run them
 * (tests/support/device.h), are compared with those of the processor: equal up
 * to rounding, and bit-identical for any order of threads and blocks.
 *
 *     test_cuda [--card] [FILE [TESTS]]
 *
 * With --card, runs the kernels on the machine's GPU. Writes a line with the
 * SHA-256 of each array that a kernel writes to FILE: the digests of a GPU must
 * equal those of the test device. TESTS is a pattern of test names, as for
 * cmocka. */
#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/engine/cpu/cpu.h"
#include "harness/engine/cuda/products.h"
#include "tests/support/device.h"
#include "tests/support/fuse_case.h"
#include "tests/support/grid.h"
#include "tests/support/leaf.h"
#include "tests/support/op_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct rng_key key = {.seed = 5, .stream = RNG_TEST};

enum { ARRAYS = 8 };

/* A kernel that both backends have. `run` receives arrays x[i] of n[i] values
 * in the memory of backend `be`. They contain normally distributed values, or
 * squares of such values in arrays with index `positive` and above. */
typedef void run_fn(const struct backend *be, real *const x[], const void *arg);
struct kernel_case {
    const char *name;
    run_fn     *run;
    const void *arg;
    size_t      n[ARRAYS]; /* ends with 0 */
    int         positive;  /* 0: no squares */
    double      bound;     /* tolerance; 0: CLOSE */
    int         low;       /* 1: use backends with bfloat16 products */
    int         whole;     /* 1: small integers, whose sums are exact */
};

static int on_card;    /* use the machine's GPU */
static FILE *digests;  /* or NULL */

/* Writes the digest of the output of one of this project's kernels. */
static void record(const char *what, const real *x, size_t n)
{
    char hex[HASH_HEX];

    if (!digests)
        return;
    hash_sha256(x, n * sizeof *x, hex);
    fprintf(digests, "%s %s\n", hex, what);
}

static int arrays(const struct kernel_case *c)
{
    int n = 0;

    while (n < ARRAYS && c->n[n])
        n++;
    return n;
}

/* Returns all arrays after the kernel, concatenated. */
static real *left_by(const struct kernel_case *c, const struct backend *be)
{
    struct arena *a = arena_of(be->memory);
    real *x[ARRAYS], *all, *to;
    size_t sum = 0;

    for (int i = 0; i < arrays(c); i++)
        sum += c->n[i];
    to = all = malloc(sum * sizeof *all);
    for (int i = 0; i < arrays(c); i++, to += c->n[i - 1]) {
        leaf_fill(to, c->n[i], 1, (uint64_t)i + 1);
        for (size_t k = 0; c->positive && i >= c->positive && k < c->n[i]; k++)
            to[k] *= to[k];
        for (size_t k = 0; c->whole && k < c->n[i]; k++)
            to[k] = (real)(int)(4 * to[k]);
        x[i] = arena_take(a, c->n[i] * sizeof *to);
        be->put(x[i], to, c->n[i] * sizeof *to);
    }
    c->run(be, x, c->arg);
    to = all;
    for (int i = 0; i < arrays(c); to += c->n[i++])
        if (be->get)
            be->get(to, x[i], c->n[i] * sizeof *to);
        else
            memcpy(to, x[i], c->n[i] * sizeof *to);
    arena_free(a);
    return all;
}

static void check(const struct kernel_case *c)
{
    const struct backend *gpu = c->low ? &backend_cuda_bf16 : &backend_cuda;
    real *want = left_by(c, c->low ? &backend_bf16 : &backend_cpu);
    real *first = NULL;
    char what[128];

    for (int o = 0; o < GRID_ORDERS; o++) {
        grid_order = (enum grid_order)o;
        real *got = left_by(c, gpu);
        size_t at = 0;

        for (int i = 0; i < arrays(c); at += c->n[i++]) {
            snprintf(what, sizeof what, "%s, array %d, order %d", c->name, i,
                     o);
            assert_reals(what, got + at, want + at, c->n[i],
                         c->bound > 0 ? c->bound : CLOSE);
            if (first)
                assert_bits(what, got + at, first + at, c->n[i]);
            else if (!c->low || c->whole) /* other sums vary by GPU */
                record(what, got + at, c->n[i]);
        }
        if (first)
            free(got);
        else
            first = got;
    }
    grid_order = GRID_FORWARD;
    free(want);
    free(first);
}

/* As CHECK, with squares in the arrays x[from] and later. */
#define CHECK_FROM(from, of, with, ...)                                       \
    check(&(struct kernel_case){.name = #of, .run = run_##of, .arg = with,    \
                                .positive = from, .n = __VA_ARGS__})
#define CHECK(of, with, ...)                                                  \
    check(&(struct kernel_case){.name = #of, .run = run_##of, .arg = with,    \
                                .n = __VA_ARGS__})
#define RUN(name)                                                             \
    static void run_##name(const struct backend *be, real *const x[],         \
                           const void *arg)

/* Copies n doubles of a buffer to an array, rounded to its type. */
static void keep(const struct backend *be, size_t n, const double *from,
                 real *to)
{
    double *wide = malloc(n * sizeof *wide);
    real *x = malloc(n * sizeof *x);

    backend_get(be, wide, from, n * sizeof *wide);
    for (size_t i = 0; i < n; i++)
        x[i] = (real)wide[i];
    be->put(to, x, n * sizeof *x);
    free(wide);
    free(x);
}

/* ---- vectors ---- */

struct shape { int n[8]; };
#define SHAPE(...) &(struct shape){{__VA_ARGS__}}
#define N(i) (((const struct shape *)arg)->n[i])
#define SIZE(i) ((size_t)N(i))

RUN(axpy) { be->axpy(SIZE(0), (real)0.7, x[0], x[1]); }
RUN(relu_back) { be->relu_back(SIZE(0), x[0], x[1]); }

/* x[0] also gets an infinity, a NaN, a negative zero and the smallest normal
 * number. */
RUN(relu_back_low)
{
    static const uint16_t more[] = {0x7f80, 0x7fc0, 0x8000, 0x80};
    struct arena *a = arena_of(be->memory);
    uint16_t *low = arena_take(a, SIZE(0) * sizeof *low);

    be->lower(SIZE(0), x[0], low);
    be->put(low, more, sizeof more);
    be->relu_back_low(SIZE(0), low, x[1]);
    arena_free(a);
}

RUN(column_sums)
{
    be->column_sums(N(0), SIZE(1), N(2), SIZE(3), x[0], x[1]);
}

static void vectors(void **state)
{
    (void)state;
    CHECK(axpy, SHAPE(1000), {1000, 1001});
    CHECK(relu_back, SHAPE(700), {700, 700});
    CHECK(relu_back_low, SHAPE(700), {700, 700}, .low = 1);
    CHECK(column_sums, SHAPE(1, 3, 5, 0), {15, 6});
    CHECK(column_sums, SHAPE(3, 40, 33, 40), {3960, 120});
    CHECK(column_sums, SHAPE(2, 1100, 70, 75), {154000, 150},
          .bound = 10 * CLOSE);
}

/* ---- norm, softmax ---- */

RUN(norm) { be->norm(SIZE(0), N(1), 1e-5, x[0], x[1], x[2], x[3], x[4]); }
RUN(rms) { be->norm(SIZE(0), N(1), 1e-5, x[0], x[1], NULL, x[2], x[3]); }

RUN(norm_back)
{
    be->norm(SIZE(0), N(1), 1e-5, x[0], x[1], x[1], x[2], x[3]);
    be->norm_back(SIZE(0), N(1), x[0], x[1], x[3], x[4], x[5], x[6], x[7]);
}

RUN(rms_back)
{
    be->norm(SIZE(0), N(1), 1e-5, x[0], x[1], NULL, x[2], x[3]);
    be->norm_back(SIZE(0), N(1), x[0], x[1], x[3], x[4], x[5], x[6], NULL);
}

RUN(softmax) { be->softmax(SIZE(0), N(1), x[0], x[1]); }
RUN(softmax_back) { be->softmax_back(SIZE(0), N(1), x[0], x[1], x[2]); }

static void rows(void **state)
{
    (void)state;
    CHECK(norm, SHAPE(37, 70), {2590, 70, 70, 2590, 74});
    CHECK(rms, SHAPE(9, 5), {45, 5, 45, 18});
    CHECK(norm_back, SHAPE(37, 70),
          {2590, 70, 2590, 74, 2590, 2590, 70, 70});
    CHECK(rms_back, SHAPE(1100, 9), {9900, 9, 9900, 2200, 9900, 9900, 9});
    CHECK(softmax, SHAPE(50, 3), {150, 150});
    CHECK(softmax, SHAPE(10, 70), {700, 700});
    CHECK(softmax_back, SHAPE(50, 3), {150, 150, 150});
    CHECK(softmax_back, SHAPE(10, 70), {700, 700, 700});
}

/* ---- scores ---- */

RUN(pair) { be->pair(SIZE(0), N(1), N(2), N(3), x[0], x[1], x[2]); }

RUN(pair_back)
{
    be->pair_back(SIZE(0), N(1), N(2), N(3), x[0], x[1], x[2], x[3], x[4]);
}

RUN(columns)
{
    be->columns(N(0), N(1), N(2), N(3), N(4), x[0], x[1], x[2]);
}

RUN(columns_back)
{
    be->columns_back(N(0), N(1), N(2), N(3), N(4), x[0], x[1], x[2], x[3],
                     x[4]);
}

/* Returns the row of a table for each distance; row 5 belongs to no
 * distance. */
static const int *buckets(int n)
{
    static int row[64];

    for (int i = 0; i < n; i++)
        row[i] = (i * i / 3 + 1) % 7;
    return row;
}

RUN(diagonals)
{
    be->diagonals(N(0), N(1), N(2), buckets(N(0) + N(1) - 1), x[0], x[1]);
}

RUN(diagonals_back)
{
    be->diagonals_back(N(0), N(1), N(2), buckets(N(0) + N(1) - 1), x[0], x[1]);
}

static void scores(void **state)
{
    (void)state;
    CHECK(pair, SHAPE(40, 3, 4, 11), {120, 160, 440});
    CHECK(pair_back, SHAPE(40, 3, 4, 11), {120, 160, 440, 120, 160});
    CHECK(pair_back, SHAPE(40, 4, 3, 9), {160, 120, 360, 160, 120});
    CHECK(columns, SHAPE(3, 2, 20, 5, 17), {120, 120, 170});
    CHECK(columns_back, SHAPE(3, 2, 20, 5, 17), {120, 120, 170, 120, 120});
    CHECK(diagonals, SHAPE(9, 13, 3), {21, 351});
    CHECK(diagonals_back, SHAPE(9, 13, 3), {351, 21});
    CHECK(diagonals_back, SHAPE(1, 30, 2), {60, 14});
}

/* ---- attention ---- */

enum { H = 2, B = 3, AN = 5, AM = 37, AK = 4, AD = H * AK };

static const int some[B] = {20, 0, AM};

static unsigned char *dropped(const struct backend *be, struct arena *a,
                              size_t n)
{
    unsigned char *kept = arena_take(a, n);

    be->drop_draw(1, n, key, 0, (real)0.7, kept);
    return kept;
}

/* Runs attention. The bits of arg: length, causal, shared, linear, dropout. */
static void run_attend(const struct backend *be, real *const x[],
                       const void *arg)
{
    struct arena *a = arena_of(be->memory);
    int is = *(const int *)arg, all = H * B * AN * AM;
    struct attend s = {.h = H, .b = B, .n = AN, .m = AM, .k = AK, .from = 11,
                       .length = is & 1 ? some : NULL, .causal = is >> 1 & 1,
                       .shared = is >> 2 & 1, .linear = is >> 3 & 1,
                       .keep = (real)(is & 16 ? 0.7 : 1)};
    real *work = arena_take(a, 2 * (size_t)all * sizeof *work);

    s.kept = is & 16 ? dropped(be, a, (size_t)all) : NULL;
    be->attend(&s, x[0], x[1], work, x[2], x[3]);
    be->attend_back(&s, x[2], x[1], x[4], work, x[5], x[6]);
    arena_free(a);
}

static void attention(void **state)
{
    (void)state;
    for (int is = 0; is < 32; is++) {
        size_t p = H * B * AN * AM, v = B * AM * AD, y = B * AN * AD;
        size_t b = is & 4 ? p / B : p;
        char name[32];

        snprintf(name, sizeof name, "attend %d", is);
        check(&(struct kernel_case){.name = name, .run = run_attend, .arg = &is,
                                    .n = {b, v, p, y, y, b, v}});
    }
}

/* Operands are rounded to bfloat16, unless real is double. */
#define ROUNDED (sizeof(real) == sizeof(float) ? 0.02 : CLOSE)

static void fused(void **state)
{
    (void)state;
    for (int i = 0; i < fuse_cases; i++) {
        const struct fuse_case *c = &fuse_case[i];

        check(&(struct kernel_case){
            .name = c->name, .run = fuse_run, .arg = c, .low = 1,
            .bound = ROUNDED, .n = {fuse_inputs(c), fuse_outputs(c)}});
    }
}

/* ---- convolutions and means ---- */

static const int *lengths(int given) { return given ? some : NULL; }

RUN(glu) { be->glu(B, AM, N(0), lengths(N(1)), x[0], x[1]); }

RUN(glu_back)
{
    be->glu_back(B, AM, N(0), lengths(N(1)), x[0], x[1], x[2]);
}

static struct conv conv_of(const void *arg)
{
    return (struct conv){.b = 2, .n = 9, .m = N(0), .d = 10, .heads = 3,
                         .k = 5, .from = N(1), .first = N(2), .shared = N(3)};
}

RUN(conv)
{
    struct conv s = conv_of(arg);

    be->conv(&s, x[0], x[1], N(4) ? x[2] : NULL, x[3]);
}

RUN(conv_back)
{
    struct conv s = conv_of(arg);

    be->conv_back(&s, x[0], x[1], x[2], x[3], x[4]);
}

RUN(mean) { be->mean(B, AM, N(0), some, x[0], x[1]); }
RUN(mean_back) { be->mean_back(B, AM, N(0), some, x[0], x[1]); }

static void along(void **state)
{
    (void)state;
    for (int given = 0; given < 2; given++) {
        CHECK(glu, SHAPE(7, given), {2 * B * AM * 7, B * AM * 7});
        CHECK(glu_back, SHAPE(7, given),
              {2 * B * AM * 7, B * AM * 7, 2 * B * AM * 7});
    }
    for (int shared = 0; shared < 2; shared++) {
        size_t taps = shared ? 15 : 2 * 9 * 15;

        CHECK(conv, SHAPE(9, 0, -2, shared, shared), {180, taps, 10, 180});
        CHECK(conv, SHAPE(12, 3, -4, shared, 1), {240, taps, 10, 180});
        CHECK(conv_back, SHAPE(9, 0, -2, shared),
              {180, taps, 180, 180, taps});
        CHECK(conv_back, SHAPE(12, 3, -4, shared),
              {240, taps, 180, 240, taps});
    }
    CHECK(mean, SHAPE(7), {B * AM * 7, B * 7});
    CHECK(mean_back, SHAPE(7), {B * 7, B * AM * 7});
}

/* ---- embedding, dropout ---- */

enum { IDS = 200, VOCAB = 30 };

/* Every other token has the same id, as in natural language. */
static const int *tokens(void)
{
    static int id[IDS];

    for (int i = 0; i < IDS; i++)
        id[i] = i % 2 ? 7 : i * i % (VOCAB - 1);
    return id;
}

RUN(embed)
{
    be->embed(IDS, 50, 6, 3, tokens(), x[0], N(0) ? x[1] : NULL, (real)0.3,
              x[2]);
}

RUN(embed_back)
{
    be->embed_back(IDS, 50, 6, 3, tokens(), (real)0.3, x[0],
                   N(0) & 1 ? x[1] : NULL, N(0) & 2 ? x[2] : NULL);
}

static void embedding(void **state)
{
    size_t table = VOCAB * 6, wave = 60 * 6, y = IDS * 6;

    (void)state;
    CHECK(embed, SHAPE(0), {table, wave, y});
    CHECK(embed, SHAPE(1), {table, wave, y});
    for (int which = 1; which < 4; which++)
        CHECK(embed_back, SHAPE(which), {y, table, wave});
}

RUN(drop)
{
    struct arena *a = arena_of(be->memory);
    unsigned char *kept = dropped(be, a, SIZE(0));

    be->drop_add(SIZE(0), (real)0.7, kept, x[0], x[1], x[2]);
    be->drop_add(SIZE(0), (real)0.7, kept, NULL, x[1], x[3]);
    be->drop_add(SIZE(0), 1, NULL, x[0], x[1], x[4]);
    be->drop_back(SIZE(0), (real)0.7, kept, x[0], x[5]);
    be->drop_back(SIZE(0), 1, NULL, x[0], x[6]);
    arena_free(a);
}

/* Random bytes are equal, also for keys with high bits and at block
 * boundaries. */
static void draws(void **state)
{
    static const struct rng_key keys[] = {
        {.seed = 5, .stream = RNG_DROPOUT, .step = 3, .site = 9},
        {0x123456789abcdefull, RNG_TEST, 0xffffffffu, 0xfedcba9876543210ull}};
    static const uint64_t first[] = {0, 5, 8, 0x123456789full};
    enum { SITES = 2, DRAWS = 1003 };
    static const int length[] = {5, 0, 7};
    static const struct packing p = {3, 7, 13, length};
    unsigned char want[SITES * DRAWS], got[SITES * DRAWS];
    struct arena *a = arena_of(backend_cuda.memory);
    unsigned char *kept = arena_take(a, sizeof got);

    (void)state;
    CHECK(drop, SHAPE(999), {999, 999, 999, 999, 999, 999, 999});
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        for (size_t f = 0; f < sizeof first / sizeof *first; f++) {
            cpu_drop_draw(SITES, DRAWS, keys[k], first[f], (real)0.9, want);
            backend_cuda.drop_draw(SITES, DRAWS, keys[k], first[f], (real)0.9,
                                   kept);
            backend_cuda.get(got, kept, sizeof got);
            assert_memory_equal(got, want, sizeof got);
            cpu_drop_draw_packed(&p, 11, keys[k], (int)f * 3, (real)0.9, want);
            backend_cuda.drop_draw_packed(&p, 11, keys[k], (int)f * 3,
                                          (real)0.9, kept);
            backend_cuda.get(got, kept, 13 * 11);
            assert_memory_equal(got, want, 13 * 11);
        }
    arena_free(a);
}

/* ---- rows and blocks ---- */

static struct blocks blocks_of(const void *arg)
{
    return (struct blocks){SIZE(0), SIZE(1), SIZE(2), {SIZE(3), SIZE(4)},
                           {SIZE(5), SIZE(6)}};
}

RUN(copy_blocks)
{
    struct blocks s = blocks_of(arg);

    be->copy_blocks(&s, x[0], x[1]);
}

RUN(add_blocks)
{
    struct blocks s = blocks_of(arg);

    be->add_blocks(&s, x[0], x[1]);
}

static const int ascending[] = {0, 2, 3, 7, 8};

RUN(gather) { be->gather(5, SIZE(0), SIZE(1), ascending, x[0], x[1]); }
RUN(gather_up) { be->gather(5, SIZE(0), SIZE(1), ascending, x[0], x[0]); }
RUN(scatter_add) { be->scatter_add(5, SIZE(0), ascending, x[0], x[1]); }
RUN(spread) { be->spread(N(0), SIZE(1), SIZE(2), x[0]); }

static const int given[] = {5, 0, 7};
static const struct packing packing = {3, 7, 14, given};

RUN(pack) { be->pack(&packing, N(0), 9, N(1), x[0], x[1]); }
RUN(unpack) { be->unpack(&packing, N(0), 9, N(1), x[0], x[1]); }

static void moves(void **state)
{
    (void)state;
    CHECK(copy_blocks, SHAPE(3, 4, 5, 24, 6, 50, 9), {72, 150});
    CHECK(add_blocks, SHAPE(3, 4, 5, 24, 6, 50, 9), {72, 150});
    CHECK(copy_blocks, SHAPE(2, 3, 70, 70, 0, 210, 70), {140, 420});
    CHECK(gather, SHAPE(6, 8), {72, 40});
    CHECK(gather_up, SHAPE(60, 60), {540});
    CHECK(gather_up, SHAPE(6, 8), {72});
    CHECK(scatter_add, SHAPE(70), {350, 630});
    CHECK(spread, SHAPE(4, 30, 50), {200});
    for (int add = 0; add < 2; add++) {
        CHECK(pack, SHAPE(2, add), {2 * 21 * 9, 2 * 14 * 9});
        CHECK(unpack, SHAPE(2, add), {2 * 14 * 9, 2 * 21 * 9});
    }
}

/* ---- mixtures ---- */

enum { MIX_H = 2, MIX_B = 3, MIX_LEN = 7 };

/* Mixes two parts, of which all sentences share the second, and adds a third
 * part. If `heads` is 1, concatenates the first two parts instead. arg:
 * sigmoid, or -1 for weights of 1; heads; length. */
static void run_mix(const struct backend *be, real *const x[], const void *arg)
{
    int heads = N(1), sigmoid = N(0);
    struct mix_sum s = {.parts = 2, .h = heads ? 2 * MIX_H : MIX_H, .b = MIX_B,
                        .len = SIZE(2),
                        .of = {{MIX_H, MIX_B, 0},
                               {MIX_H, 1, heads ? MIX_H : 0},
                               {heads ? 0 : MIX_H, 1, 0}}};
    struct arena *a = arena_of(be->memory);
    double *w = arena_take(a, 2 * sizeof *w), *gw = arena_take(a, 16);

    if (sigmoid >= 0)
        be->mix_weights(2, sigmoid, x[0], w);
    be->mix(&s, sigmoid < 0 ? NULL : w, x[1], x[2], NULL, NULL,
            heads ? NULL : x[2], x[3]);
    for (int p = 0; p < 2; p++)
        be->mix_back(&s, p, sigmoid < 0 ? NULL : w, x[3], x[1 + p], x[4 + p],
                     sigmoid < 0 ? NULL : gw);
    be->mix_back(&s, 1, sigmoid < 0 ? NULL : w, x[3], x[2],
                 sigmoid < 0 ? x[5] : NULL, sigmoid < 0 ? NULL : gw);
    if (sigmoid >= 0) {
        be->mix_weights_back(2, sigmoid, w, gw, x[6]);
        keep(be, 2, w, x[7]);
    }
    arena_free(a);
}

static void mixtures(void **state)
{
    (void)state;
    for (int len = MIX_LEN; len < 7000; len += 6000)
        for (int heads = 0; heads < 2; heads++)
            for (int sigmoid = -1; sigmoid < 2; sigmoid++) {
                size_t part = MIX_H * MIX_B * (size_t)len;

                CHECK(mix, SHAPE(sigmoid, heads, len),
                      {2, part, MIX_H * (size_t)len, part << heads, part,
                       MIX_H * (size_t)len, 2, 2});
            }
}

/* ---- losses ---- */

enum { LROWS = 5 };

struct loss_case { int v, gradient; double smoothing; };

/* Rows 1 and 3 have two maxima; the first of them counts. */
static void run_loss(const struct backend *be, real *const x[],
                     const void *arg)
{
    const struct loss_case *c = arg;
    int v = c->v, target[LROWS] = {0, v / 2, v - 1, v - 1, v / 3};
    struct cross_entropy s = {LROWS, v, target, c->smoothing, 0.25};
    struct arena *a = arena_of(be->memory);
    unsigned char *hit = arena_take(a, LROWS), host[LROWS];
    double *nll = arena_take(a, LROWS * sizeof *nll);
    double *loss = arena_take(a, sizeof *loss);
    real high = 5, hits[LROWS];

    for (int r = 1; r < LROWS; r += 2)
        for (int j = v / 2; j < v; j += v)
            for (int k = 0; k < 2; k++)
                be->put(x[0] + r * v + (k ? v - 1 : j), &high, sizeof high);
    be->cross_entropy(&s, x[0], c->gradient, nll, hit, loss);
    backend_get(be, host, hit, sizeof host);
    for (int r = 0; r < LROWS; r++)
        hits[r] = host[r];
    keep(be, LROWS, nll, x[1]);
    be->put(x[2], hits, sizeof hits);
    keep(be, 1, loss, x[3]);
    arena_free(a);
}

RUN(square_error)
{
    struct arena *a = arena_of(be->memory);
    double *nll = arena_take(a, SIZE(0) * sizeof *nll);
    double *loss = arena_take(a, sizeof *loss);

    be->square_error(SIZE(0), 0.25, x[0], x[1], x[2], N(1) ? x[3] : NULL, nll,
                     loss);
    keep(be, SIZE(0), nll, x[4]);
    keep(be, 1, loss, x[5]);
    arena_free(a);
}

/* Compares the values of the best ids, and the ids as values. A row of equal
 * values tests the order of ties. */
RUN(best)
{
    enum { R = 3 };
    struct arena *a = arena_of(be->memory);
    size_t n = (size_t)(R * N(1));
    struct best *out = arena_take(a, n * sizeof *out), *host;
    real *flat = calloc(SIZE(0), sizeof *flat), *to = calloc(3 * n, sizeof *to);

    be->put(x[0] + N(0), flat, SIZE(0) * sizeof *flat);
    be->best(R, N(0), N(1), x[0], x[1], out);
    host = malloc(n * sizeof *host);
    backend_get(be, host, out, n * sizeof *host);
    for (size_t i = 0; i < n; i++) {
        to[3 * i] = (real)host[i].mass;
        to[3 * i + 1] = host[i].x;
        to[3 * i + 2] = (real)host[i].id;
    }
    /* scratch space of the kernel */
    be->put(x[1], flat, SIZE(0) * sizeof *flat);
    be->put(x[2], to, 3 * n * sizeof *to);
    free(flat);
    free(to);
    free(host);
    arena_free(a);
}

static void losses(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        struct loss_case c = {(const int[]){1, 3, 700}[i % 3], i / 3 % 2,
                              i / 6 ? 0.1 : 0};

        check(&(struct kernel_case){.name = "cross_entropy", .run = run_loss,
                                    .arg = &c,
                                    .n = {LROWS * (size_t)c.v, LROWS, LROWS,
                                          1}});
    }
    CHECK(square_error, SHAPE(40, 0), {40, 40, 40, 40, 40, 1});
    CHECK(square_error, SHAPE(300, 1), {300, 300, 300, 300, 300, 1});
    CHECK(best, SHAPE(20, 1), {60, 20, 9});
    CHECK(best, SHAPE(700, 6), {2100, 700, 54});
    CHECK(best, SHAPE(4, 4), {12, 4, 36});
}

/* ---- optimisers ---- */

RUN(adam)
{
    struct adam s = {0.9, 0.999, 1e-8, 0.01, 0.3, 0.02};

    be->adam(SIZE(0), &s, x[0], x[1], x[2], x[3]);
}

RUN(adafactor)
{
    struct adafactor s = {N(0), SIZE(1), SIZE(2), SIZE(3), SIZE(4), SIZE(5),
                          SIZE(6), 0.8, 1e-30, 1e-3, 1, 0.01};

    be->adafactor(&s, x[0], x[1], x[2]);
}

static void optimisers(void **state)
{
    (void)state;
    CHECK_FROM(3, adam, SHAPE(1000),
               {1000, 1000, 1000, 1000});
    /* arguments: factored, outer, rows, cols, and their strides */
    CHECK_FROM(2, adafactor, SHAPE(0, 1, 1, 700, 0, 0, 1),
               {700, 700, 700});
    CHECK_FROM(2, adafactor, SHAPE(0, 1, 1, 40000, 0, 0, 1),
               {40000, 40000, 40000});
    CHECK_FROM(2, adafactor, SHAPE(1, 1, 9, 50, 0, 50, 1),
               {450, 450, 59});
    CHECK_FROM(2, adafactor, SHAPE(1, 1, 9, 50, 0, 1, 9),
               {450, 450, 59});
    CHECK_FROM(2, adafactor, SHAPE(1, 1, 40, 1100, 0, 1, 40),
               {44000, 44000, 1140});
    CHECK_FROM(2, adafactor, SHAPE(1, 3, 20, 40, 800, 40, 1),
               {2400, 2400, 180});
    CHECK_FROM(2, adafactor, SHAPE(1, 3, 20, 40, 1, 3, 60),
               {2400, 2400, 180});
}

/* ---- products ---- */

static void run_gemm(const struct backend *be, real *const x[],
                     const void *arg)
{
    const struct gemm *s = arg;
    int bias = s->alpha == 0 && !s->length;

    be->gemm(s, x[0], x[1], bias ? x[3] : NULL, x[2]);
}

static void multiply(struct gemm s)
{
    struct gemm_spans n = gemm_spans(&s);

    for (int low = 0; low < (sizeof(real) == sizeof(float) ? 2 : 1); low++)
        check(&(struct kernel_case){.name = low ? "gemm, bfloat16" : "gemm",
                                    .run = run_gemm, .arg = &s, .low = low,
                                    .n = {n.a, n.b, n.c,
                                          2 * (size_t)s.n + 9}});
}

static void products(void **state)
{
    static const int size[][3] = {{1, 1, 1}, {5, 7, 3}, {64, 64, 16},
                                  {70, 65, 33}, {3, 130, 20}};

    (void)state;
    for (int i = 0; i < 5; i++)
        for (int is = 0; is < 16; is++) {
            int m = size[i][0], n = size[i][1], k = size[i][2];
            int ta = is & 1, tb = is >> 1 & 1;

            multiply((struct gemm){
                .m = m, .n = n, .k = k, .ta = ta, .tb = tb,
                .lda = (ta ? m : k) + 2, .ldb = (tb ? k : n) + 1,
                .ldc = n + 3, .add = is >> 2 & 1, .relu = is >> 3,
                .alpha = (real)(is % 3 ? 0 : 0.5)});
        }
    multiply((struct gemm){.m = 6, .n = 7, .k = 9, .lda = 9, .ldb = 7,
                           .ldc = 21, .outer = 2, .inner = 3,
                           .step_a = {162, 54}, .step_b = {0, 63},
                           .step_c = {126, 7}, .alpha = 1});
    multiply((struct gemm){.m = 6, .n = 7, .k = 9, .ta = 1, .lda = 6,
                           .ldb = 28, .ldc = 7, .outer = 2, .inner = 3,
                           .step_a = {0, 0}, .step_b = {7, 300},
                           .step_c = {42, 84}, .add = 1, .alpha = 1});
}

#ifndef REAL_DOUBLE
/* Sums of bfloat16 values that are exact in any order: each lane of a warp gets
 * the values that mma.sync expects. */
static void matrix_registers(void **state)
{
    static const int size[][3] = {{16, 8, 16}, {64, 64, 32}, {70, 33, 50}};

    (void)state;
    for (int i = 0; i < 3; i++) {
        int m = size[i][0], n = size[i][1], k = size[i][2];
        struct gemm s = {.m = m, .n = n, .k = k, .lda = k, .ldb = n, .ldc = n,
                         .alpha = 1};

        check(&(struct kernel_case){.name = "gemm, whole numbers",
                                    .run = run_gemm, .arg = &s, .low = 1,
                                    .whole = 1, .bound = 1e-30,
                                    .n = {(size_t)(m * k), (size_t)(k * n),
                                          (size_t)(m * n)}});
    }
    check(&(struct kernel_case){
        .name = "fused attention, whole numbers", .run = fuse_run,
        .arg = &fuse_exact, .low = 1, .whole = 1, .bound = 1e-30,
        .n = {fuse_inputs(&fuse_exact), fuse_outputs(&fuse_exact)}});
}
#endif

/* Batched products with `each` set: the CPU computes their matrices one at a
 * time, and the GPU must give the same result. */
static void separate(void **state)
{
    static const int length[] = {9, 0, 4};
    struct gemm s = {.m = 70, .n = 7, .k = 9, .lda = 9, .ldb = 7, .ldc = 7,
                     .outer = 2, .inner = 3, .each = 1,
                     .step_a = {1890, 630}, .step_b = {63, 0},
                     .step_c = {1470, 490}, .step_bias = 9, .relu = 1};
    struct gemm sums = {.m = 6, .n = 7, .k = 9, .ta = 1, .lda = 6, .ldb = 7,
                        .ldc = 8, .outer = 2, .inner = 3, .each = 1,
                        .step_a = {162, 54}, .step_b = {200, 63}, .add = 1,
                        .alpha = 1};

    (void)state;
    multiply(s);
    s.step_c[0] = 0; /* the outer batches are summed */
    s.relu = 0;
    s.add = 1;
    s.alpha = 1;
    multiply(s);
    multiply(sums);
    sums.alpha = (real)0.5;
    sums.length = length;
    sums.limits = 'k';
    multiply(sums);
    sums.k = sums.m = sums.n = 9;
    sums.lda = sums.ldb = sums.ldc = 9;
    sums.step_a[0] = sums.step_b[0] = 300;
    sums.step_a[1] = sums.step_b[1] = 81;
    for (int fold = 0; fold < 2; fold++)
        for (const char *l = "mnk"; *l; l++)
            for (int add = fold; add < 2; add++) {
                sums.step_c[0] = fold ? 0 : 300;
                sums.step_c[1] = fold ? 0 : 81;
                sums.limits = *l;
                sums.add = add;
                multiply(sums);
            }
}

/* ---- transfers to the GPU ---- */

/* Writes more than the ring buffer of pinned memory holds before the GPU has
 * copied anything. */
static void waiting(void **state)
{
    enum { PUTS = 3, BYTES = 3 << 20 };
    struct arena *a = arena_of(backend_cuda.memory);
    char *host = malloc(BYTES), *there[PUTS];

    (void)state;
    for (int i = 0; i < PUTS; i++) {
        there[i] = arena_take(a, BYTES);
        memset(host, i + 1, BYTES);
        backend_cuda.put(there[i], host, BYTES);
    }
    for (int i = 0; i < PUTS; i++) {
        backend_cuda.get(host, there[i], BYTES);
        assert_true(host[0] == i + 1 && host[BYTES - 1] == i + 1);
    }
    free(host);
    arena_free(a);
}

/* Released memory is not counted. */
static void peak(void **state)
{
    enum { BYTES = 1 << 20, ARENAS = 64 };
    double before = cuda_peak();

    (void)state;
    for (int i = 0; i < ARENAS; i++) {
        struct arena *a = arena_of(backend_cuda.memory);

        arena_take(a, BYTES);
        arena_free(a);
    }
    assert_true(before > BYTES && cuda_peak() < before + 4 * BYTES);
}

/* ---- ops: values and gradients, with dropout ---- */

/* Sets the gradient of a graph's output to leaf_weight. */
static void weigh_back(struct tape *t, tensor *root)
{
    tensor *y = root->in[0];
    size_t n = tensor_len(y);
    real *w = arena_take(t->nodes, n * sizeof *w);

    leaf_weight(w, n);
    t->be->put(y->g, w, n * sizeof *w);
}

/* Writes the value of an op and the gradients of its inputs, concatenated;
 * returns their number. */
static size_t op_on(const struct op_case *c, const struct backend *be,
                    int fuses, double dropout, real *out)
{
    struct arena *host = arena_new(), *data = arena_of(be->memory);
    struct tape *t = tape_new(be);
    tensor *in[OP_INPUTS] = {NULL};
    size_t at = 0;

    op_inputs(c, host, in);
    for (int i = 0; i < c->nin; i++) {
        size_t bytes = tensor_len(in[i]) * sizeof(real);
        const real *from = in[i]->x;

        in[i]->x = arena_take(data, bytes);
        in[i]->g = arena_take(data, bytes);
        be->put(in[i]->x, from, bytes);
        be->zero(in[i]->g, bytes);
    }
    t->fuses = fuses;
    tape_begin(t, TAPE_TRAIN, key, 0, dropout);
    tensor *y = c->run(t, in);
    tape_form(t, y);
    at = tensor_len(y);
    backend_get(be, out, y->x, at * sizeof *out);
    tape_backward(t, y->nd ? tape_node(t, 0, NULL, weigh_back, 1, &y) : y);
    for (int i = 0; i < c->nin; at += tensor_len(in[i++]))
        backend_get(be, out + at, in[i]->g, tensor_len(in[i]) * sizeof *out);
    tape_free(t);
    arena_free(data);
    arena_free(host);
    return at;
}

static void all_ops(int fuses)
{
    enum { MOST = 1 << 14 };
    static real want[MOST], got[MOST], first[MOST];

    for (int i = 0; i < op_cases; i++)
        for (int o = 0; o < GRID_ORDERS; o++) {
            const struct op_case *c = &op_case[i];
            double dropout = c->drops ? 0.3 : 0;
            size_t n = op_on(c, &backend_cpu, 0, dropout, want);

            assert_true(n <= MOST);
            grid_order = (enum grid_order)o;
            op_on(c, &backend_cuda, fuses, dropout, o ? got : first);
            assert_reals(c->name, first, want, n, fuses ? ROUNDED : CLOSE);
            if (o)
                assert_bits(c->name, got, first, n);
            else if (!fuses)
                record(c->name, first, n);
        }
    grid_order = GRID_FORWARD;
}

static void ops(void **state)
{
    (void)state;
    all_ops(0);
}

static void fused_ops(void **state)
{
    (void)state;
    all_ops(1);
}

#ifndef REAL_DOUBLE
static int open_library(void **state)
{
    (void)state;
    if (digests) /* later products are computed by cuBLASLt */
        fclose(digests);
    digests = NULL;
    return products_open(on_card ? NULL : &device_lt);
}

static void asked(void **state)
{
    size_t without, n = device_lt_asked(&without);

    (void)state;
    if (on_card) {
        print_message("# skipped: a real card counts no requests\n");
        return;
    }
    assert_string_equal(cuda_products(), "cuBLASLt 13.0.2");
    assert_true(n > 500);
    assert_true(without > 0);
}
#endif

static void open_card(void)
{
    static struct cuda_driver machine;

    REQUIRE(cuda_driver_load(&machine) == OK && cuda_open(&machine, NULL) == OK,
            "%s", err_last());
}

int main(int argc, char **argv)
{
    const struct CMUnitTest kernels[] = {
#ifndef REAL_DOUBLE
        {"matrix instructions use the right registers", matrix_registers, NULL,
         NULL, NULL},
#endif
        {"vector and sum kernels agree with the processor", vectors, NULL, NULL,
         NULL},
        {"norms and softmax agree with the processor", rows, NULL, NULL, NULL},
        {"score kernels agree with the processor", scores, NULL, NULL, NULL},
        {"attention in all of its forms agrees with the processor", attention,
         NULL, NULL, NULL},
        {"fused attention of every kind of score agrees with the processor",
         fused, NULL, NULL, NULL},
        {"gates, convolutions and means agree with the processor", along, NULL,
         NULL, NULL},
        {"embeddings agree with the processor", embedding, NULL, NULL, NULL},
        {"dropout draws the same bytes", draws, NULL, NULL, NULL},
        {"copies of rows and blocks agree with the processor", moves, NULL,
         NULL, NULL},
        {"mixtures agree with the processor", mixtures, NULL, NULL, NULL},
        {"losses and best ids agree with the processor", losses, NULL, NULL,
         NULL},
        {"optimisers agree with the processor", optimisers, NULL, NULL, NULL},
        {"products agree with the processor", products, NULL, NULL, NULL},
        {"products of many batches agree with the processor", separate, NULL,
         NULL, NULL},
        {"data that wait to be copied are not overwritten", waiting, NULL, NULL,
         NULL},
        {"the peak of memory is the most that is held at once", peak, NULL,
         NULL, NULL},
        {"values and gradients of every op agree with the processor", ops, NULL,
         NULL, NULL},
        {"values and gradients of fused attention agree with the processor",
         fused_ops, NULL, NULL, NULL},
#ifndef REAL_DOUBLE /* device_lt computes in single precision */
        {"products by the library agree with the processor", products,
         open_library, NULL, NULL},
        {"library products of many batches agree with the processor", separate,
         NULL, NULL, NULL},
        {"attention by the library agrees with the processor", attention, NULL,
         NULL, NULL},
        {"the library is used where it can be", asked, NULL, NULL, NULL},
#endif
    };

    on_card = argc > 1 && !strcmp(argv[1], "--card");
    if (argc > 1 + on_card)
        digests = fopen(argv[1 + on_card], "w");
    if (argc > 2 + on_card)
        cmocka_set_test_filter(argv[2 + on_card]);
    backend_cpu.thread_begin();
    if (on_card)
        open_card();
    else
        open_test_device(NULL);
    return cmocka_run_group_tests_name("cuda", kernels, NULL, NULL);
}
