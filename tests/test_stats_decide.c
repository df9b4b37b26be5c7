/* What may be concluded: least p values, adjustment, effects, resampling. */
#include "harness/base/adjust.h"
#include "harness/base/bootstrap.h"
#include "harness/base/correlate.h"
#include "harness/base/paired.h"
#include "harness/base/rng.h"
#include "harness/base/unpaired.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%.17g, not %.17g", got, want);
}

static void floors(void **state)
{
    static const double low[] = {1, 2, 3}, high[] = {4, 5, 6};
    static const double apart[] = {1, 2, 3, 4, 5, 6};

    (void)state;
    near(unpaired_mann_whitney(low, 3, high, 3).p, 0.1, 1e-15);
    near(unpaired_floor(3, 3), 0.1, 1e-15);
    near(unpaired_floor(4, 4), 2.0 / 70, 1e-15);
    assert_int_equal(unpaired_more(3, 3), 1);
    assert_int_equal(unpaired_more(1, 1), 3);
    assert_int_equal(unpaired_more(4, 4), 0);
    for (size_t n = 1; n <= 6; n++)
        near(paired_permutation(apart, n, 1), paired_floor(n), 1e-15);
    near(paired_floor(5), 0.0625, 0);
    near(paired_floor(6), 0.03125, 0);
    assert_int_equal(paired_more(0), 6);
    assert_int_equal(paired_more(3), 3);
    assert_int_equal(paired_more(5), 1);
    assert_int_equal(paired_more(6), 0);
    assert_int_equal(paired_more(40), 0);
}

/* 2 and 3 of 8 signs reach |sum| = 5 of 1, -2, 6 and 0 of 1, 2, 2. */
static void signs(void **state)
{
    static const double mixed[] = {1, -2, 6}, same[] = {0, 0, 0, 0};
    static const double tie[] = {0.1, 0.2, -0.3, 0.3};

    (void)state;
    near(paired_permutation(mixed, 3, 1), 6.0 / 8, 0);
    near(paired_permutation(same, 4, 1), 1, 0);
    near(paired_permutation(NULL, 0, 1), 1, 0);
    /* |+-0.1 +-0.2 +-0.3 +-0.3| >= 0.3: in tenths 9 3 5 1 3 3 1 5 and turned;
     * 3 is reached by rounding in either direction. */
    near(paired_permutation(tie, 4, 1), 12.0 / 16, 0);
}

/* From 33 pairs on signs are drawn; exact for 32 and drawn for 33 agree. */
static void drawn_signs(void **state)
{
    struct rng_key key = {.seed = 8, .stream = RNG_TEST};
    double d[33];

    (void)state;
    for (size_t i = 0; i < 32; i++)
        d[i] = 0.5 + rng_normal(key, i);
    d[32] = 0;
    double exact = paired_permutation(d, 32, 1);
    double drawn = paired_permutation(d, 33, 1);
    assert_in_range((int)(1000 * exact), 10, 300);
    near(drawn, exact, 4 * sqrt(exact / BOOTSTRAP_RESAMPLES));
    assert_true(drawn != exact);
    near(paired_permutation(d, 33, 1), drawn, 0);
}

/* Worked by hand from the definitions. */
static void adjusted(void **state)
{
    static const double p[] = {0.01, 0.04, 0.03, 0.005};
    static const double holm[] = {0.03, 0.06, 0.06, 0.02};
    static const double bh[] = {0.02, 0.04, 0.04, 0.02};
    double out[4], big[] = {0.6, 0.9};

    (void)state;
    adjust_holm(out, p, 4);
    for (int i = 0; i < 4; i++)
        near(out[i], holm[i], 1e-15);
    adjust_benjamini_hochberg(out, p, 4);
    for (int i = 0; i < 4; i++)
        near(out[i], bh[i], 1e-15);
    adjust_holm(big, big, 2);
    near(big[0], 1, 0);
    near(big[1], 1, 0);
    adjust_benjamini_hochberg(big, NULL, 0);
}

static void effects(void **state)
{
    static const double a[] = {2, 4, 6}, b[] = {1, 3, 5}, c[] = {2, 2, 2};

    (void)state;
    near(unpaired_cohen_d(a, 3, b, 3), 0.5, 1e-15);
    near(unpaired_hedges_g(a, 3, b, 3), 0.5 * sqrt(2 / 3.141592653589793),
         1e-15); /* J(4) = Gamma(2) / (sqrt 2 Gamma(3/2)) */
    near(unpaired_cliff_delta(a, 3, b, 3), 3.0 / 9, 1e-15);
    near(unpaired_a12(a, 3, b, 3), 6.0 / 9, 1e-15);
    near(unpaired_a12(c, 3, c, 3), 0.5, 0);
    assert_true(isnan(unpaired_cohen_d(c, 3, c, 3)));
    assert_true(isnan(unpaired_cohen_d(a, 1, b, 3)));
    near(unpaired_mann_whitney(c, 3, c, 3).p, 1, 0);
    assert_true(isnan(unpaired_mann_whitney(a, 0, b, 3).p));
    assert_true(isnan(unpaired_interval(a, 1, b, 3).low));
    near(unpaired_interval(c, 3, c, 3).high, 0, 0);
}

