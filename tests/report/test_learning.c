/* Which numbers of a table are not ranked, and why. The cases are at the
 * boundaries of the rules in report/learning.h and report/result_table.h. */
#include "harness/report/result_table.h"

#include "harness/base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

/* ---- two variants ---- */

static struct learning of(double ce, double settled, double error)
{
    struct learning l = {.cells = 0};

    learning_add(&l, ce, settled, error);
    return l;
}

/* Returns whether two variants are not ranked because they have not converged;
 * their order does not matter. */
static int unsettled(struct learning a, struct learning b)
{
    int is = learning_unsettled(&a, &b);

    assert_int_equal(learning_unsettled(&b, &a), is);
    return is;
}

static void gap(void **state)
{
    struct learning still = of(3, 0, 0);

    (void)state;
    /* as large as the difference */
    assert_false(unsettled(still, of(2.5, 0.5, 0.01)));
    assert_true(unsettled(still, of(2.5, 0.5 + 1e-9, 0.01)));
    assert_true(unsettled(of(3, 0.65, 0.01), of(2.9, 0.5, 0.01)));
    assert_true(unsettled(of(3, 0.65, 0.01), of(3.5, 0.1, 0.01)));
    assert_false(unsettled(of(3, 0.4, 0.01), of(2.5, 0.4, 0.01)));
    assert_false(unsettled(still, of(3, 0, 0)));
    assert_true(unsettled(still, of(3, LEARNING_FLOOR, 0)));
    assert_false(unsettled(still, of(3, 0.99 * LEARNING_FLOOR, 0)));
}

/* If both variants gain equally, their difference is kept. In the overnight run
 * on language modelling, both gained 0.040 +- 0.008 and differ by 0.0137. On
 * translation, noise hides a gain of 0.038 +- 0.039, with the same result. */
static void alike(void **state)
{
    (void)state;
    assert_false(unsettled(of(3.67, 0.040, 0.004), of(3.6837, 0.043, 0.004)));
    assert_true(unsettled(of(3.67, 0.040, 0.004), of(3.6837, 0.060, 0.004)));
    assert_false(unsettled(of(2.47, 0.038, 0.0195), of(2.49, 0.01, 0.0195)));
}

static double drift(struct learning a, struct learning b)
{
    return learning_drift(&a, &b);
}

static void noise(void **state)
{
    struct learning still = of(3, 0, 0);

    (void)state;
    assert_true(drift(still, of(3, 0.5, 0.25)) == 0);
    assert_true(drift(still, of(3, 0.5, 0.249)) == 0.5);
    assert_true(drift(still, of(3, -0.5, 0.1)) == 0.5); /* its loss increased */
    assert_true(drift(still, of(3, 0.5, NAN)) == 0);
    assert_true(drift(still, of(3, NAN, NAN)) == 0);
    /* the difference, 1, is twice the error, sqrt(0.3^2 + 0.4^2) = 0.5 */
    assert_true(drift(of(3, 1, 0.3), of(3, 2, 0.4)) == 0);
    assert_true(drift(of(3, 1, 0.29), of(3, 2, 0.4)) == 1);
    assert_false(unsettled(still, of(2.9, 0.5, 0.25)));
    assert_false(unsettled(of(3, NAN, NAN), of(2.9, 0.5, NAN)));
    assert_true(unsettled(of(3, NAN, NAN), of(2.9, 0.5, 0.1)));
    assert_false(unsettled(of(NAN, 0.5, 0.1), of(2.9, 0.5, 0.1)));
    assert_false(unsettled((struct learning){.cells = 0}, of(2.9, 0.5, 0.1)));
}

/* The gains 0.25 and 0.75, with errors of 0.3 and 0.4, have the mean 0.5 with
 * an error of sqrt(0.3^2 + 0.4^2) / 2 = 0.25. */
static void seeds(void **state)
{
    struct learning l = of(2, 0.25, 0.3);

    (void)state;
    learning_add(&l, 3, 0.75, 0.4);
    assert_true(learning_gained(&l) == 0.5);
    assert_true(fabs(learning_error(&l) - 0.25) < 1e-15);
    l = of(2, 0.25, 0.03);
    learning_add(&l, 3, 0.75, 0.04); /* mean ce: 2.5 */
    assert_false(unsettled(l, of(3, 0, 0)));
    assert_true(unsettled(l, of(2.99, 0, 0)));
    learning_add(&l, 4, NAN, NAN); /* from an earlier version; mean ce: 3 */
    assert_true(learning_gained(&l) == 0.5);
    assert_false(unsettled(l, of(3.5, 0, 0)));
    learning_add(&l, NAN, 9, 1); /* without ce: not added */
    assert_true(learning_gained(&l) == 0.5);
    l = of(2, NAN, NAN);
    assert_true(isnan(learning_gained(&l)) && isnan(learning_error(&l)));
}

/* ---- a column of three variants and a model-free baseline ---- */

enum { ROWS = 4, A = 0, B, C, UNIGRAM };

static struct result_cell cell[ROWS];
static struct result_row row[ROWS] = {
    [A] = {.variant = "vanilla", .cell = &cell[A]},
    [B] = {.variant = "random", .cell = &cell[B]},
    [C] = {.variant = "dense", .cell = &cell[C]},
    [UNIGRAM] = {.variant = "unigram", .reference = 1, .cell = &cell[UNIGRAM]}};
static struct learning learning[ROWS];
static struct result_task task;
static const struct table_column column = {.task = "lm1b", .metric = "ppl",
                                           .better = -1, .published = "ppl"};
