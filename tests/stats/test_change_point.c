/* Change points: the maximum of Q is that of its definition, a step is located
 * correctly, and the false-positive rate equals the level. */
#include "harness/base/owned.h"
#include "harness/base/rng.h"
#include "harness/stats/change_point.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

static void near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%.17g, not %.17g", got, want);
}

/* Draws n normal values with mean 1 and sd 0.02; `which` selects the series. */
static void noise(double *x, size_t n, uint32_t which)
{
    struct rng_key key = {.seed = 17, .stream = RNG_TEST, .step = which};

    for (size_t i = 0; i < n; i++)
        x[i] = 1 + 0.02 * rng_normal(key, i);
}

/* The series has m zeros and n ones. E is 2, because only pairs across the step
 * differ, by 1. */
static void two_levels(void **state)
{
    double x[30] = {0};
    size_t at = 0;

    (void)state;
    for (size_t m = CHANGE_LEAST; m + CHANGE_LEAST <= 30; m++) {
        for (size_t i = 0; i < 30; i++)
            x[i] = i >= m;
        near(change_point_greatest(&at, x, 30),
             2.0 * (double)(m * (30 - m)) / 30, 1e-12);
        assert_int_equal(at, m);
    }
    assert_true(isnan(change_point_greatest(&at, x, 2 * CHANGE_LEAST - 1)));
}

/* Returns the mean distance of the pairs of x[a .. b-1] and x[c .. d-1], not
 * counting pairs of an element with itself. */
static double distance(const double *x, size_t a, size_t b, size_t c, size_t d)
{
    double sum = 0, n = 0;

    for (size_t i = a; i < b; i++)
        for (size_t j = c; j < d; j++) {
            sum += fabs(x[i] - x[j]);
            n += i != j;
        }
    return sum / n;
}

/* Compares the maximum of Q with its definition, recomputed for every split and
 * every end. */
static void by_definition(void **state)
{
    (void)state;
    for (uint32_t which = 0; which < 20; which++) {
        double x[24], best = -INFINITY;
        size_t n = 6 + which % 19, at = 0, of = 0;

        noise(x, n, which);
        for (size_t t = 3; t + 3 <= n; t++)
            for (size_t k = t + 3; k <= n; k++) {
                double m = (double)t, l = (double)(k - t);
                double q = m * l / (m + l) *
                           (2 * distance(x, 0, t, t, k) -
                            distance(x, 0, t, 0, t) - distance(x, t, k, t, k));

                if (q > best) {
                    best = q;
                    of = t;
                }
            }
        near(change_point_greatest(&at, x, n), best, 1e-12);
        assert_int_equal(at, of);
    }
}

static void steps_are_found(void **state)
{
    static const struct { size_t at[2]; double by[2]; } of[] = {
        {{20, 40}, {0.1, 0.1}},   {{10, 50}, {0.08, -0.08}},
        {{5, 56}, {0.15, 0.15}},  {{30, 36}, {0.2, -0.2}},
        {{57, 60}, {0.3, 0}}};

    (void)state;
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        struct change_point c[20];
        double x[60], level = 1;
        size_t want = 1 + (of[k].by[1] != 0);

        noise(x, 60, (uint32_t)(100 + k));
        for (size_t i = 0; i < 60; i++)
            for (int j = 0; j < 2; j++)
                x[i] += i >= of[k].at[j] ? of[k].by[j] : 0;
        size_t n = change_points(c, x, 60, CHANGE_LEVEL, 1);
        assert_int_equal(n, want);
        for (size_t j = 0; j < n; j++) {
            assert_int_equal(c[j].at, of[k].at[j]);
            near(c[j].before, level, 0.03);
            near(c[j].after, level += of[k].by[j], 0.03);
            assert_true(c[j].p > 0 && c[j].p <= CHANGE_LEVEL);
        }
    }
}

/* One slow day is not a change point, and a constant series has none. */
static void neither_outliers_nor_constants(void **state)
{
    struct change_point c[20];
    double x[40];

    (void)state;
    noise(x, 40, 7);
    x[11] = 3;
    x[30] = 2;
    assert_int_equal(change_points(c, x, 40, CHANGE_LEVEL, 1), 0);
    for (int i = 0; i < 40; i++)
        x[i] = 0.1;
    assert_int_equal(change_points(c, x, 40, 0.5, 1), 0);
}

/* The shortest series in which a change can be found has 18 values. They can be
 * divided into halves in 48620 ways, 2 of which are as far apart as the actual
 * halves. */
static void told_from_the_soonest_on(void **state)
{
    struct change_point c[8];
    double x[CHANGE_SOONEST];

    (void)state;
    noise(x, CHANGE_SOONEST, 3);
    for (int i = CHANGE_SOONEST / 2; i < CHANGE_SOONEST; i++)
        x[i] += 1;
    assert_int_equal(change_points(c, x, CHANGE_SOONEST, CHANGE_LEVEL, 1), 1);
    assert_int_equal(c[0].at, CHANGE_SOONEST / 2);
}

static int alarms(size_t n, double level, int series)
{
    OWNED(free) double *x = malloc(n * sizeof *x);
    OWNED(free) struct change_point *c = malloc(n * sizeof *c);
    int sum = 0;

    for (int i = 0; i < series; i++) {
        noise(x, n, (uint32_t)(1000 + i));
        sum += change_points(c, x, n, level, (uint64_t)i) > 0;
    }
    return sum;
}

/* Tests 1000 series without a change. At a level of 5 %, five standard
 * deviations are 34 series. At 0.1 %, 1 series is expected, and more than 7
 * have probability 1e-5. */
static void false_alarms(void **state)
{
    (void)state;
    int at_5 = alarms(20, 0.05, 1000), at_1 = alarms(20, CHANGE_LEVEL, 1000);

    print_message("# change points of noise: %d of 1000 at 0.05, %d of 1000 at "
                  "%g\n", at_5, at_1, CHANGE_LEVEL);
    assert_in_range(at_5, 50 - 34, 50 + 34);
    assert_in_range(at_1, 0, 7);
}

/* The last 500 points of a long series are used; indices are those of the whole
 * series. */
static void long_series(void **state)
{
    struct change_point c[400];
    double *x = malloc(700 * sizeof *x);

    (void)state;
    noise(x, 700, 9);
    for (int i = 0; i < 700; i++)
        x[i] += (i >= 50) + (i >= 600);
    assert_int_equal(change_points(c, x, 700, CHANGE_LEVEL, 1), 1);
    assert_int_equal(c[0].at, 600);
    near(c[0].before, 2, 0.01);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"two levels: Q is 2 m n / (m + n)", two_levels, NULL, NULL, NULL},
        {"the greatest Q is that of its definition", by_definition, NULL, NULL,
         NULL},
        {"steps are found where they are, with the medians beside them",
         steps_are_found, NULL, NULL, NULL},
        {"single outliers are no change, nor is what never moves",
         neither_outliers_nor_constants, NULL, NULL, NULL},
        {"18 values can tell a change", told_from_the_soonest_on, NULL, NULL,
         NULL},
        {"noise shows a change as seldom as the level says", false_alarms, NULL,
         NULL, NULL},
        {"of a long series the end is looked at", long_series, NULL, NULL,
         NULL}};

    return cmocka_run_group_tests_name("change", tests, NULL, NULL);
}
