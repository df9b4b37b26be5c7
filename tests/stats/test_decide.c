/* Checks verdicts: the rule of stats/verdict.h, and its inputs. */
#include "harness/base/rng.h"
#include "harness/stats/stats.h"
#include "harness/stats/bootstrap.h"
#include "harness/stats/correlate.h"
#include "harness/stats/permutation.h"
#include "harness/stats/verdict.h"

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

static struct verdict of_list(double *t, size_t n, size_t m)
{
    return verdict_of(&(struct known){.n = n, .t = t}, m);
}

static struct verdict of_pairs(const double *d, size_t n, size_t m)
{
    size_t many = permutation_pairs(n);
    double *t = malloc((many + 1) * sizeof *t);

    permutation_of_pairs(t, d, n, 1);
    struct verdict v = of_list(t, many, m);
    free(t);
    return v;
}

static struct verdict of_others(const double *a, size_t na, const double *b,
                                size_t nb, size_t m)
{
    size_t many = permutation_others(na, nb);
    double *t = malloc((many + 1) * sizeof *t);

    permutation_of_others(t, a, na, b, nb, 1);
    struct verdict v = of_list(t, many, m);
    free(t);
    return v;
}

static void floors(void **state)
{
    static const double low[] = {1, 2, 3}, high[] = {4, 5, 6};
    static const double apart[] = {1, 2, 3, 4, 5, 6};

    (void)state;
    near(of_others(low, 3, high, 3, 1).p, 0.1, 1e-15);
    assert_true(isnan(of_others(low, 3, high, 3, 1).between.low));
    near(verdict_floor(permutation_others(3, 3), 1), 0.1, 1e-15);
    near(verdict_floor(permutation_others(4, 4), 1), 2.0 / 70, 1e-15);
    assert_int_equal(permutation_more_others(3, 3, 1), 1);
    assert_int_equal(permutation_more_others(1, 1, 1), 3);
    assert_int_equal(permutation_more_others(4, 4, 1), 0);
    /* no number is enough: the search ends at 2 + 2 + 2 * 30 = 64 seeds */
    assert_int_equal(permutation_more_others(2, 2, 1000000000), 30);
    for (size_t n = 1; n <= 6; n++)
        near(of_pairs(apart, n, 1).p, ldexp(2, -(int)n), 1e-15);
    assert_int_equal(of_pairs(apart, 5, 1).sign, 0);
    assert_int_equal(of_pairs(apart, 6, 1).sign, 1);
    near(of_pairs(apart, 6, 1).between.low, 1, 0);
    near(of_pairs(apart, 6, 1).between.high, 6, 0);
    assert_int_equal(of_pairs(apart, 6, 2).sign, 0);
    assert_int_equal(permutation_more_pairs(0, 1), 6);
    assert_int_equal(permutation_more_pairs(3, 1), 3);
    assert_int_equal(permutation_more_pairs(6, 1), 0);
    assert_int_equal(permutation_more_pairs(6, 2), 1);
    assert_int_equal(permutation_more_pairs(6, 3), 1);
    assert_int_equal(permutation_more_pairs(40, 1), 0);
    /* no number is enough: the search ends at 4 + 12 = 16 pairs */
    assert_int_equal(permutation_more_pairs(4, 1000000000), 12);
    assert_true(isnan(of_pairs(NULL, 0, 1).p));
    assert_true(isnan(of_others(low, 3, NULL, 0, 1).p));
}

/* A p of exactly 0.05 is not significant. The smallest p is 2 / 40 with 39
 * draws and 2 / 41 with 40 draws; m comparisons need m times as many. */
static void at_the_level(void **state)
{
    (void)state;
    for (size_t m = 1; m < 40; m *= 2) {
        assert_false(verdict_possible(40 * m - 1, m));
        assert_true(verdict_possible(40 * m, m));
    }
}

/* For the differences 1, -2 and 6, 6 of 8 sign patterns reach |sum| = 5. */
static void signs(void **state)
{
    static const double mixed[] = {1, -2, 6}, same[] = {0, 0, 0, 0};
    static const double tie[] = {0.1, 0.2, -0.3, 0.3};

    (void)state;
    near(of_pairs(mixed, 3, 1).p, 6.0 / 8, 0);
    near(of_pairs(same, 4, 1).p, 1, 0);
    /* |+-0.1 +-0.2 +-0.3 +-0.3| must reach 0.3. In tenths, the sums are 9 3 5 1
     * 3 3 1 5, and the same with reversed signs; a sum of 3 counts, whatever
     * its rounding error. */
    near(of_pairs(tie, 4, 1).p, 12.0 / 16, 0);
}

