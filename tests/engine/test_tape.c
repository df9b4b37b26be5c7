/* State that tapes keep for the ops: dropout masks, memory, counts. */
#include "harness/engine/count.h"
#include "harness/engine/ops.h"
#include "tests/support/leaf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

static const struct rng_key key = {.seed = 3, .stream = RNG_DROPOUT};

/* ---- dropout ---- */

static void kept_share(void **state)
{
    enum { DRAWS = 1 << 20 };
    static unsigned char kept[DRAWS];
    static const double keep[] = {0.9, 0.5, 0.123};

    (void)state;
    for (int k = 0; k < 3; k++) {
        double p = keep[k], sum = 0, pairs = 0;

        backend_cpu.drop_draw(1, DRAWS, key, 5, (real)p, kept);
        for (size_t i = 0; i < DRAWS; i++) {
            sum += kept[i];
            pairs += i && kept[i] && kept[i - 1];
        }
        double sd = sqrt(p * (1 - p) / DRAWS);
        assert_true(fabs(sum / DRAWS - p) < 5 * sd + 1e-5);
        assert_true(fabs(pairs / DRAWS - p * p) < 10 * sd + 1e-5);
    }
}

static void masks_of_rows(void **state)
{
    enum { ROWS = 6, NROW = 35 };
    unsigned char all[ROWS * NROW], some[ROWS * NROW];
    struct tape *t = tape_new(&backend_cpu);

    (void)state;
    tape_begin(t, TAPE_TRAIN, key, 0, 0.4);
    tape_dropout(t, NROW, NROW);
    memcpy(all, tape_dropout(t, sizeof all, NROW), sizeof all);
    for (int first = 0, rows = 1; first < ROWS; first += rows++) {
        tape_begin(t, TAPE_TRAIN, key, first, 0.4);
        memcpy(some, tape_dropout(t, NROW, NROW), NROW); /* another site */
        assert_memory_not_equal(some, all + first * NROW, NROW);
        memcpy(some, tape_dropout(t, (size_t)(rows * NROW), NROW),
               (size_t)(rows * NROW));
        assert_memory_equal(some, all + first * NROW, (size_t)(rows * NROW));
    }
    tape_begin(t, TAPE_TRAIN,
               (struct rng_key){key.seed, key.stream, 1, 0}, 0, 0.4);
    tape_dropout(t, NROW, NROW);
    assert_memory_not_equal(tape_dropout(t, sizeof all, NROW), all,
                            sizeof all);
    tape_begin(t, TAPE_EVAL, key, 0, 0.4);
    assert_null(tape_dropout(t, NROW, NROW));
    tape_free(t);
}

/* Each packed token has the dropout mask that it has in the unpacked array
 * (b,n,d), whatever the shard. */
static void masks_of_packed_rows(void **state)
{
    enum { ROWS = 4, N = 5, D = 7 };
    static const int length[ROWS] = {3, 5, 0, 2};
    unsigned char all[ROWS * N * D];
    struct tape *t = tape_new(&backend_cpu);

    (void)state;
    tape_begin(t, TAPE_TRAIN, key, 0, 0.4);
    memcpy(all, tape_dropout(t, sizeof all, N * D), sizeof all);
    for (int first = 0; first < ROWS; first++) {
        const struct packing p = {ROWS - first, N, 12, length + first};

        tape_begin(t, TAPE_TRAIN, key, first, 0.4);
        t->packing = &p;
        const unsigned char *some = tape_dropout_packed(t, D), *at = some;
        for (int s = first; s < ROWS; s++) {
            size_t n = (size_t)(length[s] * D);

            assert_memory_equal(at, all + s * N * D, n);
            at += n;
        }
        for (; at < some + 12 * D; at++)
            assert_int_equal(*at, 0);
    }
    tape_free(t);
}

/* With dropout 0.25, each z is either dropped or scaled to z / 0.75 (in three
 * of four cases), by ad_residual and in its gradient. */
