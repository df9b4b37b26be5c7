/* Means over seeds x test examples (stats/two_way.h), compared with a two-way
 * analysis of variance by hand and with the known parameters of random samples.
 * "x = 1 3 / 2 8" below means that seed 1 has the values 1 and 3 of two
 * examples, and seed 2 has 2 and 8. */
#include "harness/base/rng.h"
#include "harness/stats/two_way.h"
#include "harness/stats/verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

enum { SEEDS = 8, EXAMPLES = 200 };

static void near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%.17g, not %.17g", got, want);
}

/* Means over n examples: the scores of the seeds, and u by its definition. */
struct table {
    double score[SEEDS], u[SEEDS][EXAMPLES];
    const double *moves[SEEDS];
};

static struct two_way_sample sample_of(struct table *t, size_t seeds, size_t n,
                                       double x[][EXAMPLES])
{
    for (size_t s = 0; s < seeds; s++) {
        double sum = 0, many = (double)n;

        for (size_t i = 0; i < n; i++)
            sum += x[s][i];
        for (size_t i = 0; i < n; i++)
            t->u[s][i] = sqrt((many - 1) / many) *
                         ((sum - x[s][i]) / (many - 1) - sum / many);
        t->score[s] = sum / many;
        t->moves[s] = t->u[s];
    }
    return (struct two_way_sample){seeds, n, t->score, t->moves};
}

/* For x = 1 3 / 2 8, the mean squares of seeds, examples and residual are 9, 16
 * and 4, so their variance components are 5/2, 6 and 4. The grand mean has
 * variance (5/2) / 2 + 6 / 2 + 4 / 4 = 5/4 + 3 + 1: 5/4 + 1 = 9/4 from seeds
 * with their residual, 3 from examples. */
static void by_hand(void **state)
{
    double x[2][EXAMPLES] = {{1, 3}, {2, 8}};
    struct table t;
    struct two_way_sample s = sample_of(&t, 2, 2, x);
    struct two_way c = two_way_of(&s, NULL);

    (void)state;
    near(c.mean, 3.5, 1e-15);
    assert_int_equal(c.parts, 2);
    near(c.part[0].variance, 2.25, 1e-14);
    near(c.part[1].variance, 3, 1e-14);
    near(two_way_error(&c), sqrt(5.25), 1e-14);
    /* both parts have one degree of freedom: t(0.975) is 12.7062, t(0.75) is
     * 1 */
    near(two_way_interval(&c).high, 3.5 + 12.706204736432095 * sqrt(5.25),
         1e-9);
    near(two_way_interval(&c).low, 3.5 - 12.706204736432095 * sqrt(5.25), 1e-9);
    near(two_way_reach(&c, 0.25), sqrt(5.25), 1e-7);
}

/* Seeds with equal means count as varying at least as much as the residual
 * implies: x = 1 3 / 3 1 has only a residual, with mean square 4. */
static void rest(void **state)
{
    double x[2][EXAMPLES] = {{1, 3}, {3, 1}};
    struct table t;
    struct two_way_sample s = sample_of(&t, 2, 2, x);
    struct two_way c = two_way_of(&s, NULL);

    (void)state;
    near(c.part[0].variance, 0, 1e-15);
    near(c.part[1].variance, 1, 1e-15);
}

/* x = 1 3 / 3 1, as above: no variance of the examples is visible. B, the
 * variance from examples, is 0; E, the residual's, is 1. Their difference has a
 * standard error of sqrt(2 (1 + 1)), with one degree of freedom each. In 400
 * samples without variance of the examples, B - E exceeds its bound in about 5
 * %. */
