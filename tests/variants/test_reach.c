/* The change of a variant's logits by the first step of Adam, compared with the
 * two formulas in the file of the variant. Derivatives are computed as
 * differences, because a logit is linear in each parameter, or nearly so. */
#include "harness/nn/optim.h"
#include "harness/verify/attention/layer.h"
#include "tests/support/leaf.h"
#include "tests/support/select_variants.h"
#include "variants/variants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a variant on rows with mean square 1 ---- */

enum { D = 32, H = 2, K = D / H, ROWS = 12, KEYS = 24, R = 8, TAPS = 7,
       SLOTS = 6, SEEDS = 3 };

static const struct model_config small = {
    .d = D, .heads = H, .N = KEYS, .rank = R, .r_scale = 1, .dense_bias = 1,
    .dot_scale = 1, .projection = SLOTS, .conv_width = {1, {TAPS}}};

struct form {
    struct params     plan, params, view;
    struct attention *of;
    struct tape      *tape;
    struct arena     *memory;
    tensor           *x;      /* (1,ROWS,D) */
    const char       *own;    /* prefix of its parameters: "dense." */
    real             *b;      /* the most recent logits                    */
    size_t            n, room;
};

static void declare(struct form *f, const char *name, struct params *ps)
{
    struct mix m = named_mix(name);

    f->of = attention_new(&m, &small, ps);
}

static void form_open(struct form *f, const char *name, uint64_t seed)
{
    static char own[64];

    *f = (struct form){.memory = arena_new(), .own = own};
    snprintf(own, sizeof own, "%s.", name);
    params_count(&f->plan);
    declare(f, name, &f->plan);
    params_open(&f->params, &f->plan, &backend_cpu, seed);
    declare(f, name, &f->params);
    params_view(&f->view, &f->params);
    declare(f, name, &f->view);
    f->tape = tape_new(&backend_cpu);
    f->x = leaf_new(f->memory, seed, 3, (int[]){1, ROWS, D});
    for (int i = 0; i < ROWS; i++) {
        real *row = f->x->x + (size_t)i * D;
        double sum = 0;

        for (int j = 0; j < D; j++)
            sum += (double)row[j] * (double)row[j];
        for (int j = 0; j < D; j++)
            row[j] *= (real)sqrt(D / sum);
    }
}

static void form_close(struct form *f)
{
    free(f->b);
    params_close(&f->view);
    params_close(&f->params);
    params_close(&f->plan);
    tape_free(f->tape);
    arena_free(f->memory);
}

static void keep_logits(void *arg, enum tape_place place, int layer,
                        const struct attend *a, const real *b)
{
    struct form *f = arg;

    (void)place, (void)layer;
    f->n = (size_t)a->h * (size_t)a->n * (size_t)a->m;
    f->b = realloc(f->b, f->n * sizeof *f->b);
    memcpy(f->b, b, f->n * sizeof *f->b);
}

static void look(struct form *f)
{
    struct window w = {.keys = ROWS};

    tape_begin(f->tape, TAPE_EVAL, (struct rng_key){0}, 0, 0);
    f->tape->logits = keep_logits;
    f->tape->watch_arg = f;
    attention(f->of, f->tape, f->x, &w);
}

static double *copy(struct form *f)
{
    double *to = arena_take(f->memory, f->n * sizeof *to);

    for (size_t i = 0; i < f->n; i++)
        to[i] = (double)f->b[i];
    return to;
}

/* ---- effect of a step ---- */

/* Returns B after Adam's first step with gradient g, minus B before that step,
 * divided by the learning rate. */
static double *step(struct form *f, const real *g, double rate)
{
    static const struct optim_rule adam = {
        .kind = OPTIM_ADAM, .b1 = 0.9, .b2 = 0.997, .eps = 1e-20,
        .score_rate = 1};
    size_t bytes = f->params.learned * sizeof(real);
    real *kept = memcpy(arena_take(f->memory, bytes), f->params.flat, bytes);
    struct optim o;

    look(f);
    double *was = copy(f);
    optim_open(&o, &f->params, &adam);
    for (int i = 0; i < o.units; i++)
        optim_step(&o, i, g, 1, rate);
    look(f);
    double *by = copy(f);
    for (size_t i = 0; i < f->n; i++)
        by[i] = (by[i] - was[i]) / rate;
    memcpy(f->params.flat, kept, bytes);
    return by;
}

static double rms(const double *x, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum / (double)n);
}

static int is_own(const struct form *f, const struct param *p)
{
    return p->kind == PARAM_LEARNED &&
           !strncmp(p->name, f->own, strlen(f->own));
}

/* Returns the typical change: the root mean square over several random
 * gradients. */
static double typical(struct form *f)
{
    enum { DRAWS = 8 };
    real *g = arena_zero(f->memory, f->params.learned * sizeof *g);
    double sum = 0;

    for (uint32_t k = 0; k < DRAWS; k++) {
        struct rng_key key = {.stream = RNG_TEST, .step = k, .site = 5};

        for (size_t i = 0; i < f->params.learned; i++)
            g[i] = (real)rng_normal(key, i);
        double *by = step(f, g, 1e-4), one = rms(by, f->n);
        sum += one * one / DRAWS;
    }
    return sqrt(sum);
}

/* Computes the derivatives of `some` logits, equally spaced, by every
 * parameter: gradient[k][p] is d B_i / d p for the k-th of them. */
