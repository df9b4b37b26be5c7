#include "harness/engine/flops.h"
#include "harness/engine/ops.h"
#include "tests/gradcheck.h"
#include "tests/leaf.h"
#include "tests/op_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef REAL_DOUBLE
#include "harness/engine/cpu/cpu.h"
#endif

static const struct rng_key key = {.seed = 3, .stream = RNG_DROPOUT};

struct graph { const struct op_case *c; tensor *in[OP_INPUTS]; };

static tensor *build(struct tape *t, void *arg)
{
    struct graph *g = arg;

    return g->c->run(t, g->in);
}

#ifdef REAL_DOUBLE

/* ---- gradients: MODE=double ---- */

/* The gradient by all inputs but one; frozen -1: by all. */
static void without(struct graph *g, struct tape *t, double dropout,
                    int frozen)
{
    tensor *wrt[OP_INPUTS];
    int n = 0;

    for (int i = 0; i < g->c->nin; i++)
        if (i != frozen)
            wrt[n++] = g->in[i];
    real *keep = frozen < 0 ? NULL : g->in[frozen]->g;
    if (frozen >= 0)
        g->in[frozen]->g = NULL;
    assert_gradient(g->c->name, t, dropout, build, g, n, wrt);
    if (frozen >= 0)
        g->in[frozen]->g = keep;
}

static void gradient(void **state)
{
    struct graph g = {.c = *state};
    struct arena *a = arena_new();
    struct tape *t = tape_new(&backend_cpu);

    op_inputs(g.c, a, g.in);
    for (int drop = 0; drop <= g.c->drops; drop++) {
        without(&g, t, 0.3 * drop, -1);
        for (int i = 0; i < g.c->nin && g.c->nin > 1 && !g.c->whole; i++)
            without(&g, t, 0.3 * drop, i);
    }
    tape_free(t);
    arena_free(a);
}

static void wrong_back(struct tape *t, tensor *y)
{
    t->be->axpy(tensor_len(y), (real)1.000001, y->g, y->in[0]->g);
}

static tensor *wrong(struct tape *t, void *arg)
{
    tensor *x = arg, *y = tape_node(t, x->nd, x->dim, wrong_back, 1, &x);

    t->be->put(y->x, x->x, tensor_len(x) * sizeof(real));
    return y;
}

static void finds_faults(void **state)
{
    struct arena *a = arena_new();
    struct tape *t = tape_new(&backend_cpu);
    tensor *x = leaf_new(a, 1, 1, (int[]){5});
    double worst = gradcheck(t, 0, wrong, x, 1, &x, NULL);

    (void)state;
    assert_true(worst > 0.9e-6 && worst < 1.1e-6);
    x->x[2] = NAN;
    assert_true(isnan(gradcheck(t, 0, wrong, x, 1, &x, NULL)));
    tape_free(t);
    arena_free(a);
}

#else

/* ---- oneDNN against plain loops ---- */

static void plain_gemm(const struct gemm *s, const real *a, const real *b,
                       const real *bias, real *c)
{
    cpu_gemm_plain(s, a, b, bias, c);
}

/* Value, then the gradients of all inputs, into out. */
static size_t all_of(struct graph *g, struct tape *t, double dropout,
                     real *out)
{
    tape_begin(t, TAPE_TRAIN, key, 0, dropout);
    for (int i = 0; i < g->c->nin; i++)
        memset(g->in[i]->g, 0, tensor_len(g->in[i]) * sizeof(real));
    tensor *y = build(t, g);
    size_t n = tensor_len(y);
    memcpy(out, y->x, n * sizeof(real));
    tape_backward(t, y->nd == 0 ? y : weighted_sum(t, y));
    for (int i = 0; i < g->c->nin; i++) {
        size_t len = tensor_len(g->in[i]);

        memcpy(out + n, g->in[i]->g, len * sizeof(real));
        n += len;
    }
    return n;
}

static void same_as_plain(void **state)
{
    struct graph g = {.c = *state};
    struct backend plain = backend_cpu;
    struct arena *a = arena_new();
    struct tape *fast = tape_new(&backend_cpu), *slow = tape_new(&plain);
    real got[1024], want[1024];

    plain.gemm = plain_gemm;
    op_inputs(g.c, a, g.in);
    for (int drop = 0; drop <= g.c->drops; drop++) {
        size_t n = all_of(&g, fast, 0.3 * drop, got);

        assert_int_equal(all_of(&g, slow, 0.3 * drop, want), n);
        assert_reals(g.c->name, got, want, n, 1e-5);
    }
    tape_free(fast);
    tape_free(slow);
    arena_free(a);
}

#endif

/* ---- masks ---- */

static void masked_rows(void **state)
{
    static const int length[] = {0, 2};
    struct arena *a = arena_new();
    struct tape *t = tape_new(&backend_cpu);
    tensor *b = leaf_new(a, 1, 4, (int[]){2, 2, 3, 3});
    tensor *v = leaf_new(a, 2, 3, (int[]){2, 3, 4});

    (void)state;
    for (int i = 0; i < 9; i++) /* scores of what is hidden mean nothing */
        b->x[i] = b->x[18 + i] = (real)(i % 2 ? INFINITY : NAN);
    for (int causal = 0; causal < 2; causal++) {
        struct keys keys = {0, causal, length};

        tape_begin(t, TAPE_TRAIN, key, 0, 0.2);
        memset(b->g, 0, tensor_len(b) * sizeof(real));
        memset(v->g, 0, tensor_len(v) * sizeof(real));
        tensor *y = ad_attend(t, b, v, keys);
        tape_backward(t, weighted_sum(t, y));
        for (int i = 0; i < 12; i++) {
            assert_true(y->x[i] == 0 && v->g[i] == 0);
            assert_true(isfinite(y->x[12 + i]) && isfinite(v->g[12 + i]));
        }
        for (int h = 0; h < 2; h++)
            for (int i = 0; i < 9; i++)
                assert_true(b->g[18 * h + i] == 0 &&
                            isfinite(b->g[18 * h + 9 + i]));
    }
    tape_free(t);
    arena_free(a);
}