/* ---- the interval contains what the test does not reject ---- */

/* Returns p of the sign permutation test, with `shift` subtracted from each
 * difference, by the definition. */
static double sign_p(const double *d, size_t n, double shift)
{
    double sum = 0, count = 0;

    for (size_t i = 0; i < n; i++)
        sum += d[i] - shift;
    for (size_t s = 0; s < (size_t)1 << n; s++) {
        double other = 0;

        for (size_t i = 0; i < n; i++)
            other += s >> i & 1 ? d[i] - shift : shift - d[i];
        count += fabs(other) >= fabs(sum) - 1e-9;
    }
    return ldexp(count, -(int)n);
}

/* As sign_p, for permuted labels: returns twice the smaller tail. */
static double name_p(const double *a, size_t na, const double *b, size_t nb,
                     double shift)
{
    double all[16], sum = 0, up = 0, down = 0, choices = 0;
    size_t n = na + nb;

    for (size_t i = 0; i < n; i++)
        all[i] = i < na ? a[i] - shift : b[i - na];
    for (size_t i = 0; i < na; i++)
        sum += all[i];
    for (size_t s = 0; s < (size_t)1 << n; s++) {
        double of_a = 0;
        size_t members = 0;

        for (size_t i = 0; i < n; i++)
            if (s >> i & 1) {
                of_a += all[i];
                members++;
            }
        if (members != na)
            continue;
        choices++;
        up += of_a >= sum - 1e-9;
        down += of_a <= sum + 1e-9;
    }
    return fmin(1, 2 * fmin(up, down) / choices);
}

static void inverted(void **state)
{
    const double step = 1e-6;

    (void)state;
    for (uint32_t k = 0; k < 60; k++) {
        struct rng_key key = {.seed = 21, .stream = RNG_TEST, .step = k};
        size_t n = 6 + k % 4, na = 4 + k % 3, nb = 5;
        double x[12], y[8];

        for (size_t i = 0; i < 12; i++)
            x[i] = rng_normal(key, i) + 0.7;
        for (size_t i = 0; i < 8; i++)
            y[i] = rng_normal(key, 20 + i);
        struct interval v = of_pairs(x, n, 1).between;
        assert_true(sign_p(x, n, v.low + step) >= STATS_LEVEL);
        assert_true(sign_p(x, n, v.high - step) >= STATS_LEVEL);
        assert_true(sign_p(x, n, v.low - step) < STATS_LEVEL);
        assert_true(sign_p(x, n, v.high + step) < STATS_LEVEL);
        near(of_pairs(x, n, 1).p, sign_p(x, n, 0), 1e-12);
        v = of_others(x, na, y, nb, 1).between;
        assert_true(name_p(x, na, y, nb, v.low + step) >= STATS_LEVEL);
        assert_true(name_p(x, na, y, nb, v.high - step) >= STATS_LEVEL);
        assert_true(name_p(x, na, y, nb, v.low - step) < STATS_LEVEL);
        assert_true(name_p(x, na, y, nb, v.high + step) < STATS_LEVEL);
        near(of_others(x, na, y, nb, 1).p, name_p(x, na, y, nb, 0), 1e-12);
    }
}

/* ---- consistency ---- */

static void consistent(const struct verdict *v)
{
    int apart = v->between.low > 0 || v->between.high < 0;

    if ((v->p < STATS_LEVEL) != apart || (v->sign != 0) != apart)
        fail_msg("p %.17g, [%.17g, %.17g], %d", v->p, v->between.low,
                 v->between.high, v->sign);
    if (v->sign)
        assert_int_equal(v->sign, v->between.low > 0 ? 1 : -1);
    assert_true(!(v->alone > v->p) && !(v->p > 1));
    assert_true(strcmp(verdict_word(v, 1), "undecided") || !apart);
}

/* Returns a value that, depending on `kind`, is an integer, a multiple of a
 * tenth, constant or arbitrary. */
