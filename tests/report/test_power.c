/* Of what was seen of two variants, the spread that decides the power. */
#include "harness/report/power.h"
#include "harness/stats/detect.h"

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

/* Three pairs whose differences vary by 1; or three seeds of either side, of
 * which one varies by 0.5 and the other by 0.25. */
static void sides(void **state)
{
    const struct contrast pairs = {
        .difference = -2, .seeds = 3,
        .mean = {-2, 1, {{1 / 3.0, 2}}}};
    const struct contrast apart = {
        .difference = -2, .seeds = 3, .examples = 50,
        .mean = {-2, 3, {{0.5 / 3, 2}, {0.25 / 3, 2}, {0.1, 49}}}};
    const struct detect one = {1, 0, 1, 0}, two = {0.5, 0.1, 49, 0.25};

    (void)state;
    struct power p = power_of(&pairs, 0, 0.05, 0.8);
    near(p.power, detect_power(&one, 3, 2, 0.05));
    near(p.sd_seed, 1);
    assert_true(isnan(p.error_examples));
    assert_int_equal(p.seeds, detect_seeds(&one, 2, 0.05, 0.8, 10000));
    p = power_of(&apart, 0, 0.05, 0.8);
    near(p.power, detect_power(&two, 3, 2, 0.05));
    near(p.sd_seed, sqrt(0.75));
    near(p.error_examples, sqrt(0.1));
    assert_int_equal(p.seeds, detect_seeds(&two, 2, 0.05, 0.8, 10000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"seeds of two sides are taken for what they are", sides, NULL, NULL,
         NULL},
    };

    return cmocka_run_group_tests_name("power", tests, NULL, NULL);
}
