/* The number of seeds needed to detect a difference, compared with published
 * tables of the paired t test, a series for the noncentral t distribution, and
 * verdicts of random samples. */
#include "harness/base/rng.h"
#include "harness/stats/design.h"
#include "harness/stats/verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

static void near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%.17g, not %.17g", got, want);
}

/* Expected values are from Lenth's series (AS 243, Applied Statistics 38,
 * 1989), in Python; R's pt(2, 10, 1) is 0.8076116. */
static void noncentral(void **state)
{
    (void)state;
    near(design_tail(2, 10, 1), 0.192388437470, 1e-9);
    near(design_tail(2.5, 4, 3), 0.694391155461, 1e-9);
    near(design_tail(12.7062047361747, 1, 8), 0.469781670302, 1e-9);
    near(design_tail(1.5, 3.7, 0.5), 0.213243720784, 1e-9);
    near(design_tail(4.3, 2, 6), 0.836068737549, 1e-9);
    /* a central t, and one with so many degrees of freedom that it is normal */
    near(design_tail(2, 10, 0), 0.07338803477074037 / 2, 1e-9);
    near(design_tail(1.959963984540054, 1e9, 0), 0.025, 2e-6);
    /* Cauchy distribution */
    near(design_tail(1000, 1, 0), 1 / (acos(-1) * 1000), 1e-8);
    near(design_tail(3, 5, -40), 0, 1e-12);
    near(design_tail(3, 5, 400), 1, 1e-9);
}

static size_t seeds(double effect, double power)
{
    const struct design d = {1, 0, 1, 0};

    return design_seeds(&d, effect, 0.05, power, 1000);
}

/* Expected numbers are those of G*Power and of Cohen's tables (Statistical
 * Power Analysis, 1988) for pairs. */
static void paired(void **state)
{
    const struct design d = {4, 0, 1, 0}; /* standard deviation 2 */

    (void)state;
    assert_int_equal(seeds(0.5, 0.8), 34);
    assert_int_equal(seeds(1, 0.8), 10);
    assert_int_equal(seeds(-1, 0.8), 10);
    assert_int_equal(seeds(0.2, 0.8), 199);
    assert_int_equal(seeds(0.8, 0.8), 15);
    assert_int_equal(seeds(0.5, 0.9), 44);
    assert_int_equal(seeds(1, 0.9), 13);
    assert_int_equal(seeds(0.5, 0.95), 54);
    near(design_power(&d, 34, 1, 0.05), 0.8077775, 1e-7);
    near(design_power(&d, 10, 2, 0.05), 0.8030969, 1e-7);
    assert_int_equal(design_seeds(&d, 2, 0.05, 0.8, 1000), 10);
}

/* Tests the limits of the search, and a case in which no number of seeds is
 * enough: the error of the examples alone is 1, so a difference of 2 has a
 * power of 0.52. */
static void ends(void **state)
{
    const struct design d = {1, 0, 1, 0}, examples = {1, 1, 1e6, 0};
    const struct design none = {0, 0, 1, 0};

    (void)state;
    assert_int_equal(design_seeds(&d, 0.5, 0.05, 0.8, 34), 34);
    assert_int_equal(design_seeds(&d, 0.5, 0.05, 0.8, 33), 0);
    assert_int_equal(design_seeds(&d, 100, 0.05, 0.8, 33), 2);
    assert_int_equal(design_seeds(&d, 0, 0.05, 0.8, 1000), 0);
    assert_int_equal(design_seeds(&examples, 2, 0.05, 0.8, 10000), 0);
    near(design_power(&examples, 10000, 2, 0.05), 0.516, 0.001);
    assert_true(design_seeds(&examples, 3, 0.05, 0.8, 10000) > 2);
    assert_int_equal(design_seeds(&none, 1e-9, 0.05, 0.8, 10), 2);
    assert_int_equal(design_seeds(&none, 0, 0.05, 0.8, 10), 0);
}

/* If examples are the only source of variance, with 99 degrees of freedom,
 * t(0.975) is 1.9842, so a power of 0.8 needs a difference of 2.83 standard
 * errors. A difference of 2 is one error, sqrt(4), so the number of examples
 * must be multiplied by 2.83^2 = 8, to within 1 %. */
static void examples(void **state)
{
    const struct design d = {0, 4, 99, 0}, seed = {4, 1, 99, 0};
    double times = design_examples(&d, 3, 2, 0.05, 0.8);

    (void)state;
    near(times, 8.0, 0.12);
    near(design_examples(&d, 3, 20, 0.05, 0.8), 1, 0.011);
    assert_true(design_examples(&seed, 3, 2, 0.05, 0.8) == 0);
}

/* ---- verdicts of random samples ---- */

enum { SEEDS = 5, EXAMPLES = 100, SAMPLES = 500 };

/* Draws scores, each `difference` plus a seed effect and an example effect.
 * Returns 1 if their mean is significant. `of_seed` and `of_examples` are the
 * variances of these effects in the mean. */