static void not_seen(void **state)
{
    double x[2][EXAMPLES] = {{1, 3}, {3, 1}};
    static double y[3][EXAMPLES];
    static struct table t;
    struct two_way_sample s = sample_of(&t, 2, 2, x);
    int over = 0, seen = 0;

    (void)state;
    near(two_way_of(&s, NULL).unseen, 1.645 * 2, 1e-13);
    x[1][0] = 1;
    x[1][1] = 4;
    s = sample_of(&t, 2, 2, x);
    near(two_way_of(&s, NULL).unseen, 0, 0);
    for (uint32_t k = 0; k < 400; k++) {
        struct rng_key key = {.seed = 9, .stream = RNG_TEST, .step = k};

        for (size_t i = 0; i < 3 * EXAMPLES; i++)
            y[i / EXAMPLES][i % EXAMPLES] = rng_normal(key, i);
        s = sample_of(&t, 3, EXAMPLES, y);
        struct two_way c = two_way_of(&s, NULL);
        double e = 1 / (3.0 * EXAMPLES), bound = 1.645 * e *
                   sqrt(2 * 1.5 / (EXAMPLES - 1));

        seen += c.unseen == 0;
        over += c.part[1].variance - fmax(0, e - c.part[0].variance) > bound;
        if (c.unseen > 0)
            near(c.unseen, bound, 0.25 * bound);
    }
    assert_true(seen > 140 && seen < 260 && over > 5 && over < 60);
}

/* The mean of x = 1 3 / 2 8 minus the mean of other seeds, y = 0 2 / 4 6, on
 * the same two examples; symbols as in two_way.h. A is 9/4 for x, whose seeds
 * have the scores 2 and 5, and 4 for y, whose seeds have 1 and 5. v is (2, -2)
 * sqrt(1/2) for x and (1, -1) sqrt(1/2) for y. The difference is (1, -1)
 * sqrt(1/2), so B = 1/2 + 1/2 = 1. E is (1 + 9) / 2 - 4 = 1 for x and 1 - 1 = 0
 * for y. So B minus both E is 0, and E < A for both. */
static void others(void **state)
{
    double x[2][EXAMPLES] = {{1, 3}, {2, 8}}, y[2][EXAMPLES] = {{0, 2}, {4, 6}};
    struct table t, u;
    struct two_way_sample a = sample_of(&t, 2, 2, x);
    struct two_way_sample b = sample_of(&u, 2, 2, y);
    struct two_way c = two_way_of(&a, &b);

    (void)state;
    near(c.mean, 0.5, 1e-15);
    assert_int_equal(c.parts, 3);
    near(c.part[0].variance, 2.25, 1e-14);
    near(c.part[1].variance, 4, 1e-14);
    near(c.part[2].variance, 0, 1e-14);
    /* seed 1 is now 1 11: v is ((5 + 3) / 2 - 1, ...) = (3, -3) sqrt(1/2) */
    x[0][1] += 8;
    a = sample_of(&t, 2, 2, x);
    c = two_way_of(&a, &b);
    /* B = 9/2 + 9/2; for x, E = (25 + 9) / 2 - 16 = 1, and A = 1/4 from the
     * scores 6 and 5; the variance is B - E + E - A */
    near(c.part[2].variance, 9 - 1 + 0.75, 1e-13);
}

/* Three examples, so seeds have 1 and examples 2 degrees of freedom: t(0.975)
 * is 12.7062 and 4.30265. x = 1 2 3 / 5 6 7 has no residual; the variance of
 * the mean is 8 / 2 from seeds plus 1 / 3 from examples. */
static void squares(void **state)
{
    double x[2][EXAMPLES] = {{1, 2, 3}, {5, 6, 7}};
    struct table t;
    struct two_way_sample s = sample_of(&t, 2, 3, x);
    struct two_way c = two_way_of(&s, NULL);
    double third = 1.0 / 3;

    (void)state;
    near(c.part[0].variance, 4, 1e-13);
    near(c.part[1].variance, third, 1e-13);
    near(c.part[0].degrees, 1, 0);
    near(c.part[1].degrees, 2, 0);
    near(two_way_interval(&c).high - c.mean,
         sqrt(4 * pow(12.706204736432095, 2) +
              third * pow(4.302652729911275, 2)), 1e-9);
}

/* Without examples, the interval is Student's. With constant examples, or
 * examples that are equal for all seeds, it is not narrower. */
