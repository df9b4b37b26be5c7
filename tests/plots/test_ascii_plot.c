/* Checks curves that are drawn in characters, for a terminal. */
#include "plots/ascii_plot.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 60 };

static double step[POINTS], falls[POINTS], rises[POINTS];

static int begin(void **state)
{
    (void)state;
    for (int i = 0; i < POINTS; i++) {
        step[i] = 10 * i;
        falls[i] = 8 - 0.1 * i;
        rises[i] = 2 + 0.1 * i;
    }
    return 0;
}

/* Returns the row (0: the first line) of the leftmost or rightmost occurrence
 * of a letter between the axis and the right margin, or -1 if there is none.
 * Rows of the legend are ignored. */
static int row_of(const char *drawn, char letter, int last)
{
    enum { FROM = 8, TO = 60 };
    int best = -1, column = last ? -1 : 1000, row = 0;
    const char *line = drawn;

    for (; *line; row++) {
        int n = (int)strcspn(line, "\n");
        char own[80];

        snprintf(own, sizeof own, "%.*s", n, line);
        int legend = strstr(own, "loss") || strstr(own, "entropy");

        for (int k = FROM; k < n && k < TO && !legend; k++)
            if (line[k] == letter && (last ? k > column : k < column)) {
                best = row;
                column = k;
            }
        line += n + (line[n] == '\n');
    }
    return best;
}

static void what_falls_falls_and_what_rises_rises(void **state)
{
    struct ascii_curve train = {step, falls, POINTS};
    struct ascii_curve valid = {step, rises, POINTS};
    OWNED(free) char *drawn = NULL;

    (void)state;
    assert_int_equal(ascii_plot(&drawn, &train, &valid), OK);
    assert_true(row_of(drawn, '.', 0) < row_of(drawn, '.', 1));
    assert_true(row_of(drawn, 'o', 0) > row_of(drawn, 'o', 1));
    assert_non_null(strstr(drawn, "training loss    ."));
    assert_non_null(strstr(drawn, "validation cross-entropy    o"));
    assert_non_null(strstr(drawn, "step"));
}

static void lines_fit_into_79_columns_and_none_is_blank(void **state)
{
    struct ascii_curve both = {step, falls, POINTS};
    OWNED(free) char *drawn = NULL;

    (void)state;
    assert_int_equal(ascii_plot(&drawn, &both, &both), OK);
    for (const char *line = drawn; *line;) {
        size_t n = strcspn(line, "\n");

        assert_in_range(n, 1, 79);
        assert_true(line[n - 1] != ' ');
        assert_int_equal(line[n], '\n');
        line += n + 1;
    }
}

/* On an axis that ends at 1e9, the other curves would be a flat line. */
static void values_that_no_axis_can_have_are_left_out(void **state)
{
    double wild[POINTS], tame[POINTS];
    struct ascii_curve given = {step, wild, POINTS};
    struct ascii_curve without = {step, tame, POINTS};
    OWNED(free) char *one = NULL, *other = NULL;

    (void)state;
    memcpy(wild, falls, sizeof wild);
    memcpy(tame, falls, sizeof tame);
    wild[20] = INFINITY;
    wild[21] = NAN;
    wild[22] = 1e9;
    tame[20] = tame[21] = tame[22] = NAN;
    assert_int_equal(ascii_plot(&one, &given, &given), OK);
    assert_int_equal(ascii_plot(&other, &without, &without), OK);
    assert_string_equal(one, other);
    assert_null(strstr(one, "e+"));
}

static void curves_without_a_value_are_said_to_have_none(void **state)
{
    double none[] = {NAN, INFINITY};
    struct ascii_curve nothing = {step, none, 2}, empty = {NULL, NULL, 0};
    OWNED(free) char *drawn = NULL;

    (void)state;
    assert_int_equal(ascii_plot(&drawn, &nothing, &empty), ERR_EMPTY);
    assert_null(drawn);
    assert_non_null(strstr(err_last(), "no value"));
}

static void a_curve_of_one_point_is_drawn(void **state)
{
    struct ascii_curve one = {step, falls, 1}, empty = {NULL, NULL, 0};
    OWNED(free) char *drawn = NULL;

    (void)state;
    assert_int_equal(ascii_plot(&drawn, &one, &empty), OK);
    assert_true(row_of(drawn, '.', 0) > 0);
}

static void nothing_is_left_in_the_folder_for_temporary_files(void **state)
{
    struct ascii_curve both = {step, falls, POINTS};
    OWNED(free) char *drawn = NULL;
    char *folder = scratch_make();
    DIR *d;
    int n = 0;

    (void)state;
    setenv("TMPDIR", folder, 1);
    assert_int_equal(ascii_plot(&drawn, &both, &both), OK);
    unsetenv("TMPDIR");
    assert_non_null(d = opendir(folder));
    while (readdir(d))
        n++;
    closedir(d);
    assert_int_equal(n, 2); /* the entries "." and ".." */
    scratch_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_falls_falls_and_what_rises_rises),
        cmocka_unit_test(lines_fit_into_79_columns_and_none_is_blank),
        cmocka_unit_test(values_that_no_axis_can_have_are_left_out),
        cmocka_unit_test(curves_without_a_value_are_said_to_have_none),
        cmocka_unit_test(a_curve_of_one_point_is_drawn),
        cmocka_unit_test(nothing_is_left_in_the_folder_for_temporary_files),
    };

    return cmocka_run_group_tests(tests, begin, NULL);
}