static const struct table_column *columns[] = {&column};
static enum withheld why[1];
static struct result_correlation correlation[2];

/* Sets a cell with n seeds, ce `value`, and gain `gained` in the last tenth of
 * training. */
static void put(int i, int n, double value, double gained)
{
    cell[i] = (struct result_cell){
        .n = n, .value = value, .between = {value, value}, .rank = NAN,
        .published = 10 + i, .rank_published = NAN};
    learning[i] = of(value, gained, 0);
}

static void empty(void)
{
    task = (struct result_task){.task = "lm1b"};
    put(A, 2, 2, 0);
    put(B, 2, 3, 0);
    put(C, 2, 4, 0);
    put(UNIGRAM, 0, 9, 0);
}

/* Ranks the column as a table does. Returns the reason if it is not ranked. */
static enum withheld mark(void)
{
    struct result_table s = {.rows = ROWS, .columns = 1, .tasks = 1, .row = row,
                         .task = &task, .column = columns, .withheld = why,
                         .memory = arena_new()};

    *why = WITHHELD_NOT;
    withheld_mark(&s, 0, learning);
    rank_measured(&s);
    memcpy(correlation, s.correlation, sizeof *correlation);
    correlation->n = s.correlations ? correlation->n : 0;
    arena_free(s.memory);
    return *why;
}

static void ranks(double a, double b, double c)
{
    double want[] = {a, b, c};

    for (int i = A; i <= C; i++)
        if (isnan(want[i]) ? !isnan(cell[i].rank) : cell[i].rank != want[i])
            fail_msg("%s has rank %g, not %g", row[i].variant, cell[i].rank,
                     want[i]);
}

static void nothing_withheld(void **state)
{
    (void)state;
    empty();
    assert_int_equal(mark(), WITHHELD_NOT);
    ranks(1, 2, 3);
    assert_int_equal(correlation->n, 3);
}

static void one_seed(void **state)
{
    (void)state;
    empty();
    cell[A].n = 1;
    assert_int_equal(mark(), WITHHELD_NOT); /* two cells are left */
    ranks(NAN, 1, 2);
    assert_int_equal(correlation->n, 2);
    cell[B].n = 1;
    assert_int_equal(mark(), WITHHELD_ONE_SEED); /* one cell is left */
    ranks(NAN, NAN, NAN);
    assert_int_equal(correlation->n, 0);
    cell[C].n = 1;
    assert_int_equal(mark(), WITHHELD_ONE_SEED);
    ranks(NAN, NAN, NAN);
    cell[A].value = cell[B].value = cell[C].value = NAN;
    assert_int_equal(mark(), WITHHELD_NOT); /* no value */
    put(C, 2, 4, 0);
    assert_int_equal(mark(), WITHHELD_NOT); /* a single variant */
    ranks(NAN, NAN, 1);
}

static void still_learning(void **state)
{
    (void)state;
    empty();
    learning[B] = of(3, 1, 0); /* as large as the differences */
    assert_int_equal(mark(), WITHHELD_NOT);
    learning[C] = of(4, -0.01, 0);
    assert_int_equal(mark(), WITHHELD_LEARNING);
    ranks(1, NAN, NAN);
    assert_int_equal(correlation->n, 0);
    assert_false(cell[A].unsettled);
    assert_true(cell[B].unsettled && cell[C].unsettled);
    empty();
    learning[C] = of(4, 2.01, 0); /* more than the difference of C and A, 2 */
    assert_int_equal(mark(), WITHHELD_LEARNING);
    ranks(NAN, NAN, NAN);
    empty();
    learning[UNIGRAM] = of(2.5, 5, 0); /* not a variant */
    assert_int_equal(mark(), WITHHELD_NOT);
    learning[B] = of(3, 5, 0);
    cell[B].n = 1; /* not compared */
    assert_int_equal(mark(), WITHHELD_NOT);
    ranks(1, NAN, 2);
}

/* If several reasons apply, the first one is reported. */
static void reasons(void **state)
{
    (void)state;
    empty();
    learning[A] = of(2, 9, 0);
    assert_int_equal(mark(), WITHHELD_LEARNING);
    cell[A].n = cell[B].n = 1;
    assert_int_equal(mark(), WITHHELD_ONE_SEED);
    put(UNIGRAM, 0, 1, 0);
    assert_int_equal(mark(), WITHHELD_UNINFORMATIVE);
    ranks(NAN, NAN, NAN);
    assert_int_equal(correlation->n, 0);
    task.uncompared = 1;
    assert_int_equal(mark(), WITHHELD_UNCOMPARED);
    empty();
    task.uncompared = 1;
    assert_int_equal(mark(), WITHHELD_UNCOMPARED);
    ranks(NAN, NAN, NAN);
    assert_int_equal(correlation->n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"two are unsettled where their gains differ by more than their gap",
         gap, NULL, NULL, NULL},
        {"two that gain alike are settled", alike, NULL, NULL, NULL},
        {"a drift counts beyond twice its error, and where it is known", noise,
         NULL, NULL, NULL},
        {"seeds count by their mean, those that know it", seeds, NULL, NULL,
         NULL},
        {"settled variants of several seeds are ranked", nothing_withheld, NULL,
         NULL, NULL},
        {"variants of one seed are not, nor one beside them", one_seed, NULL,
         NULL, NULL},
        {"who is unsettled has no rank, and the column no correlation",
         still_learning, NULL, NULL, NULL},
        {"the first reason is told", reasons, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("learning", tests, NULL, NULL);
}