static void kept_scale(void **state)
{
    enum { N = 4000 };
    struct arena *a = arena_new();
    struct tape *t = tape_new(&backend_cpu);
    tensor *x = leaf_new(a, 1, 2, (int[]){N / 10, 10});
    tensor *z = leaf_new(a, 2, 2, (int[]){N / 10, 10});
    double want[N], slope[N], all = 0, sd = sqrt(0.25 * 0.75 * N);

    (void)state;
    tape_begin(t, TAPE_TRAIN, key, 0, 0.25);
    tensor *y = ad_residual(t, x, z);
    real *gy = tape_gradient(t, y), *gz = tape_gradient(t, z);
    for (size_t i = 0; i < N; i++) {
        int kept = fabs((double)(y->x[i] - x->x[i])) > 0;

        want[i] = (double)x->x[i] + (kept ? (double)z->x[i] / 0.75 : 0);
        slope[i] = kept ? 1 / 0.75 : 0;
        gy[i] = 1;
        gz[i] = 0;
        all += kept;
    }
    assert_near("kept values over keep", y->x, want, N, CLOSE);
    assert_true(fabs(all - 0.75 * N) < 5 * sd);
    y->back(t, y);
    assert_near("gradients of kept values over keep", gz, slope, N, CLOSE);
    tape_free(t);
    arena_free(a);
}

/* Compares attention with dropout on three sentences with attention on the last
 * two sentences alone. */
static void attend_shards(void **state)
{
    static const int length[] = {4, 2, 3};
    struct arena *a = arena_new();
    struct tape *t = tape_new(&backend_cpu);
    tensor *b = leaf_new(a, 1, 4, (int[]){2, 1, 4, 4});
    tensor *v = leaf_new(a, 2, 3, (int[]){3, 4, 6}), last = *v;
    real want[3 * 4 * 6];

    (void)state;
    tape_begin(t, TAPE_TRAIN, key, 0, 0.5);
    memcpy(want, ad_attend(t, b, v, (struct keys){0, 1, length, 0})->x,
           sizeof want);
    last.dim[0] = 2;
    last.x += 4 * 6;
    tape_begin(t, TAPE_TRAIN, key, 1, 0.5);
    tensor *y = ad_attend(t, b, &last, (struct keys){0, 1, length + 1, 0});
    assert_bits("attend", y->x, want + 4 * 6, 2 * 4 * 6);
    tape_free(t);
    arena_free(a);
}

static void see_masks(void *arg, enum tape_place place, int layer,
                      const struct attend *a, const real *p)
{
    size_t one = (size_t)(a->b * a->n * a->m);

    (void)p;
    assert_true(place == TAPE_CROSS && layer == 3); /* as set on the tape */
    assert_memory_not_equal(a->kept, a->kept + one, one);
    *(int *)arg = 1;
}

static void masks_of_heads(void **state)
{
    struct arena *a = arena_new();
    struct tape *t = tape_new(&backend_cpu);
    int seen = 0;

    (void)state;
    t->watch = see_masks;
    t->watch_arg = &seen;
    tape_begin(t, TAPE_TRAIN, key, 0, 0.5);
    t->place = TAPE_CROSS;
    t->layer = 3;
    ad_attend(t, leaf_new(a, 1, 4, (int[]){2, 1, 4, 4}),
              leaf_new(a, 2, 3, (int[]){3, 4, 6}), (struct keys){0});
    assert_true(seen);
    tape_free(t);
    arena_free(a);
}

/* ---- cost of a step ---- */