static void one_key(void **state)
{
    static const int length[] = {1, 1};
    struct arena *a = arena_new();
    struct tape *t = tape_new(&backend_cpu);
    tensor *b = leaf_new(a, 1, 4, (int[]){2, 2, 3, 3});
    tensor *v = leaf_new(a, 2, 3, (int[]){2, 3, 4});

    (void)state;
    tape_begin(t, TAPE_TRAIN, key, 0, 0);
    tape_backward(t, weighted_sum(t, ad_attend(t, b, v, (struct keys){
                                                            0, 0, length})));
    for (size_t i = 0; i < tensor_len(b); i++)
        assert_true(b->g[i] == 0);
    tape_free(t);
    arena_free(a);
}

/* ---- dropout ---- */

static void kept_share(void **state)
{
    enum { DRAWS = 1 << 20 };
    static unsigned char kept[DRAWS];
    static const double keep[] = {0.9, 0.5, 0.123};

    (void)state;
    for (int k = 0; k < 3; k++) {
        double p = keep[k], sum = 0, pairs = 0;

        backend_cpu.drop_draw(DRAWS, key, 5, (real)p, kept);
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

/* Attention with dropout of three sentences, and of the last two alone. */
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
    memcpy(want, ad_attend(t, b, v, (struct keys){0, 1, length})->x,
           sizeof want);
    last.dim[0] = 2;
    last.x += 4 * 6;
    tape_begin(t, TAPE_TRAIN, key, 1, 0.5);
    tensor *y = ad_attend(t, b, &last, (struct keys){0, 1, length + 1});
    assert_bits("attend", y->x, want + 4 * 6, 2 * 4 * 6);
    tape_free(t);
    arena_free(a);
}

/* ---- what a step costs ---- */

/* A layer with one of each op that multiplies. */
static tensor *layer(struct tape *t, tensor *const w[])
{
    static const int id[] = {0, 1, 2, 3, 4, 5, 6, 7}, length[] = {4, 3};
    static real zeros[4 * 6];
    static const tensor wave = {.nd = 2, .dim = {4, 6}, .x = zeros};
    struct loss l = {.target = id, .length = length, .scale = 1};
    tensor *x = ad_embed(t, w[0], &wave, id, 2, 4, 0, 1);

    x = ad_norm(t, x, w[1], w[2], 1e-6);
    tensor *q = ad_linear(t, x, w[3], w[2], ACT_RELU);
    tensor *part[] = {ad_dot_scores(t, q, x, 2, 0.5),
                      ad_corner(t, w[4], 0, 4, 4),
                      ad_low_rank(t, w[5], w[5], 0, 4, 4),
                      ad_head_linear(t, x, w[6], NULL, ACT_NONE, 4)};
    tensor *b = ad_mix(t, 4, part, w[7]);
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
    double before = flops_total();

    tape_begin(t, TAPE_TRAIN, key, 0, 0.1);
    tape_backward(t, layer(t, w));
    return flops_total() - before;
}

/* The dry backend counts what depends on data, the rows that are not padding,
 * as the real one does. */
static void dry_counts(void **state)
{
    struct arena *a = arena_new();
    struct tape *dry = tape_dry(), *real_one = tape_new(&backend_cpu);
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

static const struct CMUnitTest others[] = {
#ifdef REAL_DOUBLE
    {"the gradient check finds an error of one in a million, and NaN",
     finds_faults, NULL, NULL, NULL},
#endif
    {"a row whose keys are all masked gives zeros, whatever its scores",
     masked_rows, NULL, NULL, NULL},
    {"the gradient of the scores is exactly 0 where one key is visible",
     one_key, NULL, NULL, NULL},
    {"dropout keeps its share, independently of the neighbour", kept_share,
     NULL, NULL, NULL},
    {"a mask depends on key, site and row, not on the shard", masks_of_rows,
     NULL, NULL, NULL},
    {"attention with dropout has the same bits in any shard", attend_shards,
     NULL, NULL, NULL},
    {"the dry backend counts the operations and bytes of the real one",
     dry_counts, NULL, NULL, NULL},
    {"a step allocates nothing once two have been made", steady_state, NULL,
     NULL, NULL},
};

enum { OTHERS = sizeof others / sizeof *others };

/* One test a case: its gradient in double, its products in float. */
int main(void)
{
    struct CMUnitTest test[OTHERS + 64];

    memcpy(test, others, sizeof others);
    for (int i = 0; i < op_cases; i++)
#ifdef REAL_DOUBLE
        test[OTHERS + i] = (struct CMUnitTest){
            op_case[i].name, gradient, NULL, NULL, (void *)&op_case[i]};
#else
        test[OTHERS + i] = (struct CMUnitTest){
            op_case[i].name, same_as_plain, NULL, NULL, (void *)&op_case[i]};
#endif
    return _cmocka_run_group_tests("ops", test,
                                   (size_t)(OTHERS + op_cases), NULL, NULL);
}