static void slopes(struct form *f, real **gradient, size_t some)
{
    const double e = 1.0 / 64;

    look(f);
    const double *b = copy(f);
    for (size_t k = 0; k < some; k++)
        gradient[k] = arena_zero(f->memory, f->params.learned * sizeof(real));
    for (int i = 0; i < f->params.n; i++) {
        const struct param *p = &f->params.list[i];

        for (size_t j = p->at; is_own(f, p) &&
                               j < p->at + tensor_len(p->value); j++) {
            real *w = &f->params.flat[j], was = *w;

            *w = was + (real)e;
            look(f);
            *w = was;
            for (size_t k = 0; k < some; k++) {
                size_t at = k * (f->n / some);

                gradient[k][j] = (real)(((double)f->b[at] - b[at]) / e);
            }
        }
    }
}

/* Returns the mean, over some logits, of the change of a logit if it is the
 * loss itself. */
static double at_most(struct form *f)
{
    enum { SOME = 64 };
    real *gradient[SOME];
    double sum = 0;

    slopes(f, gradient, SOME);
    for (size_t k = 0; k < SOME; k++)
        sum -= step(f, gradient[k], 1e-4)[k * (f->n / SOME)] / SOME;
    return sum;
}

/* ---- the formulas ---- */

#define S 0.7978845608 /* E |z| = (2/pi)^1/2 for a normal z */

static double glorot(int d, int e) { return 0.5 * sqrt(6.0 / (d + e)); }
static double root(double x) { return sqrt(x); }

/* Computes the formulas in the files of convolutions. `taps` is the number of
 * taps of all heads; `most` selects the maximum. The gate has b from N(0, 2/3):
 * E s(b)^2 = 0.2820, E s'(b)^2 = 0.0489, E s'(b) = 0.2180, with the sigmoid
 * s. */
static double dynamic(int taps, int most, int bias)
{
    double wide = 2.0 / (D + taps);

    if (most)
        return 0.5 * root(2.0 / 3) * S * D + bias +
               (S * D + 1) * D * glorot(D, taps) *
                   (0.5 + root(2.0 / 3) * S * 0.2180);
    return root(2.0 / 3 * D * 0.2820 + bias +
                D * (D + 1.0) * (0.2820 + 2.0 / 3 * 0.0489) * wide);
}

static const double sigma2 = 1 / 2.8284271247; /* 8^-1/2, variance of R1, R2 */

struct reach { double typical, most; };

static struct reach reach_of(const char *name)
{
    const int a = 4, c = 6; /* a c = KEYS */
    const struct { const char *name; struct reach is; } all[] = {
        {"vanilla", {root(2 * D), 2 * S * S * D * root(K)}},
        {"dense", {root(K / 2.0 + 1 + (K + 1.0) * K / (K + KEYS)),
                   K * S / 2 + 1 + (S * K + 1) * K / 2 * glorot(K, KEYS)}},
        {"dense-mtf", {root(K / 2.0 + (double)D * K / (K + KEYS)),
                       K * S / 2 + S * D * K / 2 * glorot(K, KEYS)}},
        {"dense-literal", {root(D / 2.0 + 1 + (D + 1.0) * D / (D + KEYS)),
                           D * S / 2 + 1 +
                               (S * D + 1) * D / 2 * glorot(D, KEYS)}},
        {"random", {1, 1}},
        {"fixed-random", {0, 0}},
        {"factorized-random", {root(2 * R * sigma2),
                               2 * R * S * root(sigma2)}},
        {"factorized-random-mtf", {root(2 * R * sigma2),
                                   2 * R * S * root(sigma2)}},
        {"factorized-dense",
         {root((K + 1) * 2.0 * K * (1.0 / (K + a) + 1.0 / (K + c))),
          (S * K + 1) * S *
              (root(2.0 * K / (K + a)) + root(2.0 * K / (K + c)))}},
        {"orthogonal", {0, 0}},
        {"orthogonal-split", {0, 0}},
        {"orthogonal-tied", {0, 0}},
        {"frozen-gaussian", {0, 0}},
        {"linformer", {root(ROWS * (2.0 * D / SLOTS + 1)),
                       2 * S * S * D * root((double)K * ROWS / SLOTS) +
                           S * ROWS}},
        {"lightweight-conv", {1, 1}},
        {"lightweight-conv-mtf", {1, 1}},
        {"dynamic-conv", {dynamic(H * TAPS, 0, 0), dynamic(H * TAPS, 1, 0)}},
        {"dynamic-conv-mtf", {dynamic(9 * D, 0, 1), dynamic(9 * D, 1, 1)}},
        {"mixer", {1, 1}},
        {"uniform", {0, 0}}};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i].name, name))
            return all[i].is;
    fail_msg("there is no reach of %s", name);
    return all[0].is;
}

/* Compares a measured change with a formula. The tolerance allows for few draws
 * of weights and rows. */
static void close_to(const char *name, const char *what, double is,
                     double want)
{
    if (!(fabs(is - want) <= 0.06 * want))
        fail_msg("%s: a logit changes %s by %g, not %g learning rates", name,
                 what, is, want);
}

static void reaches(void **state)
{
    (void)state;
    for (int i = 0; variant_all[i]; i++) {
        const char *name = variant_all[i]->name;
        struct reach want = reach_of(name);
        double rule = 0, most = 0;

        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct form f;

            form_open(&f, name, seed);
            rule += typical(&f) / SEEDS;
            most += at_most(&f) / SEEDS;
            form_close(&f);
        }
        close_to(name, "as a rule", rule, want.typical);
        close_to(name, "at most", most, want.most);
    }
}

int main(void)
{
    const struct CMUnitTest reach[] = {
        {"a step of Adam changes the logits of each variant by its documented "
         "reach", reaches, NULL, NULL, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("reach", reach, NULL, NULL);
}