/* Builds a layer with one op of each kind that has a matrix product. */
static tensor *layer(struct tape *t, tensor *const w[])
{
    static const int id[] = {0, 1, 2, 3, 4, 5, 6, 7}, length[] = {4, 3};
    static real zeros[4 * 6];
    static tensor wave = {.nd = 2, .dim = {4, 6}, .x = zeros};
    struct loss l = {.target = id, .length = length, .scale = 1};
    tensor *x = ad_embed(t, w[0], &wave, id, 2, 4, 0, 1);

    x = ad_norm(t, x, w[1], w[2], 1e-6);
    tensor *q = ad_linear(t, x, w[3], w[2], ACT_RELU);
    tensor *part[] = {ad_dot_scores(t, q, x, 2, 0.5),
                      ad_corner(t, w[4], 0, 4, 4),
                      ad_low_rank(t, w[5], w[5], 0, 4, 4),
                      ad_head_linear(t, x, w[6], NULL, ACT_NONE, 4)};
    tensor *b = ad_mix(t, MIX_LOGITS, 4, part, w[7], NULL);
    tensor *y = ad_attend(t, b, x, (struct keys){.length = length});

    return ad_vocab_loss(t, ad_residual(t, x, y), w[0], &l);
}

static void weights_of_layer(struct arena *a, tensor *w[8])
{
    w[0] = leaf_new(a, 0, 2, (int[]){9, 6});
    w[1] = leaf_new(a, 1, 1, (int[]){6});
    w[2] = leaf_new(a, 2, 1, (int[]){6});
    w[3] = leaf_new(a, 3, 2, (int[]){6, 6});
    w[4] = leaf_new(a, 4, 3, (int[]){2, 5, 5});
    w[5] = leaf_new(a, 5, 3, (int[]){2, 5, 2});
    w[6] = leaf_new(a, 6, 3, (int[]){2, 3, 5});
    w[7] = leaf_new(a, 7, 1, (int[]){4});
}

static double flops_of(struct tape *t, tensor *const w[])
{
    double before = t->flops;

    tape_begin(t, TAPE_TRAIN, key, 0, 0.1);
    tape_backward(t, layer(t, w));
    return t->flops - before;
}

/* The dry backend counts work that depends on the data (rows that are not
 * padding), as the real backend does. */
static void dry_counts(void **state)
{
    struct arena *a = arena_new();
    struct tape *dry = tape_dry(PRECISION_FP32);
    struct tape *real_one = tape_new(&backend_cpu);
    tensor *w[8];

    (void)state;
    weights_of_layer(a, w);
    double want = flops_of(real_one, w);
    assert_true(want > 0 && flops_of(dry, w) == want);
    assert_true(arena_peak(dry->data) == arena_peak(real_one->data));
    tape_free(dry);
    tape_free(real_one);
    arena_free(a);
}

#ifndef PLAIN_PRODUCTS

/* Returns the estimated bytes of the products of x W or, if with_c is 1, of x W
 * + c. */
static double estimated(int rows, int with_c)
{
    enum { D = 32 };
    struct tape *t = tape_dry(PRECISION_FP32);
    tensor *c = with_c ? tape_leaf(t, 1, (int[]){D}) : NULL;

    ad_linear(t, tape_leaf(t, 3, (int[]){1, rows, D}),
              tape_leaf(t, 2, (int[]){D, D}), c, ACT_NONE);
    struct product_bytes bytes = tape_product_bytes(t);
    tape_free(t);
    return bytes.single + bytes.batched;
}

/* A dry run counts operands that are stored again after rounding. */
static void estimated_operands(void **state)
{
    enum { N = 1000, D = 32 };
    real x[N] = {0};

    (void)state;
    for (int low = 0; low < 2; low++) {
        struct tape *t = tape_dry(low ? PRECISION_BF16 : PRECISION_FP32);

        tape_lower(t, N, x);
        assert_true(low ? arena_peak(t->data) >= N * sizeof(uint16_t)
                        : arena_peak(t->data) == 0);
        tape_raise(t);
        assert_true(tape_scratch_bytes(t) <= 0);
        ad_linear(t, tape_leaf(t, 3, (int[]){1, 6, D}),
                  tape_leaf(t, 2, (int[]){D, D}), NULL, ACT_NONE);
        assert_true(low ? tape_scratch_bytes(t) >= 6 * D * sizeof(uint16_t)
                        : tape_scratch_bytes(t) <= 0);
        tape_free(t);
    }
}

