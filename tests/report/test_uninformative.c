/* Columns in which no variant is significantly different from a model-free
 * baseline. */
#include "harness/report/result_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

enum { ROWS = 5, A = 0, B, MAJORITY, LEAD, FLOOR };

static struct result_cell cell[ROWS];
static struct result_row row[ROWS] = {
    [A] = {.variant = "vanilla", .cell = &cell[A]},
    [B] = {.variant = "random", .cell = &cell[B]},
    [MAJORITY] = {.variant = "majority", .reference = 1,
                  .cell = &cell[MAJORITY]},
    [LEAD] = {.variant = "lead", .reference = 1, .cell = &cell[LEAD]},
    [FLOOR] = {.variant = "floor", .reference = 1, .cell = &cell[FLOOR]}};

static void put(int i, double value, double low, double high)
{
    cell[i] = (struct result_cell){.value = value, .between = {low, high}};
}

/* Returns 1 if the column is uninformative. `better` is 1 if higher values are
 * better, -1 if lower ones are. */
static int is(int better)
{
    const struct table_column column = {.better = better};
    const struct table_column *columns[] = {&column, &column};
    struct result_table s = {.rows = ROWS, .columns = 2, .row = row,
                         .column = columns};

    return uninformative(&s, 0);
}

static int both_ways(void)
{
    int up = is(1);

    for (int i = 0; i < ROWS; i++)
        put(i, -cell[i].value, -cell[i].between.high, -cell[i].between.low);
    assert_int_equal(is(-1), up);
    for (int i = 0; i < ROWS; i++)
        put(i, -cell[i].value, -cell[i].between.high, -cell[i].between.low);
    return up;
}

static void empty(void)
{
    for (int i = 0; i < ROWS; i++)
        put(i, NAN, NAN, NAN);
}

static void told(void **state)
{
    (void)state;
    empty();
    put(A, 52, 49, 55);
    put(B, 54, 51, 57);
    assert_false(both_ways()); /* no model-free baseline */
    put(MAJORITY, 50, 48, 52);
    assert_false(both_ways()); /* B is better than 50 */
    put(LEAD, 51, NAN, NAN);
    assert_true(both_ways()); /* 51 is not below 51 */
    put(LEAD, 50.9, NAN, NAN);
    assert_false(both_ways());
    put(LEAD, 60, NAN, NAN);
    assert_true(both_ways());
    put(MAJORITY, 60, NAN, NAN);
    put(LEAD, 50, NAN, NAN);
    assert_true(both_ways()); /* the better baseline counts, in any order */
}

static void without_intervals(void **state)
{
    (void)state;
    empty();
    put(MAJORITY, 50, NAN, NAN);
    assert_false(both_ways()); /* no variant has a value */
    put(A, 49, NAN, NAN);
    assert_true(both_ways());
    put(A, 51, NAN, NAN);
    assert_false(both_ways());
    put(A, INFINITY, NAN, NAN);
    assert_false(both_ways());
}

/* An entropy floor cannot be beaten by any model, so it is not a baseline. */
static void the_floor(void **state)
{
    (void)state;
    empty();
    put(A, 2.5, 2.4, 2.6);
    put(FLOOR, 2, 2, 2);
    assert_false(is(-1));
    put(MAJORITY, 2.2, NAN, NAN);
    assert_true(is(-1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"a variant is told by its interval from the best reference", told,
         NULL, NULL, NULL},
        {"without an interval a value counts", without_intervals, NULL, NULL,
         NULL},
        {"the entropy floor is no answer", the_floor, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("uninformative", tests, NULL, NULL);
}
