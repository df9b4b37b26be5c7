/* The processor time of a cell, divided into phases. */
#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/train/phase.h"
#include "tests/support/trained_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void burn(double seconds)
{
    double end = clock_cpu_seconds() + seconds;

    while (clock_cpu_seconds() < end)
        ;
}

static double sum_of(const double *x, int n)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

static void every_moment_once(void **state)
{
    static const double spent[PHASES] = {[PHASE_START] = 0.003,
                                         [PHASE_TRAIN] = 0.011,
                                         [PHASE_VALID] = 0.006};
    struct phases t;
    double began = clock_cpu_seconds();

    (void)state;
    phases_begin(&t);
    burn(0.003);
    phases_enter(&t, PHASE_TRAIN);
    burn(0.004);
    phases_enter(&t, PHASE_VALID);
    burn(0.006);
    phases_enter(&t, PHASE_TRAIN);
    burn(0.007);
    phases_count(&t);
    double all = clock_cpu_seconds() - began;
    for (int i = 0; i < PHASES; i++)
        if (t.cpu[i] < spent[i] || (t.cpu[i] > 0) != (spent[i] > 0))
            fail_msg("%s: %g s, not %g", phase_name[i], t.cpu[i], spent[i]);
    assert_true(sum_of(t.cpu, PHASES) <= all);
    assert_true(t.now == PHASE_TRAIN);
}

static void two_processes(void **state)
{
    struct phases before = {.cpu = {1, 2, 4}, .now = PHASE_DATA, .since = 9};
    struct phases t = {.cpu = {8, 16, 32, 64}, .now = PHASE_TEST, .since = 3};

    (void)state;
    phases_add(&t, &before);
    assert_true(t.cpu[0] == 9 && t.cpu[1] == 18 && t.cpu[2] == 36 &&
                t.cpu[3] == 64 && t.now == PHASE_TEST && t.since == 3);
}

/* ---- a whole cell ---- */

/* Reads GROUP@NAME for each name into `out`; returns the sum. */
static double read_all(double *out, struct cell_reader *r, const char *group,
                       const char *const *name)
{
    int n = 0;

    for (; name[n]; n++) {
        assert_int_equal(cell_get_real(r, group, name[n], &out[n]), OK);
        assert_true(out[n] >= 0);
    }
    return sum_of(out, n);
}

/* Trains c and reads its processor time by phase. Sets *nearly_all to 1 if the
 * phases account for nearly all of the time that the process used. */
static struct cell_reader *given_timed(struct config *c, double cpu[PHASES],
                                       int *nearly_all)
{
    double began = clock_cpu_seconds();

    given_trained(c, &given_labels);
    double spent = clock_cpu_seconds() - began;
    struct cell_reader *r = given_stored();
    double stored = read_all(cpu, r, "timing/cpu_seconds", phase_name);

    if (stored > spent)
        fail_msg("%g s are stored, but %g s were used", stored, spent);
    *nearly_all = stored >= 0.9 * spent - 0.002;
    return r;
}

static void of_a_cell(void **state)
{
    struct config c = given_config(TASK_CLASSIFY, 70, 2);
    double cpu[PHASES], kernel[KERNEL_CLASSES], other, passed;
    long long clocked, timed;
    int nearly_all;

    (void)state;
    struct cell_reader *r = given_timed(&c, cpu, &nearly_all);

    /* Under load, a page fault or the start of a thread can take time outside
     * phases, so the training is repeated. */
    for (int more = 9; !nearly_all && more; more--) {
        cell_close(r);
        given_another_store();
        r = given_timed(&c, cpu, &nearly_all);
    }
    assert_true(nearly_all);
    assert_true(cpu[PHASE_TRAIN] > 0 && cpu[PHASE_VALID] > 0 &&
                cpu[PHASE_TEST] > 0 && cpu[PHASE_WRITE] > 0);
    assert_int_equal(cell_get_int(r, "timing", "steps_clocked", &clocked), OK);
    assert_int_equal(cell_get_int(r, "timing", "steps_timed", &timed), OK);
    assert_int_equal(clocked, 2); /* steps 32 and 64 */
    assert_int_equal(timed, 68);
    double kernels = read_all(kernel, r, "timing/kernel_seconds",
                              kernel_class_name);
    assert_true(kernel[KERNEL_PRODUCTS] > 0 && kernel[KERNEL_OPTIMIZER] > 0);
    assert_int_equal(cell_get_real(r, "timing/kernel_seconds", "other",
                                   &other), OK);
    assert_int_equal(cell_get_real(r, "timing", "train_seconds", &passed), OK);
    /* Both are wall-clock times, so load affects both alike. */
    assert_true(other > 0 && kernels + other < c.threads * passed / 2);
    cell_close(r);
}

/* A cell that is stopped after each of its first steps counts the time of all
 * its runs. */
static void of_one_that_was_stopped(void **state)
{
    enum { STOPS = 24 };
    struct config c = given_config(TASK_CLASSIFY, STOPS + 2, 2);
    double cpu[PHASES], spent = 0, last = 0;

    (void)state;
    for (int i = 0; i <= STOPS; i++) {
        struct training at_first = {.at_first = i < STOPS};
        double began = clock_cpu_seconds();

        assert_int_equal(given_run(&c, &given_labels, &at_first),
                         i < STOPS ? ERR_STOPPED : OK);
        last = clock_cpu_seconds() - began;
        spent += last;
        burn(0.01); /* not in a process of the cell */
    }
    struct cell_reader *r = given_stored();
    double stored = read_all(cpu, r, "timing/cpu_seconds", phase_name);

    cell_close(r);
    /* all runs count, not just the last */
    if (stored > spent || stored <= last)
        fail_msg("%g s are stored, but %g s were used, %g s in the last run",
                 stored, spent, last);
}

int main(void)
{
    const struct CMUnitTest phase[] = {
        {"every moment belongs to exactly one phase", every_moment_once, NULL,
         NULL, NULL},
        {"the times of an earlier process are added", two_processes, NULL, NULL,
         NULL},
        {"a cell stores all of its processor time by phase, and that of every "
         "32nd step by kernel", of_a_cell, given_setup, given_teardown, NULL},
        {"a cell that was stopped stores the time of all its processes",
         of_one_that_was_stopped, given_setup, given_teardown, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("train_phase", phase, NULL, NULL);
}