static double some(struct rng_key key, size_t i, uint32_t kind)
{
    double x = rng_normal(key, i);

    return kind == 0 ? rint(2 * x + 1) : kind == 1 ? rint(x + 1) / 10
         : kind == 2 ? 0.1 * (double)(key.step % 3) - 0.1 : x + 0.8;
}

static void no_contradiction(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 4000; k++) {
        struct rng_key key = {.seed = 31, .stream = RNG_TEST, .step = k};
        double a[16], b[16], d[16], turned[16];
        size_t n = 1 + k % 9, nb = 1 + k % 5;

        for (size_t i = 0; i < n; i++) {
            a[i] = some(key, 2 * i, k % 4);
            b[i] = some(key, 2 * i + 1, k / 4 % 4);
            d[i] = a[i] - b[i];
            turned[i] = b[i] - a[i];
        }
        for (size_t m = 1; m <= 17; m += 8) {
            struct verdict v = of_pairs(d, n, m), w = of_pairs(turned, n, m);

            consistent(&v);
            assert_true(w.sign == -v.sign && w.p == v.p);
            if (n < 7) {
                v = of_others(a, n, b, nb, m);
                w = of_others(b, nb, a, n, m);
                consistent(&v);
                assert_true(w.sign == -v.sign && w.p == v.p);
            }
        }
    }
}

/* Tests lists like those of resamples: with few different values, and with
 * every possible number of values at 0. */
static void no_contradiction_of_lists(void **state)
{
    enum { R = 1000 };
    double t[R];

    (void)state;
    for (size_t below = 0; below <= 60; below++)
        for (size_t at = 0; at <= 10; at += 5)
            for (size_t m = 1; m <= 40; m++) {
                for (size_t i = 0; i < R; i++)
                    t[R - 1 - i] = i < below ? -1 : i < below + at ? 0 : 0.1;
                struct verdict v = of_list(t, R, m);
                consistent(&v);
                size_t k = below + at + 1; /* 2 k m / 1001 < 1 / 20 */
                assert_int_equal(v.sign, 40 * k * m < R + 1);
            }
}

/* Tests Student's t on both sides of its critical value, to the last bit. */
static void no_contradiction_of_t(void **state)
{
    (void)state;
    for (int degrees = 1; degrees < 400; degrees = degrees * 2 + 1)
        for (size_t m = 1; m <= 50; m += 7) {
            double t = -stats_t_at(0.05 / (2.0 * (double)m), degrees);

            for (int i = -40; i <= 40; i++) {
                double d = (i % 2 ? -t : t) * (1 + i * i * i * 1e-13);
                struct verdict v = verdict_t(d, 1, degrees, m);

                consistent(&v);
                assert_true(abs(i) < 40 || (v.sign != 0) == (i > 0));
            }
        }
}

static void t_without_a_spread(void **state)
{
    struct verdict v = verdict_t(0, 0, 1, 3);

    (void)state;
    consistent(&v);
    assert_true(v.p == 1 && v.between.low == 0 && v.between.high == 0);
    v = verdict_t(0, 0, 0, 1); /* one example */
    assert_true(v.p == 1 && v.between.low == 0 && v.between.high == 0);
    v = verdict_t(-2, 0, 0, 1);
    assert_true(v.sign == 0 && isnan(v.p) && isnan(v.between.low));
    v = verdict_t(2, 0, 5, 1); /* all examples changed */
    consistent(&v);
    assert_int_equal(v.sign, 1);
    v = verdict_t(1, NAN, 5, 1);
    assert_true(v.sign == 0 && isnan(v.p) && isnan(v.between.low));
}

static struct verdict shares(const struct verdict *v, double *t, size_t n)
{
    struct verdict own = of_list(t, n, 1);

    return verdict_shared(v, &own);
}

static void shared(void **state)
{
    double t[99], opposite[99], wide[99];
    struct verdict none;

    (void)state;
    for (int i = 0; i < 99; i++) {
        t[i] = 1 + i;
        opposite[i] = -t[i];
        wide[i] = i - 50;
    }
    struct verdict v = of_list(t, 99, 1), same = shares(&v, t, 99);
    near(same.between.low, v.between.low, 0);
    none = shares(&v, opposite, 99);
    assert_true(none.sign == 1 && isnan(none.between.low));
    none = shares(&v, wide, 99);
    assert_true(none.p == v.p && isnan(none.between.high));
    none = shares(&v, NULL, 0);
    assert_true(none.sign == 1 && isnan(none.between.low));
}

