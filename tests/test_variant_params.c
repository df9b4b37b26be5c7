/* How the parameters of a layer start, and how many there are. */
#include "tests/layer.h"
#include "tests/leaf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

/* ---- where they start ---- */

static struct params drawn(const char *name, const struct model_config *c)
{
    struct params plan, ps;
    struct mix m = layer_mix(name);

    params_count(&plan);
    attention_new(&m, c, &plan);
    params_open(&ps, &plan, &backend_cpu, 1);
    attention_new(&m, c, &ps);
    params_close(&plan);
    return ps;
}

static void same_draw(void **state)
{
    struct params a = drawn("random", &layer_config);
    struct params b = drawn("fixed-random", &layer_config);
    struct params c = drawn("random+dense", &layer_config);
    size_t n = LAYER_HEADS * LAYER_N * LAYER_N;
    const real *r = params_find(&a, "random.R")->value->x;

    (void)state;
    assert_bits("fixed-random", params_find(&b, "fixed-random.R")->value->x, r,
                n);
    assert_bits("random+dense", params_find(&c, "random.R")->value->x, r, n);
    assert_bits("W_v", params_find(&b, "v")->value->x,
                params_find(&a, "v")->value->x, LAYER_D * LAYER_D);
    params_close(&a);
    params_close(&b);
    params_close(&c);
}

/* Mean square of R, or of R1 R2^T, at the start. */
static double spread(const char *name, enum r_init init, double scale)
{
    struct model_config c = {.d = 8, .heads = 4, .N = 64, .rank = 16,
                             .r_init = init, .r_scale = scale};
    struct params ps = drawn(name, &c);
    struct formula f = {&ps, &c, name, arena_new()};
    double *b = arena_take(f.memory, 64 * 64 * sizeof *b), sum = 0;

    for (int h = 0; h < 4; h++) {
        /* names of drawn() begin with the part */
        const real *r = formula_weight(&f, "random.R");
        const real *r1 = formula_weight(&f, "factorized-random.R1");
        const real *r2 = formula_weight(&f, "factorized-random.R2");

        for (int i = 0; i < 64 * 64; i++) {
            b[i] = r ? (double)r[h * 64 * 64 + i] : 0;
            for (int k = 0; k < 16 && r1; k++)
                b[i] += (double)r1[(h * 64 + i / 64) * 16 + k] *
                        (double)r2[(h * 64 + i % 64) * 16 + k];
            sum += b[i] * b[i] / (4 * 64 * 64);
        }
    }
    arena_free(f.memory);
    params_close(&ps);
    return sum;
}

static void starts(void **state)
{
    const double glorot = 2 / (64.0 * (64 + 4));

    (void)state;
    assert_true(fabs(spread("random", R_NORMAL, 1) - 1) < 0.05);
    assert_true(fabs(spread("random", R_NORMAL, 3) / 9 - 1) < 0.05);
    assert_true(fabs(spread("random", R_GLOROT, 1) / glorot - 1) < 0.05);
    assert_true(fabs(spread("factorized-random", R_NORMAL, 1) - 1) < 0.15);
    assert_true(fabs(spread("factorized-random", R_NORMAL, 3) / 9 - 1) < 0.15);
    assert_true(fabs(spread("factorized-random", R_GLOROT, 1) / glorot - 1) <
                0.15);
}

/* ---- counts ---- */

enum { BIG_D = 64, BIG_H = 4, BIG_K = 16, BIG_N = 24, BIG_R = 8 };

static long count(const char *name, enum param_kind kind, int bias)
{
    struct model_config c = {.d = BIG_D, .heads = BIG_H, .N = BIG_N,
                             .rank = BIG_R, .dense_bias = bias};
    struct mix m = layer_mix(name);
    struct params plan;

    params_count(&plan);
    attention_new(&m, &c, &plan);
    long n = (long)params_total(&plan, kind);
    params_close(&plan);
    return n;
}

static long learned(const char *name) { return count(name, PARAM_LEARNED, 1); }

static void counts(void **state)
{
    long fixed = 2 * BIG_D * BIG_D, full = BIG_H * BIG_N * BIG_N;
    long dense = BIG_H * (BIG_K * BIG_K + BIG_K * BIG_N);

    (void)state;
    assert_int_equal(learned("fixed-random"), fixed);
    assert_int_equal(learned("uniform"), fixed);
    assert_int_equal(learned("orthogonal"), fixed);
    assert_int_equal(learned("random"), fixed + full);
    assert_int_equal(learned("factorized-random"),
                     fixed + 2 * BIG_H * BIG_N * BIG_R);
    assert_int_equal(learned("vanilla"), fixed + 2 * BIG_D * BIG_D);
    assert_int_equal(learned("dense"),
                     fixed + dense + BIG_H * (BIG_K + BIG_N));
    assert_int_equal(count("dense", PARAM_LEARNED, 0), fixed + dense);
    assert_int_equal(learned("factorized-dense"),
                     fixed + BIG_H * (BIG_K + 1) * (4 + 6));
    assert_int_equal(count("factorized-dense", PARAM_LEARNED, 0),
                     fixed + BIG_H * BIG_K * (4 + 6));
    assert_int_equal(count("fixed-random", PARAM_FROZEN, 1), full);
    assert_int_equal(count("orthogonal", PARAM_FROZEN, 1), 2 * BIG_D * BIG_D);
    assert_int_equal(count("vanilla", PARAM_FROZEN, 1), 0);
}

/* count(a+b) - fixed = the sum of count - fixed of the parts, and a scalar a
 * part. */
static void additive(void **state)
{
    const char *name[LAYER_NAMES];
    int names = layer_names(name);
    long fixed = learned("fixed-random");

    (void)state;
    for (int i = 0; i < names; i++) {
        struct mix m = layer_mix(name[i]);
        long sum = m.n > 1 ? m.n : 0, frozen = 0;

        for (int p = 0; p < m.n; p++) {
            sum += learned(m.part[p]->name) - fixed;
            frozen += count(m.part[p]->name, PARAM_FROZEN, 1);
        }
        assert_int_equal(learned(name[i]) - fixed, sum);
        assert_int_equal(count(name[i], PARAM_FROZEN, 1), frozen);
    }
}

int main(void)
{
    const struct CMUnitTest params[] = {
        {"random, fixed-random and their mixtures start alike", same_draw,
         NULL, NULL, NULL},
        {"R starts with the variance that R.init says", starts, NULL, NULL,
         NULL},
        {"parameter counts are the formulas'", counts, NULL, NULL, NULL},
        {"parameters of mixtures add up", additive, NULL, NULL, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("variant params", params, NULL, NULL);
}