static void estimated_memory(void **state)
{
    const struct gemm small = {.m = 16, .n = 16, .k = 16};

    (void)state;
    assert_true(estimated(32, 1) > 0 && estimated(256, 1) > 0);
    assert_true(estimated(256, 0) > 0);
    assert_true((estimated(32, 0) > 0) ==
                (backend_product_bytes(&small, 0, PRECISION_FP32) > 0));
}

#endif

/* ---- values kept during a step ---- */

enum { LAYERS = 5, WIDE = 32, TENSOR = WIDE * WIDE * sizeof(real) };

static tensor *chain(struct tape *t, tensor *x, tensor *w)
{
    for (int i = 0; i < LAYERS; i++)
        x = ad_linear(t, x, w, NULL, ACT_NONE);
    return x;
}

static tensor *residuals(struct tape *t, tensor *x, tensor *w)
{
    for (int i = 0; i < LAYERS; i++)
        x = ad_residual(t, x, ad_linear(t, x, w, NULL, ACT_NONE));
    return x;
}

/* Returns the memory of a step, in units of a WIDE x WIDE tensor. leaf_sum
 * takes one unit. */
static double tensors(tensor *graph(struct tape *, tensor *, tensor *),
                      int backward)
{
    struct arena *a = arena_new();
    struct tape *t = tape_new(&backend_cpu);
    tensor *x = leaf_new(a, 0, 2, (int[]){WIDE, WIDE});
    tensor *w = leaf_new(a, 1, 2, (int[]){WIDE, WIDE});

    tape_begin(t, backward ? TAPE_TRAIN : TAPE_EVAL, key, 0, 0);
    tensor *y = graph(t, x, w);
    if (backward)
        tape_backward(t, leaf_sum(t, y));
    double n = (double)(arena_peak(t->data) / TENSOR);
    tape_free(t);
    arena_free(a);
    return n;
}

/* At most two gradients exist at a time, because the summand of a residual
 * reuses the gradient of the sum. The value of the sum is not kept; the next
 * value reuses its space. */
static void kept_tensors(void **state)
{
    (void)state;
    assert_true(tensors(chain, 0) == LAYERS);
    assert_true(tensors(chain, 1) == LAYERS + 1 + 2);
    assert_true(tensors(residuals, 0) == LAYERS + 1);
    assert_true(tensors(residuals, 1) == LAYERS + 1 + 1 + 2);
}

/* y = x + z + z with z = relu(u): where z is not 0, the gradient of u is twice
 * that of x. */
static void summand_twice(void **state)
{
    struct arena *a = arena_new();
    struct tape *t = tape_new(&backend_cpu);
    tensor *x = leaf_new(a, 0, 2, (int[]){4, 4});
    tensor *u = leaf_new(a, 1, 2, (int[]){4, 4});
    tensor *one = leaf_new(a, 2, 2, (int[]){4, 4});

    (void)state;
    for (int i = 0; i < 16; i++)
        one->x[i] = i % 5 == 0;
    tape_begin(t, TAPE_TRAIN, key, 0, 0);
    tensor *z = ad_linear(t, u, one, NULL, ACT_RELU);
    tensor *y = ad_residual(t, ad_residual(t, x, z), z);
    tape_backward(t, leaf_sum(t, y));
    for (int i = 0; i < 16; i++)
        assert_true(u->g[i] == (u->x[i] > 0 ? 2 * x->g[i] : 0));
    tape_free(t);
    arena_free(a);
}

/* The value of a node is kept if the backward pass reads it; the value of a
 * leaf is always kept. */
static void kept_values(void **state)
{
    struct arena *a = arena_new();
    struct tape *t = tape_new(&backend_cpu);
    tensor *x = leaf_new(a, 0, 2, (int[]){4, 4});
    tensor *w = leaf_new(a, 1, 2, (int[]){4, 4});

    (void)state;
    tape_begin(t, TAPE_TRAIN, key, 0, 0);
    tensor *relu = ad_linear(t, x, w, NULL, ACT_RELU);
    tensor *share = ad_softmax(t, x, 2);
    tensor *plain = ad_linear(t, x, w, NULL, ACT_NONE);
    ad_residual(t, x, relu);
    ad_residual(t, x, share);
    ad_residual(t, x, plain);
    ad_residual(t, relu, x);
    assert_true(x->x && relu->x && share->x && !plain->x);
    tape_free(t);
    arena_free(a);
}

