/* Checks the estimated time of a step with several ranks. */
#include "harness/plan/project.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

/* Sending a gradient takes 1 s. A step of one rank takes 10 s. Batches have 8
 * rows. */
static const struct network net = {.bandwidth = 1e6 * sizeof(real),
                                   .latency = 0.01};

static const struct cell cell = {.seconds = 100, .cost.params = 1e6,
                                 .config.steps = 10, .step.rows = 8};

static void is(int ranks, double compute, double exchange, double beside)
{
    struct projection x = project(&cell, &net, ranks);

    assert_true(fabs(x.exchange - exchange) < 1e-9);
    assert_true(fabs(x.beside - beside) < 1e-9);
    assert_true(fabs(x.step - compute - exchange + beside) < 1e-9);
    assert_true(fabs(x.efficiency - 10 / (ranks * x.step)) < 1e-9);
}

/* Up to half of the communication overlaps with two thirds of the work. */
static void by_hand(void **state)
{
    (void)state;
    is(1, 10, 0, 0);
    is(2, 5, 1 + 0.04, 0.5);
    is(3, 3.75, 4.0 / 3 + 0.08, 2.0 / 3); /* the largest part has 3 of 8 rows */
    is(8, 1.25, 1.75 + 0.28, 2.5 / 3);
    is(16, 1.25, 1.875 + 0.6, 2.5 / 3); /* half of the ranks have no row */
}

/* The efficiencies are 10 / 11.08 with 2 ranks, 10 / 13.48 with 4 and 10 / 19.6
 * with 8. 3 is not considered, as it does not divide 8. */
static void the_first_below(void **state)
{
    (void)state;
    assert_int_equal(project_limit(&cell, &net, 0.8, 100), 4);
    assert_int_equal(project_limit(&cell, &net, 0.5, 100), 9);
    assert_int_equal(project_limit(&cell, &net, 0.3, 100), 13);
    assert_int_equal(project_limit(&cell, &net, 0.8, 3), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        {"a step of several ranks is as by hand", by_hand, NULL, NULL, NULL},
        {"the first number of ranks below an efficiency divides the batch or "
         "is greater", the_first_below, NULL, NULL, NULL}};

    return cmocka_run_group_tests_name("project", tests, NULL, NULL);
}