/* ---- error rates ---- */

/* Draws `samples` samples, each of n normal differences with mean 0.3. Returns
 * the number of samples whose interval contains 0.3. */
static int held(size_t n, int samples)
{
    int all = 0;

    for (int k = 0; k < samples; k++) {
        struct rng_key key = {.seed = 41, .stream = RNG_TEST,
                              .step = (uint32_t)k, .site = n};
        double d[20];

        for (size_t i = 0; i < n; i++)
            d[i] = 0.3 + rng_normal(key, i);
        struct interval v = of_pairs(d, n, 1).between;
        all += v.low < 0.3 && 0.3 < v.high;
    }
    return all;
}

/* With 6 and 8 seeds, exactly 1 - 2/64 and 1 - 12/256 of 2,000 intervals are
 * expected to contain the true value: 1937.5 and 1906. Four standard deviations
 * are 31 and 38. For 18 seeds, a subgroup of 2^16 - 1 subsets is used: 57 of 60
 * are expected, with a standard deviation of 1.7. */
static void coverage(void **state)
{
    (void)state;
    assert_in_range(held(6, 2000), 1907, 1968);
    assert_in_range(held(8, 2000), 1868, 1944);
    assert_in_range(held(18, 60), 50, 60);
}

/* Without a true difference, at most 5 % of 2,000 unpaired comparisons are
 * significant. */
static void false_alarms(void **state)
{
    int alarms = 0, drawn = 0;

    (void)state;
    for (uint32_t k = 0; k < 2000; k++) {
        struct rng_key key = {.seed = 51, .stream = RNG_TEST, .step = k};
        double a[20], b[20];

        for (size_t i = 0; i < 20; i++) {
            a[i] = rng_normal(key, 2 * i);
            b[i] = rng_normal(key, 2 * i + 1);
        }
        alarms += of_others(a, 4, b, 5, 1).sign != 0;
        if (k < 40)
            drawn += of_others(a, 10, b, 12, 1).sign != 0;
    }
    /* 2 * 3 / C(9, 4) = 2 * 3 / 126 of 2,000, that is 95, are expected */
    assert_in_range(alarms, 40, 125);
    assert_in_range(drawn, 0, 7);
}

/* ---- other statistics ---- */

/* The expected values are computed by hand from the definition. */
static void adjusted(void **state)
{
    static const double p[] = {0.01, 0.04, 0.03, 0.005};
    static const double holm[] = {0.03, 0.06, 0.06, 0.02};
    double out[4], big[] = {0.6, 0.9};

    (void)state;
    stats_holm(out, p, 4);
    for (int i = 0; i < 4; i++)
        near(out[i], holm[i], 1e-15);
    stats_holm(big, big, 2);
    near(big[0], 1, 0);
    near(big[1], 1, 0);
}

static void effects(void **state)
{
    static const double a[] = {2, 4, 6}, b[] = {1, 3, 5}, c[] = {2, 2, 2};

    (void)state;
    near(stats_cohen_d(a, 3, b, 3), 0.5, 1e-15);
    near(stats_hedges_g(a, 3, b, 3), 0.5 * sqrt(2 / 3.141592653589793),
         1e-15); /* J(4) = Gamma(2) / (sqrt 2 Gamma(3/2)) */
    near(stats_cliff_delta(a, 3, b, 3), 3.0 / 9, 1e-15);
    near(stats_a12(a, 3, b, 3), 6.0 / 9, 1e-15);
    near(stats_a12(c, 3, c, 3), 0.5, 0);
    /* of 6 pairs, a is greater in 5 and less in 1: (5 - 1) / 6; the variances
     * 4 and 2 are pooled to (2 * 4 + 1 * 2) / 3 */
    near(stats_cliff_delta(a, 3, b, 2), 4.0 / 6, 1e-15);
    near(stats_a12(a, 3, b, 2), 5.0 / 6, 1e-15);
    near(stats_cohen_d(a, 3, b, 2), 2 / sqrt(10.0 / 3), 1e-15);
    assert_true(isnan(stats_cohen_d(c, 3, c, 3)));
    assert_true(isnan(stats_cohen_d(a, 1, b, 3)));
}