/* Two linear maps with relu between them, on bfloat16 operands.  Returns the
 * gradients of x and of both matrices; if `shrinks` is set, releases the input
 * of the second map. */
static void two_maps(int shrinks, real g[3][16])
{
    struct arena *a = arena_new();
    struct tape *t = tape_new(&backend_bf16);
    tensor *leaf[3];

    for (int i = 0; i < 3; i++)
        leaf[i] = leaf_new(a, (uint32_t)i, 2, (int[]){4, 4});
    tape_begin(t, TAPE_TRAIN, key, 0, 0);
    tensor *z = ad_linear(t, leaf[0], leaf[1], NULL, ACT_RELU);
    tensor *y = ad_linear(t, z, leaf[2], NULL, ACT_NONE);
    if (shrinks)
        tape_shrink(t, z);
    assert_int_equal(!z->x, shrinks);
    tape_backward(t, leaf_sum(t, y));
    for (int i = 0; i < 3; i++)
        memcpy(g[i], leaf[i]->g, sizeof g[i]);
    tape_free(t);
    arena_free(a);
}

static void shrunk_input(void **state)
{
    real whole[3][16], shrunk[3][16];

    (void)state;
    two_maps(0, whole);
    two_maps(1, shrunk);
    assert_bits("gradients", shrunk[0], whole[0], 3 * 16);
}

/* The value of x stays in each of these cases: another op's backward reads it;
 * x is a leaf; the tape is in evaluation mode; products read float32. */
static void unshrunk(void **state)
{
    enum { OTHER = 1, LEAF = 2, EVAL = 3, FLOAT = 4, CASES };

    (void)state;
    for (int c = 0; c < CASES; c++) {
        struct arena *a = arena_new();
        struct tape *t = tape_new(c == FLOAT ? &backend_cpu : &backend_bf16);
        tensor *leaf = leaf_new(a, 0, 2, (int[]){4, 4});
        tensor *w = leaf_new(a, 1, 2, (int[]){4, 4});

        tape_begin(t, c == EVAL ? TAPE_EVAL : TAPE_TRAIN, key, 0, 0);
        tensor *x = c == LEAF ? leaf : ad_linear(t, leaf, w, NULL, ACT_RELU);
        ad_linear(t, x, w, NULL, ACT_NONE);
        if (c == OTHER)
            ad_softmax(t, x, 2);
        tape_shrink(t, x);
        assert_int_equal(!x->x, c == 0);
        tape_free(t);
        arena_free(a);
    }
}

/* Fused attention reads q, k and v as bfloat16; otherwise backward reads their
 * values. */
static void fused_factors(void **state)
{
    (void)state;
    for (int fuses = 0; fuses < 2; fuses++) {
        struct arena *a = arena_new();
        struct tape *t = tape_new(count_open(PRECISION_BF16, fuses));
        tensor *x = leaf_new(a, 0, 3, (int[]){2, 3, 4}), *of[3];
        tensor *w = leaf_new(a, 1, 2, (int[]){4, 4});

        tape_begin(t, TAPE_TRAIN, key, 0, 0);
        for (int i = 0; i < 3; i++)
            of[i] = ad_linear(t, x, w, NULL, ACT_NONE);
        ad_attend(t, ad_dot_scores(t, of[0], of[1], 2, 1), of[2],
                  (struct keys){.causal = 1});
        for (int i = 0; i < 3; i++) {
            tape_shrink(t, of[i]);
            assert_int_equal(!of[i]->x, fuses);
        }
        tape_free(t);
        arena_free(a);
    }
}

static void steady_state(void **state)
{
    struct arena *a = arena_new();
    struct tape *t = tape_new(&backend_cpu);
    tensor *w[8];
    size_t held = 0;

    (void)state;
    weights_of_layer(a, w);
    for (int step = 0; step < 5; step++) {
        flops_of(t, w);
        size_t now = arena_held(t->nodes) + arena_held(t->data);

        if (step > 1)
            assert_int_equal(now, held);
        held = now;
    }
    tape_free(t);
    arena_free(a);
}