static int is_told(uint32_t k, double difference, double of_seed,
                   double of_examples)
{
    struct rng_key key = {.seed = 3, .stream = RNG_TEST, .step = k};
    double u[EXAMPLES], score[SEEDS], mean = 0, n = EXAMPLES;
    const double *moves[SEEDS];

    for (size_t i = 0; i < EXAMPLES; i++) {
        u[i] = sqrt(of_examples / n) * rng_normal(key, 10 + i);
        mean += u[i] / n;
    }
    for (size_t s = 0; s < SEEDS; s++) {
        score[s] = difference + mean * n + sqrt(of_seed) * rng_normal(key, s);
        moves[s] = u;
    }
    for (size_t i = 0; i < EXAMPLES; i++)
        u[i] = (u[i] - mean) * sqrt(n / (n - 1));
    const struct two_way_sample x = {SEEDS, EXAMPLES, score, moves};
    struct known known = {.crossed = two_way_of(&x, NULL)};
    return verdict_of(&known, 1).sign > 0;
}

static void verdicts(void **state)
{
    static const struct design all[] = {
        {1, 0, 99, 0}, {1, 0.1, 99, 0}, {0.5, 0.3, 99, 0}, {0.1, 0.5, 99, 0}};
    static const double difference[] = {1.5, 1.8, 2, 2.2};
    uint32_t k = 0;

    (void)state;
    for (int a = 0; a < 4; a++) {
        double told = 0, want = design_power(&all[a], SEEDS, difference[a],
                                             STATS_LEVEL);

        for (int i = 0; i < SAMPLES; i++)
            told += is_told(k++, difference[a], all[a].of_seed,
                            all[a].of_examples);
        assert_true(want > 0.5 && want < 0.95);
        near(told / SAMPLES, want, 0.06);
    }
}

/* As is_told, for n unpaired seeds per side, with variances `of_a` and
 * `of_b`. */
static int is_told_apart(uint32_t k, size_t n, double difference, double of_a,
                         double of_b)
{
    struct rng_key key = {.seed = 5, .stream = RNG_TEST, .step = k};
    double a[SEEDS], b[SEEDS];

    for (size_t s = 0; s < n; s++) {
        a[s] = difference + sqrt(of_a) * rng_normal(key, s);
        b[s] = sqrt(of_b) * rng_normal(key, SEEDS + s);
    }
    const struct two_way_sample x = {n, 0, a, NULL}, y = {n, 0, b, NULL};
    struct known known = {.crossed = two_way_of(&x, &y)};
    return verdict_of(&known, 1).sign != 0;
}

/* If the variances are equal, this is the two-sample t test with 2 n - 2
 * degrees of freedom, at the quantile for n - 1; otherwise, approximately. As
 * pairs, 3 seeds would detect a difference of 2 with power 0.29 instead of
 * 0.19. */
static void unpaired(void **state)
{
    static const struct design all[] = {
        {0.5, 0, 1, 0.5}, {0.5, 0, 1, 0.5}, {0.5, 0, 1, 0.5}, {0.8, 0, 1, 0.2}};
    static const double difference[] = {2, 0, 2, 1.5};
    static const size_t n[] = {3, 3, 5, 5};
    enum { DRAWN = 8000 };
    uint32_t k = 0;

    (void)state;
    for (int i = 0; i < 4; i++) {
        double told = 0;

        for (int j = 0; j < DRAWN; j++)
            told += is_told_apart(k++, n[i], difference[i], all[i].of_seed,
                                  all[i].of_other);
        near(told / DRAWN, design_power(&all[i], n[i], difference[i],
                                        STATS_LEVEL), 0.016);
    }
}

/* The quantiles of chi-squared at 0.025 and 0.975 are 0.000982 and 5.0239 with
 * 1 degree of freedom, 2.7004 and 19.0228 with 9. */
static void spreads(void **state)
{
    (void)state;
    near(design_spread(2).low, 1 / sqrt(5.0239), 1e-5);
    near(design_spread(2).high, 1 / sqrt(0.000982069), 1e-3);
    near(design_spread(10).low, 3 / sqrt(19.0228), 1e-5);
    near(design_spread(10).high, 3 / sqrt(2.7004), 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"the noncentral t is that of another series", noncentral, NULL, NULL,
         NULL},
        {"seeds of pairs are those of printed tables", paired, NULL, NULL,
         NULL},
        {"what no number of seeds tells is told as that", ends, NULL, NULL,
         NULL},
        {"examples are counted as seeds are", examples, NULL, NULL, NULL},
        {"verdicts of samples come as often as the power says", verdicts, NULL,
         NULL, NULL},
        {"seeds that are no pairs have the power of two samples", unpaired,
         NULL, NULL, NULL},
        {"a spread is known within the factors of chi squared", spreads, NULL,
         NULL, NULL},
    };

    return cmocka_run_group_tests_name("detect", tests, NULL, NULL);
}
