/* Arithmetic checks of published numbers, on files with made-up numbers and on
 * experiments/published.tsv, whose findings are printed. */
#include "tests/support/reference_check.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER "table\trow\tcolumn\tkey\tvalue\tsource\tconfidence\tnote\n"

/* Returns the findings in a file with these lines. The caller frees the
 * text. */
static char *found(const char *lines)
{
    OWNED(free) char *path = str_format("%s/p.tsv", scratch_folder);
    OWNED(free) char *text = str_format("%s%s", HEADER, lines);
    OWNED(published_close) struct published *p = NULL;

    assert_int_equal(file_write(path, text, strlen(text)), OK);
    assert_int_equal(published_read(&p, path), OK);
    return reference_check(p);
}

static void expect(const char *lines, const char *expected)
{
    OWNED(free) char *all = found(lines);

    assert_string_equal(all, expected);
}

static void two_values_of_one_number_are_a_conflict(void **state)
{
    (void)state;
    expect("T\tA\tBLEU\ta/t/bleu\t27.3\tone\thigh\t\n"
           "T\tA\tBLEU\ta/t/bleu\t27.4\ttwo\tlow\t\n"
           "T\tA\tBLEU\ta/t/bleu\t27.3\tthree\tlow\t\n",
           "conflict:0:T, row A, BLEU: 27.3 (one; three), 27.4 (two)\n");
}

static void what_is_written_in_two_ways_is_none(void **state)
{
    (void)state;
    expect("T\tA\tPPL\ta/t/ppl\t42.40\tone\thigh\t\n"
           "T\tA\tPPL\ta/t/ppl\t42.4\ttwo\thigh\t\n"
           "T\tA\tPPL\t\t42.5\tone\thigh\t\n", /* no key */
           "conflict:0:T, row A, PPL: 42.40 (one; two), 42.5 (one)\n");
    expect("T\tA\tPPL\ta/t/ppl\t42.40\tone\thigh\t\n"
           "T\tA\tPPL\ta/t/ppl\t42.4\ttwo\thigh\t\n", "");
}

static void the_row_that_a_value_slipped_from_is_named(void **state)
{
    (void)state;
    expect("T\tA\tBLEU\ta/t/bleu\t27.3\tone\thigh\t\n"
           "T\tB\tBLEU\tb/t/bleu\t28.1\tone\thigh\t\n"
           "T\tB\tBLEU\tb/t/bleu\t27.3\ttwo\twrong\t\n",
           "conflict:0:T, row B, BLEU: 28.1 (one), 27.3 (two: equals the "
           "value of row A, probably copied from it)\n");
    /* the finding names the row with the nearest value */
    expect("T\tA\tBLEU\ta/t/bleu\t27.3\tone\thigh\t\n"
           "T\tC\tBLEU\tc/t/bleu\t26.0\tone\thigh\t\n"
           "T\tD\tBLEU\td/t/bleu\t27.3\tone\thigh\t\n"
           "T\tB\tBLEU\tb/t/bleu\t28.1\tone\thigh\t\n"
           "T\tB\tBLEU\tb/t/bleu\t27.3\ttwo\twrong\t\n",
           "conflict:0:T, row B, BLEU: 28.1 (one), 27.3 (two: equals the "
           "value of row D, probably copied from it)\n");
}

/* The mean of 60 and 70/80 is 67.5. A printed 67.6 can be its rounding, 67.7
 * cannot. */
static void an_average_is_held_against_its_tasks(void **state)
{
    OWNED(free) char *good = NULL, *bad = NULL;

    (void)state;
    good = found("T5 GLUE\tA\tGLUE avg\t\t67.6\tone\thigh\t\n"
                 "T5 GLUE\tA\tx\t\t60.0\tone\thigh\t\n"
                 "T5 GLUE\tA\ty\t\t70.0/80.0\tone\thigh\t\n"
                 "T5 GLUE\tA\tz\t\t67.5\tone\thigh\t\n"
                 "T5 GLUE\tA\tz\t\t99.9\ttwo\twrong\t\n"
                 "T5 GLUE\tB\tx\t\t10.0\tone\thigh\t\n");
    bad = found("T5 GLUE\tA\tGLUE avg\t\t67.7\tone\thigh\t\n"
                "T5 GLUE\tA\tx\t\t60.0\tone\thigh\t\n"
                "T5 GLUE\tA\ty\t\t70.0/80.0\tone\thigh\t\n"
                "T5 GLUE\tA\tz\t\t67.5\tone\thigh\t\n");
    assert_non_null(strstr(good, "average:1:Table 5 GLUE, row A: the mean of "
                           "3 tasks is 67.45 to 67.55, printed 67.6: agrees"));
    assert_non_null(strstr(bad, "average:0:Table 5 GLUE, row A: the mean of "
                           "3 tasks is 67.45 to 67.55, printed 67.7: does not "
                           "agree; if this were the mean of 4 tasks, the one "
                           "not printed would have scored 6"));
}

static void an_average_of_another_table_is_not_of_its_row(void **state)
{
    (void)state;
    expect("Narang\tA\tSuperGLUE avg\t\t71.7\tone\thigh\t\n"
           "Narang\tA\tx\t\t1.0\tone\thigh\t\n"
           "Narang\tA\ty\t\t2.0\tone\thigh\t\n"
           "Narang\tA\tz\t\t3.0\tone\thigh\t\n", "");
}