static void methods(void **state)
{
    static const double x[] = {1, 2, 3, 4, 5, 6, 7, 9}, same[8] = {0};
    struct bootstrap *b = bootstrap_new(1);
    const char *method;

    (void)state;
    struct interval seven = bootstrap_interval(b, x, 7, &method);
    assert_string_equal(method, "Student's t");
    near(seven.high, stats_t_interval(x, 7).high, 0);
    struct interval eight = bootstrap_interval(b, x, 8, &method);
    assert_string_equal(method, "BCa bootstrap");
    near(eight.low, bootstrap_bca(b, x, 8).low, 0);
    assert_true(isnan(bootstrap_interval(b, x, 1, &method).low));
    assert_string_equal(method, "none");
    assert_true(isnan(bootstrap_bca(b, x, 7).low));
    near(bootstrap_interval(b, same, 8, NULL).high, 0, 0);
    bootstrap_free(b);
    bootstrap_free(NULL);
}

static void no_correlation(void **state)
{
    static const double x[] = {1, 2, 3}, same[] = {4, 4, 4};

    (void)state;
    assert_true(isnan(correlate_pearson(x, same, 3).r));
    assert_true(isnan(correlate_spearman(x, same, 3).p));
    assert_true(isnan(correlate_kendall(same, x, 3).r));
    assert_true(isnan(correlate_kendall(x, x, 1).p));
}

/* A cell that diverged must not look significant. */
static void not_numbers(void **state)
{
    double x[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, NAN};
    struct bootstrap *b = bootstrap_new(1);

    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_true(isnan(paired_permutation(x, 10, 1)));
        assert_true(isnan(bootstrap_interval(b, x, 10, NULL).low));
        x[9] = INFINITY;
    }
    x[9] = NAN;
    assert_true(isnan(unpaired_mann_whitney(x, 5, x + 5, 5).p));
    bootstrap_free(b);
}

/* ---- scores of sums ---- */

static double ratio(const double *sums, const void *self)
{
    (void)self;
    return sums[0] / sums[1];
}

static const struct paired_score mean = {.columns = 2, .of = ratio};

static void pairs(void **state)
{
    enum { N = 200 };
    struct rng_key key = {.seed = 11, .stream = RNG_TEST};
    double a[2 * N], b[2 * N], worse[2 * N];

    (void)state;
    for (size_t i = 0; i < N; i++) {
        a[2 * i] = rng_normal(key, 2 * i);
        b[2 * i] = a[2 * i] + 0.1 * rng_normal(key, 2 * i + 1);
        worse[2 * i] = b[2 * i] - 0.1;
        a[2 * i + 1] = b[2 * i + 1] = worse[2 * i + 1] = 1;
    }
    struct paired same = paired_bootstrap(a, a, N, mean, 1);
    near(same.difference, 0, 0);
    near(same.between.high, 0, 0);
    near(same.p, 1, 0);
    near(paired_randomisation(a, a, N, mean, 1), 1, 0);
    struct paired clear = paired_bootstrap(a, worse, N, mean, 1);
    assert_true(clear.between.low > 0 && clear.p < 0.001);
    assert_true(paired_randomisation(a, worse, N, mean, 1) < 0.001);
    struct paired turned = paired_bootstrap(worse, a, N, mean, 1);
    near(turned.difference, -clear.difference, 1e-15);
    near(turned.between.low, -clear.between.high, 1e-15);
    near(turned.p, clear.p, 0);
    struct paired chance = paired_bootstrap(a, b, N, mean, 1);
    assert_true((chance.p < 0.05) ==
                (chance.between.low > 0 || chance.between.high < 0));
    near(paired_randomisation(a, b, N, mean, 1), chance.p, 0.05);
    for (size_t i = 1; i < 2 * N; i += 2)
        b[i] = i == 1; /* most resamples lack what is divided by */
    assert_true(isnan(paired_bootstrap(a, b, N, mean, 1).p));
    assert_true(isnan(paired_bootstrap(a, b, N, mean, 1).between.low));
}

/* With a column of ones the exchange is the permutation of signs, whose exact
 * p is known. */
static void exchanged(void **state)
{
    enum { N = 12 };
    struct rng_key key = {.seed = 3, .stream = RNG_TEST};
    double a[2 * N], b[2 * N], d[N];

    (void)state;
    for (size_t i = 0; i < N; i++) {
        a[2 * i] = rng_normal(key, 2 * i);
        b[2 * i] = 0.4 + rng_normal(key, 2 * i + 1);
        a[2 * i + 1] = b[2 * i + 1] = 1;
        d[i] = a[2 * i] - b[2 * i];
    }
    double exact = paired_permutation(d, N, 1);
    near(paired_randomisation(a, b, N, mean, 1), exact,
         4 * sqrt(exact * (1 - exact) / BOOTSTRAP_RESAMPLES) + 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"3 against 3 cannot go below 0.10, nor 5 pairs below 0.05", floors,
         NULL, NULL, NULL},
        {"signs are counted as by hand, rounding aside", signs, NULL, NULL,
         NULL},
        {"drawn signs agree with counted ones", drawn_signs, NULL, NULL, NULL},
        {"Holm and Benjamini-Hochberg equal hand-worked values", adjusted,
         NULL, NULL, NULL},
        {"effect sizes equal hand-worked values", effects, NULL, NULL, NULL},
        {"the interval says how it was made", methods, NULL, NULL, NULL},
        {"what does not vary has no correlation", no_correlation, NULL, NULL,
         NULL},
        {"what is no number decides nothing", not_numbers, NULL, NULL, NULL},
        {"the bootstrap of pairs and its p say the same", pairs, NULL, NULL,
         NULL},
        {"randomisation agrees with the exact permutation", exchanged, NULL,
         NULL, NULL},
    };

    return cmocka_run_group_tests_name("stats_decide", tests, NULL, NULL);
}