static void methods(void **state)
{
    static const double x[] = {1, 2, 3, 4, 5, 6, 7, 9}, same[8] = {0};

    (void)state;
    struct interval seven = bootstrap_interval(x, 7, 1);
    near(seven.high, stats_t_interval(x, 7).high, 0);
    struct interval eight = bootstrap_interval(x, 8, 1);
    near(eight.low, bootstrap_bca(x, 8, 1).low, 0);
    assert_true(isnan(bootstrap_interval(x, 1, 1).low));
    assert_true(isnan(bootstrap_bca(x, 7, 1).low));
    near(bootstrap_interval(same, 8, 1).high, 0, 0);
}

static void alike(void **state)
{
    struct interval wide = {-1, 2}, none = {100, 100};

    (void)state;
    near(stats_spread(wide).low, -1, 0);
    near(stats_spread(wide).high, 2, 0);
    assert_true(isnan(stats_spread(none).low));
    assert_true(isnan(stats_spread(none).high));
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

/* A diverged cell, whose values are not finite, must not look significant. */
static void not_numbers(void **state)
{
    double x[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, NAN};

    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_true(isnan(of_pairs(x, 10, 1).p));
        assert_int_equal(of_pairs(x, 10, 1).sign, 0);
        assert_true(isnan(of_others(x, 5, x + 5, 5, 1).p));
        assert_true(isnan(bootstrap_interval(x, 10, 1).low));
        x[9] = INFINITY;
    }
}

static void printed(void **state)
{
    static const struct { double p; const char *text; } cases[] = {
        {1, "1"}, {0.0024, "0.0024"}, {0.0498, "0.0498"}, {0.05, "0.05"},
        {0.049995, "0.04999"}, {0.0502, "0.05"}, {0.094, "0.094"}};
    char out[24];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(verdict_p(cases[i].p, out), cases[i].text);
}

static void printed_bounds(void **state)
{
    char out[32];

    (void)state;
    assert_string_equal(verdict_bound(0.004, 2, out), "+0.004");
    assert_string_equal(verdict_bound(-4e-13, 4, out), "-4e-13");
    assert_string_equal(verdict_bound(0, 2, out), "+0.00");
    assert_string_equal(verdict_bound(-1.005, 1, out), "-1.0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"3 against 3 cannot go below 0.10, nor 5 pairs below 0.05", floors,
         NULL, NULL, NULL},
        {"a p that is the level itself decides nothing", at_the_level, NULL,
         NULL, NULL},
        {"signs are counted as by hand, rounding aside", signs, NULL, NULL,
         NULL},
        {"the interval is what the permutation test does not refuse", inverted,
         NULL, NULL, NULL},
        {"p, interval and verdict of seeds never contradict each other",
         no_contradiction, NULL, NULL, NULL},
        {"nor do those of resamples, whatever is tied with 0",
         no_contradiction_of_lists, NULL, NULL, NULL},
        {"nor do those of Student's t, to the last bit", no_contradiction_of_t,
         NULL, NULL, NULL},
        {"a mean without a spread is known if nothing moved",
         t_without_a_spread, NULL, NULL, NULL},
        {"a printed p is below 0.05 where p is", printed, NULL, NULL, NULL},
        {"a printed bound is 0 only if the bound is", printed_bounds, NULL,
         NULL, NULL},
        {"a shared verdict shows no interval that says something else", shared,
         NULL, NULL, NULL},
        {"intervals of 6, 8 and 18 seeds hold the truth as often as they say",
         coverage, NULL, NULL, NULL},
        {"where nobody is better, at most one in twenty is told to be",
         false_alarms, NULL, NULL, NULL},
        {"Holm's p equal hand-worked values", adjusted, NULL, NULL, NULL},
        {"effect sizes equal hand-worked values", effects, NULL, NULL, NULL},
        {"the interval says how it was made", methods, NULL, NULL, NULL},
        {"what is alike everywhere has no known spread", alike, NULL, NULL,
         NULL},
        {"what does not vary has no correlation", no_correlation, NULL, NULL,
         NULL},
        {"what is no number decides nothing", not_numbers, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("stats_decide", tests, NULL, NULL);
}