static void parameters_of_mixtures_add_up(void **state)
{
    static const char parts[] =
        "T\tV\tn\tvanilla/t/params\t67M\tone\thigh\t\n"
        "T\tR\tn\trandom/t/params\t67M\tone\thigh\t\n"
        "T\tF\tn\tfixed-random/t/params\t61M\tone\thigh\t\n";
    OWNED(free) char *good = str_format(
        "%sT\tM\tn\trandom+vanilla/t/params\t75M\tone\thigh\t\n", parts);
    OWNED(free) char *bad = str_format(
        "%sT\tM\tn\trandom+vanilla/t/params\t76M\tone\thigh\t\n", parts);

    /* 75M is 74.5M to 75.5M, which touches the range of the sum, 71.5M to
     * 74.5M. */
    (void)state;
    expect(good, "sum:1:T, row M, n: random + vanilla - fixed-random is 71.5M "
                 "to 74.5M, printed 75M: agrees\n");
    expect(bad, "sum:0:T, row M, n: random + vanilla - fixed-random is 71.5M "
                "to 74.5M, printed 76M: does not add up\n");
}

/* The finding names the base of the percentage. The column has three decimals
 * (1.972), so 2.04 is read as 2.040. */
static void a_relative_gain_tells_of_which_of_the_two_it_is(void **state)
{
    static const char keys[] =
        "T\tA\tPPL\ta/t/ce\t1.972\tone\thigh\t\n"
        "T\tB\tPPL\tb/t/ce\t2.04\tone\thigh\t\n";
    OWNED(free) char *good = str_format(
        "%sTEXT\tA to B\t%% less: a/t/ce than b/t/ce\t\t3.5\tone\thigh\t\n",
        keys);
    OWNED(free) char *bad = str_format(
        "%sTEXT\tA to B\t%% less: a/t/ce than b/t/ce\t\t6.6\tone\thigh\t\n",
        keys);

    (void)state;
    expect(good, "statement:1:A to B, \"3.5 % less\": the difference is 3.40 "
                 "to 3.50 % of a/t/ce: agrees; 3.29 to 3.38 % of b/t/ce: does "
                 "not agree\n");
    expect(bad, "statement:0:A to B, \"6.6 % less\": the difference is 3.40 to "
                "3.50 % of a/t/ce: does not agree; 3.29 to 3.38 % of b/t/ce: "
                "does not agree\n");
}

static void a_difference_is_that_of_the_two(void **state)
{
    static const char keys[] =
        "T\tA\tavg\ta/t/x\t84.1\tone\thigh\t\n"
        "T\tB\tavg\tb/t/x\t83.5\tone\thigh\t\n"
        "TEXT\tA to B\tmore: a/t/x than b/t/x\t\t0.6\tone\thigh\t\n"
        "TEXT\tA to B\tless: b/t/x than a/t/x\t\t0.8\tone\thigh\t\n"
        "TEXT\tA to C\tmore: a/t/x than c/t/x\t\t0.6\tone\thigh\t\n";

    (void)state;
    expect(keys, "statement:1:A to B, \"0.6 more\": the difference is 0.5 to "
                 "0.7: agrees\n"
                 "statement:0:A to B, \"0.8 less\": the difference is 0.5 to "
                 "0.7: does not agree\n"
                 "statement:0:A to C, more: a/t/x than c/t/x: cannot be "
                 "checked\n");
}

/* Returns the number of lines that begin with `start`. */
static int count(const char *all, const char *start)
{
    int n = 0;

    for (const char *line = all; *line; line = strchr(line, '\n') + 1)
        n += !strncmp(line, start, strlen(start));
    return n;
}

static void the_published_numbers_disagree_where_it_is_known(void **state)
{
    OWNED(published_close) struct published *p = NULL;
    OWNED(free) char *all = NULL;

    (void)state;
    assert_int_equal(published_read(&p, "experiments/published.tsv"), OK);
    all = reference_check(p);
    printf("%s", all);
    assert_int_equal(count(all, "conflict:0:"), 9);
    assert_int_equal(count(all, "average:0:"), 0);
    assert_int_equal(count(all, "average:1:"), 15);
    assert_int_equal(count(all, "sum:0:"), 2);
    assert_int_equal(count(all, "sum:1:"), 4);
    assert_int_equal(count(all, "statement:0:"), 0);
    assert_int_equal(count(all, "statement:1:"), 6);
    assert_non_null(strstr(all, "\"60 % more\": the difference is 60.26 to"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_values_of_one_number_are_a_conflict),
        cmocka_unit_test(what_is_written_in_two_ways_is_none),
        cmocka_unit_test(the_row_that_a_value_slipped_from_is_named),
        cmocka_unit_test(an_average_is_held_against_its_tasks),
        cmocka_unit_test(an_average_of_another_table_is_not_of_its_row),
        cmocka_unit_test(parameters_of_mixtures_add_up),
        cmocka_unit_test(a_relative_gain_tells_of_which_of_the_two_it_is),
        cmocka_unit_test(a_difference_is_that_of_the_two),
        cmocka_unit_test(the_published_numbers_disagree_where_it_is_known),
    };

    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