struct seen { int n, layer; enum tape_place place; struct attend of;
              real x[64]; };

static void see_logits(void *arg, enum tape_place place, int layer,
                       const struct attend *a, const real *x)
{
    struct seen *s = arg;
    size_t b = a->shared ? 1 : (size_t)a->b;

    s->n++;
    s->layer = layer;
    s->place = place;
    s->of = *a;
    memcpy(s->x, x, (size_t)a->h * b * (size_t)a->n * (size_t)a->m * sizeof *x);
}

/* Logits are reported before the softmax overwrites them. The weights of a
 * convolution also pass through a softmax; the taps of each convolution kernel
 * are reported as one row of logits. */
static void logits_told(void **state)
{
    struct arena *a = arena_new();
    struct tape *t = tape_new(&backend_cpu);
    tensor *b = leaf_new(a, 1, 4, (int[]){2, 1, 3, 3});
    tensor *v = leaf_new(a, 2, 3, (int[]){2, 3, 4});
    tensor *taps = leaf_new(a, 3, 2, (int[]){3, 8});
    struct seen s = {0};

    (void)state;
    tape_begin(t, TAPE_EVAL, key, 0, 0);
    t->logits = see_logits;
    t->watch_arg = &s;
    t->place = TAPE_DECODER;
    t->layer = 7;
    ad_attend(t, b, v, (struct keys){.causal = 1});
    assert_int_equal(s.n, 1);
    assert_true(s.place == TAPE_DECODER && s.layer == 7 && s.of.causal);
    assert_bits("scores", s.x, b->x, tensor_len(b));
    ad_softmax(t, taps, 4);
    assert_true(s.n == 2 && s.of.n == 6 && s.of.m == 4 && s.of.h == 1);
    assert_true(attend_visible(&s.of, 0, 5) == 4);
    assert_bits("taps", s.x, taps->x, tensor_len(taps));
    tape_free(t);
    arena_free(a);
}

/* Returns how often a kernel was called since the last call of this function or
 * count_open. */
static double calls_of(const char *kernel)
{
    struct counted all[COUNTED];
    double calls = 0;

    count_read(all);
    for (int i = 0; i < COUNTED; i++)
        calls += strcmp(all[i].name, kernel) ? 0 : all[i].calls;
    return calls;
}

/* The kernel of fused attention reads heads of up to 128 columns. */
static void wide_heads(void **state)
{
    (void)state;
    for (int k = FUSED_WIDTH; k <= FUSED_WIDTH + 1; k++) {
        struct arena *a = arena_new();
        struct tape *t = tape_new(count_open(PRECISION_BF16, 1));
        tensor *x = leaf_new(a, 1, 3, (int[]){1, 3, 2 * k});
        tensor *w = leaf_new(a, 2, 3, (int[]){2, k, 5});
        tensor *narrow = leaf_new(a, 3, 3, (int[]){1, 3, 8});

        tape_begin(t, TAPE_TRAIN, key, 0, 0);
        tensor *dots = ad_dot_scores(t, x, x, 2, 1);
        tensor *dense = ad_head_linear(t, x, w, NULL, ACT_NONE, 5);
        tensor *thin = ad_dot_scores(t, narrow, narrow, 2, 1);
        assert_int_equal(dots->form != NULL, k == FUSED_WIDTH);
        assert_int_equal(dense->form != NULL, k == FUSED_WIDTH);
        assert_non_null(thin->form);
        tensor *y = ad_attend(t, thin, x, (struct keys){0});
        assert_true(y->dim[2] == 2 * k);
        assert_int_equal(calls_of("fuse"), k == FUSED_WIDTH);
        tape_free(t);
        arena_free(a);
    }
}

/* A convolution takes 2 b n d K FLOPs: each output value is a sum of K
 * products. */