static void seeds_alone(void **state)
{
    const double score[] = {30.1, 29.5, 30.4, 30.2};
    const double none[3] = {0}, some[] = {0.3, -0.1, -0.2};
    const double *const flat[] = {none, none, none, none};
    const double *const alike[] = {some, some, some, some};
    struct two_way_sample s = {.seeds = 4, .score = score};
    struct interval want = stats_t_interval(score, 4), got;
    struct two_way c = two_way_of(&s, NULL);

    (void)state;
    assert_int_equal(c.parts, 1);
    for (int i = 0; i < 2; i++) {
        got = two_way_interval(&c);
        near(got.low, want.low, 1e-12);
        near(got.high, want.high, 1e-12);
        s = (struct two_way_sample){4, 3, score, flat};
        c = two_way_of(&s, NULL);
    }
    s.influence = alike;
    c = two_way_of(&s, NULL);
    near(c.part[1].variance, 0.14, 1e-15);
    assert_true(two_way_interval(&c).high > want.high);
}

/* With one seed, or if a value is not finite, there is no interval. */
static void unknown(void **state)
{
    double score[] = {1, 2, 3}, u[] = {0.1, -0.1};
    const double *const moves[] = {u, u, u};
    struct two_way_sample s = {1, 2, score, moves};
    struct known k = {.crossed = two_way_of(&s, NULL)};

    (void)state;
    assert_int_equal(k.crossed.parts, 0);
    assert_true(isnan(two_way_interval(&k.crossed).low));
    assert_int_equal(known_values(&k), 0);
    assert_true(isnan(verdict_of(&k, 1).p));
    s.seeds = 3;
    assert_int_equal(two_way_of(&s, NULL).parts, 2);
    score[1] = INFINITY;
    assert_int_equal(two_way_of(&s, NULL).parts, 0);
    score[1] = 2;
    u[1] = NAN;
    assert_int_equal(two_way_of(&s, NULL).parts, 0);
    score[1] = NAN;
    assert_int_equal(two_way_of(&s, NULL).parts, 0);
}

/* ---- random samples ---- */

static struct rng_key key_of(uint32_t k)
{
    return (struct rng_key){.seed = 7, .stream = RNG_TEST, .step = k};
}

/* Draws values with mean 0. Seeds contribute `share` of the variance of the
 * mean; examples contribute most of the rest. */
static void draw_scores(double x[][EXAMPLES], size_t seeds, double share,
                        uint32_t k)
{
    double of_seed = sqrt(share * (double)seeds);
    double of_example = sqrt((1 - share) * EXAMPLES * 0.9);
    double of_rest = sqrt((1 - share) * EXAMPLES * 0.1 * (double)seeds);
    size_t at = 1000;

    for (size_t s = 0; s < seeds; s++)
        for (size_t i = 0; i < EXAMPLES; i++)
            x[s][i] = of_seed * rng_normal(key_of(k), s) +
                      of_example * rng_normal(key_of(k), 100 + i) +
                      of_rest * rng_normal(key_of(k), at++);
}

static void holds(void **state)
{
    enum { SAMPLES = 400 };
    static const size_t seeds[] = {2, 3, 5, 8};
    static const double share[] = {0.1, 0.5, 0.9};
    static double x[SEEDS][EXAMPLES];
    static struct table t;
    uint32_t k = 0;

    (void)state;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 3; b++) {
            int held = 0;

            for (int i = 0; i < SAMPLES; i++) {
                draw_scores(x, seeds[a], share[b], k++);
                struct two_way_sample s = sample_of(&t, seeds[a], EXAMPLES, x);
                struct two_way c = two_way_of(&s, NULL);
                struct interval in = two_way_interval(&c);

                held += in.low < 0 && 0 < in.high;
            }
            if (held < SAMPLES * 93 / 100 || (b == 2 && held > 0.98 * SAMPLES))
                fail_msg("%zu seeds, %g of the variance: %d of %d", seeds[a],
                         share[b], held, SAMPLES);
        }
}

/* ---- families of tests ---- */

