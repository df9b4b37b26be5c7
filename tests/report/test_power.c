/* Power analysis: which spread of two variants determines the power. */
#include "harness/report/power.h"
#include "harness/stats/design.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-9))
        fail_msg("%.12g is not %.12g", got, want);
}

/* Tests three pairs whose differences have variance 1, and three seeds per
 * side, with variances 0.5 and 0.25. */
static void sides(void **state)
{
    const struct contrast pairs = {
        .difference = -2, .seeds = 3,
        .mean = {-2, 0, 1, {{1 / 3.0, 2}}}};
    const struct contrast apart = {
        .difference = -2, .seeds = 3, .examples = 50,
        .mean = {-2, 0, 3, {{0.5 / 3, 2}, {0.25 / 3, 2}, {0.1, 49}}}};
    const struct design one = {1, 0, 1, 0}, two = {0.5, 0.1, 49, 0.25};

    (void)state;
    struct power p = power_of(&pairs, 0, 0.05, 0.8);
    near(p.power, design_power(&one, 3, 2, 0.05));
    near(p.sd_seed, 1);
    assert_true(isnan(p.error_examples));
    assert_int_equal(p.seeds, design_seeds(&one, 2, 0.05, 0.8, 10000));
    p = power_of(&apart, 0, 0.05, 0.8);
    near(p.power, design_power(&two, 3, 2, 0.05));
    near(p.sd_seed, sqrt(0.75));
    near(p.error_examples, sqrt(0.1));
    assert_int_equal(p.seeds, design_seeds(&two, 2, 0.05, 0.8, 10000));
}

/* The variance of one seed is 1 (of the mean of 3 seeds: 1/3), that of the
 * examples 2, so their share is 2 / (2 + 1/3) = 6/7. The required difference is
 * 5. From 3 seeds the spread is known within the factors 0.52 to 6.3. */
static void range(void **state)
{
    const struct contrast seen = {
        .difference = 5, .seeds = 3, .examples = 100,
        .mean = {5, 0, 2, {{1 / 3.0, 2}, {2, 99}}}};
    struct design few = {0, 2, 99, 0}, many = few, all = {1, 2, 99, 0};
    struct interval by = design_spread(3);

    (void)state;
    few.of_seed = by.low * by.low;
    many.of_seed = by.high * by.high;
    struct power p = power_of(&seen, 0, 0.05, 0.8);
    assert_int_equal(p.least, design_seeds(&few, 5, 0.05, 0.8, 10000));
    assert_int_equal(p.most, design_seeds(&many, 5, 0.05, 0.8, 10000));
    assert_true(p.least <= p.seeds && p.seeds < p.most);
    near(p.share, 6 / 7.0);
    /* the stated number of test examples has the required power, 2 % fewer do
     * not */
    assert_true(p.examples > 100 && p.power < 0.8);
    all.of_examples = 200 / (double)p.examples;
    assert_true(design_power(&all, 3, 5, 0.05) >= 0.8);
    all.of_examples = 200 / (0.98 * (double)p.examples);
    assert_true(design_power(&all, 3, 5, 0.05) < 0.8);
}

/* If a variance component is estimated as 0, it still has an upper bound, from
 * which the maximum number of seeds follows. */
static void unseen(void **state)
{
    const struct contrast seen = {
        .difference = 5, .seeds = 3, .examples = 100,
        .mean = {5, 0.25, 2, {{1 / 3.0, 2}, {0, 99}}}};
    struct interval by = design_spread(3);
    struct design many = {by.high * by.high, 0.25, 99, 0};

    (void)state;
    struct power p = power_of(&seen, 0, 0.05, 0.8);
    assert_true(isnan(p.error_examples));
    near(p.below, 0.5);
    assert_int_equal(p.most, design_seeds(&many, 5, 0.05, 0.8, 10000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"seeds of two sides are taken for what they are", sides, NULL, NULL,
         NULL},
        {"the seeds that it takes have a range, and test examples may do it",
         range, NULL, NULL, NULL},
        {"a variance that was not seen has a bound", unseen, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("power", tests, NULL, NULL);
}