static void conv_counts(void **state)
{
    struct arena *a = arena_new();
    tensor *u = leaf_new(a, 1, 3, (int[]){2, 5, 6});
    tensor *taps = leaf_new(a, 2, 2, (int[]){3, 4});
    struct tape *t[] = {tape_new(&backend_cpu), tape_dry(PRECISION_FP32)};

    (void)state;
    for (int i = 0; i < 2; i++) {
        tape_begin(t[i], TAPE_EVAL, key, 0, 0);
        ad_conv(t[i], u, taps, NULL, 5, 3, 0, 0);
        assert_true(t[i]->flops == 2.0 * 2 * 5 * 6 * 4);
        tape_free(t[i]);
    }
    arena_free(a);
}

#ifndef PLAIN_PRODUCTS /* plain products do the rounding, so they take no
                          lowered operands */

/* The same operand is used as A and as B. */
static void lowered_operand(void **state)
{
    enum { N = 2 };
    struct tape *t = tape_new(&backend_bf16);
    const struct gemm s = {.m = N, .n = N, .k = N, .lda = N, .ldb = N,
                           .ldc = N};
    real x[N * N] = {3, 0, 0, 3}, one[N * N] = {1, 0, 0, 1}, y[2][N * N];

    (void)state;
    backend_bf16.thread_begin();
    for (int raised = 0; raised < 2; raised++) {
        if (!raised)
            tape_lower(t, N * N, x);
        x[0] = 5;
        tape_gemm(t, &s, x, one, NULL, y[0]);
        tape_gemm(t, &s, one, x, NULL, y[1]);
        for (int i = 0; i < 2; i++)
            assert_true(y[i][0] == (raised ? 5 : 3) && y[i][3] == 3);
        tape_raise(t);
    }
    tape_free(t);
}

#endif

int main(void)
{
    const struct CMUnitTest tape[] = {
        {"dropout keeps its share, independently for neighbours", kept_share,
         NULL, NULL, NULL},
        {"a packed token has the same mask as in padded rows",
         masks_of_packed_rows, NULL, NULL, NULL},
        {"a mask depends on key, site and row, not on the shard", masks_of_rows,
         NULL, NULL, NULL},
        {"dropout keeps a share 1 - dropout and divides by it", kept_scale,
         NULL, NULL, NULL},
        {"attention with dropout has the same bits in any shard", attend_shards,
         NULL, NULL, NULL},
        {"each head has its own mask, which the observer gets with its place",
         masks_of_heads, NULL, NULL, NULL},
        {"an observer gets the inputs of each softmax, scores and taps",
         logits_told, NULL, NULL, NULL},
        {"the dry backend counts the operations and bytes of the real one",
         dry_counts, NULL, NULL, NULL},
        {"heads wider than the kernel's are not fused", wide_heads, NULL, NULL,
         NULL},
        {"the operations of a convolution include its taps", conv_counts, NULL,
         NULL, NULL},
        {"a step keeps only what the backward pass reads", kept_tensors, NULL,
         NULL, NULL},
        {"a tensor added twice has the sum of both gradients", summand_twice,
         NULL, NULL, NULL},
        {"a value that the backward pass reads is not reused", kept_values,
         NULL, NULL, NULL},
        {"gradients from bfloat16 copies of inputs have the same bits",
         shrunk_input, NULL, NULL, NULL},
        {"only values that no op reads any more are released", unshrunk, NULL,
         NULL, NULL},
        {"fused attention keeps only bfloat16 copies of its factors",
         fused_factors, NULL, NULL, NULL},
#ifndef PLAIN_PRODUCTS
        {"a dry run counts the memory of rounded operands", estimated_operands,
         NULL, NULL, NULL},
        {"memory is estimated for library products, not for small ones",
         estimated_memory, NULL, NULL, NULL},
        {"a lowered operand is used in bfloat16 until it is raised",
         lowered_operand, NULL, NULL, NULL},
#endif
        {"after two steps, a step allocates nothing", steady_state, NULL, NULL,
         NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("tape", tape, NULL, NULL);
}