/* Returns in how many of `samples` samples the interval of one of 46 tests
 * misses the true mean. Seeds contribute `share` of the variance of the mean;
 * the variance from examples is known. */
static int misses(size_t seeds, double share, double tail, int samples,
                  uint32_t key)
{
    int missed = 0;

    for (int i = 0; i < samples; i++) {
        struct rng_key k = {.seed = 8, .stream = RNG_TEST, .step = (uint32_t)i,
                            .site = key};
        double degrees = (double)seeds - 1, chi = 0;

        for (size_t s = 1; s < seeds; s++)
            chi += pow(rng_normal(k, s), 2);
        struct two_way c = {
            .parts = 2, .part = {{share * chi / degrees, degrees},
                                 {1 - share, 1e9}}};
        missed += fabs(rng_normal(k, 0)) > two_way_reach(&c, tail);
    }
    return missed;
}

/* If seeds have nearly all of the variance, intervals by weighted quantiles
 * would miss the mean 5.4 times as often as they should with 2 seeds, and twice
 * as often with 3. */
static void families(void **state)
{
    enum { SAMPLES = 100000, TESTS = 46 };
    static const double share[] = {0.25, 0.75, 0.9, 0.99};
    double level = STATS_LEVEL / TESTS, most = level * SAMPLES;
    uint32_t key = 0;

    (void)state;
    for (size_t seeds = 2; seeds <= 5; seeds++)
        for (int i = 0; i < 4; i++) {
            int missed = misses(seeds, share[i], level / 2, SAMPLES, key++);

            if (missed > most + 3 * sqrt(most) ||
                (i == 3 && missed < 0.6 * most))
                fail_msg("%zu seeds, %g of the variance: %d of %d, not %g",
                         seeds, share[i], missed, SAMPLES, most);
        }
}

/* With 1 degree of freedom, t(0.975) is 6.48 times the normal quantile, and
 * t(0.9875), for 2 tests, is 11.4 times its normal quantile; with 2 degrees and
 * 46 tests, the factor is 9.27. The limit is 10. */
static void too_few(void **state)
{
    struct two_way two = {.parts = 1, .part = {{4, 1}}};
    struct two_way three = {.parts = 1, .part = {{4, 2}}};
    struct two_way most = {.parts = 2, .part = {{0.01, 1}, {4, 499}}};
    struct known known = {.crossed = two};

    (void)state;
    assert_false(two_way_too_few(&two, 0.025));
    assert_true(two_way_too_few(&two, 0.0125));
    assert_false(two_way_too_few(&three, 0.025 / 46));
    assert_true(two_way_too_few(&three, 0.025 / 60));
    assert_false(two_way_too_few(&most, 0.0125));
    assert_false(isnan(verdict_of(&known, 1).between.low));
    assert_true(isnan(verdict_of(&known, 2).between.low));
    assert_true(verdict_of(&known, 2).p >= STATS_LEVEL);
    known.crossed.mean = 1000; /* significant, so it has an interval */
    assert_int_equal(verdict_of(&known, 2).sign, 1);
    assert_true(verdict_of(&known, 2).between.low > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"the parts are those of a two-way analysis of variance", by_hand, NULL,
         NULL, NULL},
        {"seeds vary by no less than the rest makes them", rest, NULL, NULL,
         NULL},
        {"a variance of the examples that is not seen has a bound", not_seen,
         NULL, NULL, NULL},
        {"a difference is over the same examples", others, NULL, NULL, NULL},
        {"the squares of the parts' half widths add up", squares, NULL, NULL,
         NULL},
        {"without examples the interval is Student's", seeds_alone, NULL, NULL,
         NULL},
        {"of one seed, or of no number, nothing is known", unknown, NULL, NULL,
         NULL},
        {"intervals hold the truth as often as they say, or more", holds, NULL,
         NULL, NULL},
        {"so do those of a family of tests", families, NULL, NULL, NULL},
        {"an interval that only its few seeds make so wide is withheld",
         too_few, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("crossed", tests, NULL, NULL);
}
