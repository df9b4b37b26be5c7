#include "harness/engine/ops.h"
#include "tests/support/gradcheck.h"
#include "tests/support/leaf.h"
#include "tests/support/op_case.h"

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

struct graph {
    const struct op_case *c;
    tensor *in[OP_INPUTS];
    real want[1024]; /* gradients of all inputs, concatenated */
};

static tensor *build(struct tape *t, void *arg)
{
    struct graph *g = arg;

    return g->c->run(t, g->in);
}

#ifdef REAL_DOUBLE

/* ---- gradients: MODE=double ---- */

/* Computes the gradient for all inputs except `frozen`; if it is -1, for all
 * inputs. */
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

/* Writes the value and the gradients of all inputs to out. */
static size_t all_of(struct graph *g, struct tape *t, double dropout,
                     real *out)
{
    tape_begin(t, TAPE_TRAIN, key, 0, dropout);
    for (int i = 0; i < g->c->nin; i++)
        memset(g->in[i]->g, 0, tensor_len(g->in[i]) * sizeof(real));
    tensor *y = build(t, g);
    size_t n = tensor_len(y);
    memcpy(out, y->x, n * sizeof(real));
    tape_backward(t, y->nd == 0 ? y : leaf_sum(t, y));
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

/* ---- blank gradients ---- */

/* Computes the gradients of all inputs that have one, in their places: either
 * added to zeros, or written over old values that must be ignored. */
static size_t gradients(struct graph *g, struct tape *t, double dropout,
                        int blank, real *out)
{
    size_t n = 0;

    tape_begin(t, TAPE_TRAIN, key, 0, dropout);
    for (int i = 0; i < g->c->nin; i++) {
        tensor *x = g->in[i];

        for (size_t j = 0; x->g && j < tensor_len(x); j++)
            x->g[j] = blank ? NAN : 0;
        x->blank = x->g && blank;
    }
    tensor *y = build(t, g);
    tape_backward(t, y->nd == 0 ? y : leaf_sum(t, y));
    for (int i = 0; i < g->c->nin; i++) {
        tensor *x = g->in[i];

        assert_false(x->blank);
        if (x->g)
            memcpy(out + n, x->g, tensor_len(x) * sizeof(real));
        n += tensor_len(x);
    }
    return n;
}

static void blank_gradients(void **state)
{
    struct arena *a = arena_new();
    struct tape *t = tape_new(&backend_cpu);
    real got[1024], want[1024];

    (void)state;
    for (int i = 0; i < op_cases; i++) {
        struct graph g = {.c = &op_case[i]};

        op_inputs(g.c, a, g.in);
        for (int drop = 0; drop <= g.c->drops; drop++) {
            size_t n = gradients(&g, t, 0.3 * drop, 0, want);

            assert_int_equal(gradients(&g, t, 0.3 * drop, 1, got), n);
            assert_reals(g.c->name, got, want, n, 0);
        }
    }
    tape_free(t);
    arena_free(a);
}

/* ---- frozen inputs ---- */

/* Checks that the other inputs have the gradients g->want, to the bit, if input
 * `frozen` has none. */
static void without_one(struct graph *g, struct tape *t, double dropout,
                        int frozen)
{
    tensor *x = g->in[frozen];
    real *own = x->g, all[1024];
    size_t at = 0;

    x->g = NULL;
    gradients(g, t, dropout, 1, all);
    x->g = own;
    for (int i = 0; i < g->c->nin; i++) {
        size_t n = tensor_len(g->in[i]);

        if (i != frozen)
            assert_bits(g->c->name, all + at, g->want + at, n);
        at += n;
    }
}

static void frozen_inputs(void **state)
{
    struct arena *a = arena_new();
    struct tape *t = tape_new(&backend_cpu);

    (void)state;
    for (int i = 0; i < op_cases; i++) {
        struct graph g = {.c = &op_case[i]};

        op_inputs(g.c, a, g.in);
        for (int drop = 0; drop <= g.c->drops && !g.c->whole; drop++) {
            gradients(&g, t, 0.3 * drop, 1, g.want);
            for (int k = 0; k < g.c->nin && g.c->nin > 1; k++)
                without_one(&g, t, 0.3 * drop, k);
        }
    }
    tape_free(t);
    arena_free(a);
}

/* ---- masks ---- */

static void masked_rows(void **state)
{
    static const int length[] = {0, 2};
    struct arena *a = arena_new();
    struct tape *t = tape_new(&backend_cpu);
    tensor *b = leaf_new(a, 1, 4, (int[]){2, 2, 3, 3});
    tensor *v = leaf_new(a, 2, 3, (int[]){2, 3, 4});

    (void)state;
    for (int i = 0; i < 9; i++) /* masked scores have no effect */
        b->x[i] = b->x[18 + i] = (real)(i % 2 ? INFINITY : NAN);
    for (int causal = 0; causal < 2; causal++) {
        struct keys keys = {0, causal, length, 0};

        tape_begin(t, TAPE_TRAIN, key, 0, 0.2);
        memset(b->g, 0, tensor_len(b) * sizeof(real));
        memset(v->g, 0, tensor_len(v) * sizeof(real));
        tensor *y = ad_attend(t, b, v, keys);
        for (int i = 0; i < 12; i++)
            assert_true(y->x[i] == 0 && isfinite(y->x[12 + i]));
        tape_backward(t, leaf_sum(t, y));
        for (int i = 0; i < 12; i++)
            assert_true(v->g[i] == 0 && isfinite(v->g[12 + i]));
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
    tensor *y = ad_attend(t, b, v, (struct keys){.length = length});
    tape_backward(t, leaf_sum(t, y));
    for (size_t i = 0; i < tensor_len(b); i++)
        assert_true(b->g[i] == 0);
    tape_free(t);
    arena_free(a);
}

/* ---- blocks of rows ---- */

/* 160 targets: a block of 128 and one of 32. */
enum { WIDE = 9000, BLOCK_B = 3, BLOCK_M = 60, BLOCK_D = 4, TARGETS = 160 };

/* Computes the gradient d[v] = p_v - q_v of one row, with softmax p and target
 * distribution q. Returns the loss -sum q log p. */
static double wide_row(const real *y, const real *table, int target, double e,
                       double *d)
{
    double mass = 0, loss = 0;

    for (int v = 0; v < WIDE; v++) {
        d[v] = 0;
        for (int k = 0; k < BLOCK_D; k++)
            d[v] += (double)y[k] * (double)table[v * BLOCK_D + k];
        mass += exp(d[v]);
    }
    for (int v = 0; v < WIDE; v++) {
        double q = v == target ? 1 - e : e / (WIDE - 1);

        loss -= q * (d[v] - log(mass));
        d[v] = exp(d[v]) / mass - q;
    }
    return loss;
}

/* Computes the loss and its gradients for targets in several blocks of rows. */
static void blocks(void **state)
{
    static const int length[BLOCK_B] = {60, 47, 53};
    static double d[WIDE], gy[BLOCK_B * BLOCK_M * BLOCK_D], gt[WIDE * BLOCK_D];
    int target[BLOCK_B * BLOCK_M];
    struct arena *a = arena_new();
    struct tape *t = tape_new(&backend_cpu);
    tensor *y = leaf_new(a, 1, 3, (int[]){BLOCK_B, BLOCK_M, BLOCK_D});
    tensor *table = leaf_new(a, 2, 2, (int[]){WIDE, BLOCK_D});
    struct loss l = {.target = target, .length = length, .smoothing = 0.1,
                     .scale = 1.0 / TARGETS};
    double sum = 0;

    (void)state;
    for (int r = 0; r < BLOCK_B * BLOCK_M; r++) {
        const real *row = y->x + r * BLOCK_D;

        target[r] = r * 331 % WIDE;
        if (r % BLOCK_M >= length[r / BLOCK_M])
            continue;
        sum += wide_row(row, table->x, target[r], 0.1, d) / TARGETS;
        for (int i = 0; i < WIDE * BLOCK_D; i++) {
            int v = i / BLOCK_D, k = i % BLOCK_D;

            gy[r * BLOCK_D + k] += d[v] * (double)table->x[i] / TARGETS;
            gt[i] += d[v] * (double)row[k] / TARGETS;
        }
    }
    tape_begin(t, TAPE_TRAIN, key, 0, 0);
    tape_backward(t, ad_vocab_loss(t, y, table, &l));
    assert_true(fabs(l.sum - sum) < CLOSE * sum);
    assert_near("gradient of y", y->g, gy, tensor_len(y), CLOSE);
    assert_near("gradient of the table", table->g, gt, tensor_len(table),
                CLOSE / 10);
    tape_free(t);
    arena_free(a);
}

/* A batch in which every sentence is empty, or given as a prompt. */
static void nothing_to_predict(void **state)
{
    static const int target[] = {1, 2, 3, 4, 5, 0}, some[] = {2, 3};
    static const int none[] = {0, 0};
    struct arena *a = arena_new();
    struct tape *t = tape_new(&backend_cpu);
    tensor *y = leaf_new(a, 1, 3, (int[]){2, 3, 4});
    tensor *table = leaf_new(a, 2, 2, (int[]){7, 4});

    (void)state;
    for (int given = 0; given < 2; given++) {
        double nll[6] = {9, 9, 9, 9, 9, 9};
        unsigned char hit[6] = {9, 9, 9, 9, 9, 9};
        struct loss l = {.target = target, .length = given ? some : none,
                         .prompt = given ? some : NULL, .scale = 1,
                         .sum = 9, .nll = nll, .hit = hit};

        for (size_t i = 0; i < tensor_len(table); i++)
            table->g[i] = y->g[i % tensor_len(y)] = 0;
        tape_begin(t, TAPE_TRAIN, key, 0, 0);
        tape_backward(t, ad_vocab_loss(t, y, table, &l));
        assert_true(l.sum == 0);
        for (int i = 0; i < 6; i++)
            assert_true(nll[i] == 0 && hit[i] == 0);
        for (size_t i = 0; i < tensor_len(table); i++)
            assert_true(table->g[i] == 0 && y->g[i % tensor_len(y)] == 0);
    }
    tape_free(t);
    arena_free(a);
}

static const struct CMUnitTest others[] = {
#ifdef REAL_DOUBLE
    {"the gradient check finds an error of one in a million, and NaN",
     finds_faults, NULL, NULL, NULL},
#endif
    {"a row whose keys are all masked gives zeros, for any scores", masked_rows,
     NULL, NULL, NULL},
    {"the gradient of the scores is exactly 0 where one key is visible",
     one_key, NULL, NULL, NULL},
    {"every op overwrites a blank gradient", blank_gradients, NULL, NULL, NULL},
    {"an input without a gradient changes no bit of the others'",
     frozen_inputs, NULL, NULL, NULL},
    {"a batch without targets has no loss and no gradient",
     nothing_to_predict, NULL, NULL, NULL},
    {"the loss of a large vocabulary, in blocks, equals the formula", blocks,
     NULL, NULL, NULL},
};

enum { OTHERS = sizeof others / sizeof *others };

/* One test per case: of gradients in double precision, of products in single
 * precision. */
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
