#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/datadir.h"
#include "harness/base/str.h"
#include "harness/report/published.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "# a comment\n\ntable\trow\tcolumn\tkey\tvalue\tsource\t" \
             "confidence\tnote\n"

static int read_text(struct published **out, const char *text)
{
    char *folder = scratch_make(), *path = str_format("%s/p.tsv", folder);

    assert_int_equal(file_write(path, text, strlen(text)), OK);
    int rc = published_read(out, path);
    free(path);
    scratch_remove(folder);
    return rc;
}

static void refused(const char *text, const char *message)
{
    struct published *p;

    assert_int_equal(read_text(&p, text), ERR_DATA);
    assert_null(p);
    if (!strstr(err_last(), message))
        fail_msg("'%s' does not say '%s'", err_last(), message);
}

static void found(void **state)
{
    struct published *p;
    struct published_value c;

    (void)state;
    assert_int_equal(
        read_text(&p, HEAD "T\tA\tX\ta/t/m\t61M\tone\tmedium\t\n"
                           "T\tA\tX\ta/t/m\t67M\ttwo\tlow\tCONFLICT: slip\n"
                           "T\tA\tX\ta/t/m\t61M\tthree\thigh\tagrees\n"
                           "T\tB\tX\tb/t/m\t27.3\tone\twrong\t\n"
                           "T\tC\tX\t\tabout 9/8\tone\thigh\tno key\n"),
        OK);
    assert_int_equal(published_find(p, &c, "a", "t", "m"), 1);
    assert_true(c.value == 61e6);
    assert_string_equal(c.source, "one; three");
    assert_string_equal(c.dispute, "67M in two: slip");
    assert_int_equal(published_find(p, &c, "b", "t", "m"), 1);
    assert_true(c.value == 27.3);
    assert_null(c.dispute);
    assert_int_equal(published_find(p, &c, "a", "t", "n"), 0);
    assert_null(c.source);
    published_close(p);
}

static void units(void **state)
{
    static const struct { const char *variant; double value, unit; } want[] = {
        {"k", 7500, 100}, {"m", 67e6, 1e6}, {"b", 1.25e9, 1e7},
        {"t", 2e12, 1e12}, {"n", 27.3, 0.1}};
    struct published *p;
    struct published_value c;

    (void)state;
    assert_int_equal(
        read_text(&p, HEAD "T\tA\tX\tk/t/m\t7.5K\tone\thigh\t\n"
                           "T\tA\tX\tm/t/m\t67M\tone\thigh\t\n"
                           "T\tA\tX\tb/t/m\t1.25B\tone\thigh\t\n"
                           "T\tA\tX\tt/t/m\t2T\tone\thigh\t\n"
                           "T\tA\tX\tn/t/m\t27.3\tone\thigh\t\n"
                           "T\tA\tX\tn/t/m\t27.4\ttwo\thigh\t\n"),
        OK);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        assert_int_equal(published_find(p, &c, want[i].variant, "t", "m"), 1);
        if (fabs(c.value / want[i].value - 1) > 1e-12 ||
            fabs(c.unit / want[i].unit - 1) > 1e-12)
            fail_msg("%s: %g of %g", want[i].variant, c.value, c.unit);
    }
    /* the first of several sources with equal confidence */
    assert_string_equal(c.source, "one");
    published_close(p);
}

static void bad_lines(void **state)
{
    (void)state;
    refused(HEAD "T\tA\tX\ta/t/m\t61M\tone\tmedium\n",
            "p.tsv:4: 7 tab-separated fields, expected 8");
    refused(HEAD "T\tA\tX\ta/t/m\t61\tone\tlow\t\t\n",
            ":4: 9 tab-separated fields, expected 8");
    refused(HEAD "T\tA\tX\ta/t/m\tmany\tone\thigh\t\n",
            "p.tsv:4: 'many' is not a number");
    refused(HEAD "T\tA\tX\ta/t/m\t1.5Q\tone\thigh\t\n", ":4: '1.5Q'");
    refused(HEAD "T\tA\tX\ta/t/m\tM\tone\thigh\t\n", ":4: 'M'");
    refused(HEAD "T\tA\tX\ta/t/m\t\tone\thigh\t\n", ":4: ''");
    refused(HEAD "T\tA\tX\ta/t/m\t0000000000000000000000000000000001\tone"
            "\thigh\t\n", ":4: '0000");
    refused(HEAD "T\tA\tX\ta/t/m\t1\tone\tsure\t\n", ":4: confidence 'sure'");
    refused("# only\nvariant\tvalue\n", ":2: the first line");
    refused("", "empty");
}

static void ours(void **state)
{
    struct published *p;
    struct published_value c;

    (void)state;
    if (published_open(&p) < 0)
        fail_msg("%s", err_last());
    assert_int_equal(published_find(p, &c, "vanilla", "wmt14_ende", "bleu"), 1);
    assert_true(c.value == 27.67);
    assert_non_null(strstr(c.source, "Chinese report"));
    assert_null(c.dispute);
    assert_int_equal(
        published_find(p, &c, "fixed-random", "wmt14_ende", "bleu"), 1);
    assert_true(c.value == 23.89);
    assert_non_null(strstr(c.dispute, "27.27 in Japanese summary"));
    assert_int_equal(published_find(p, &c, "dense", "lm1b", "ppl"), 1);
    assert_true(c.value == 40.88);
    assert_non_null(c.dispute);
    assert_int_equal(published_find(p, &c, "random", "lm1b", "params"), 1);
    assert_true(c.value == 58e6);
    assert_int_equal(
        published_find(p, &c, "factorized-random", "agnews", "accuracy"), 1);
    assert_true(c.value == 86.53);
    published_close(p);
}

static void missing(void **state)
{
    char *path;

    (void)state;
    setenv("SYNTHBENCH_DATA", "/no/such/folder", 1);
    assert_int_equal(datadir_find(&path, "experiments/published.tsv"),
                     ERR_DATA);
    unsetenv("SYNTHBENCH_DATA");
    assert_null(path);
    assert_non_null(strstr(err_last(),
                           "/no/such/folder/experiments/published.tsv"));
    assert_non_null(strstr(err_last(), "SYNTHBENCH_DATA"));
    assert_int_equal(datadir_find(&path, "no/such.file"), ERR_DATA);
    assert_non_null(strstr(err_last(), "/../share/synthbench/no/such.file"));
    assert_non_null(strstr(err_last(), "./no/such.file"));
    assert_non_null(strstr(err_last(), "make install"));
    assert_int_equal(datadir_find(&path, "plots/style.gp"), OK);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"the surest source gives the value, the others agree or dispute it",
         found, NULL, NULL, NULL},
        {"thousands to billions are told from each other; the first source of "
         "several counts", units, NULL, NULL, NULL},
        {"a damaged line of published.tsv is refused with file and line",
         bad_lines, NULL, NULL, NULL},
        {"published.tsv holds Table 2 with its conflicts", ours, NULL, NULL,
         NULL},
        {"a missing file is named with every place it was looked for", missing,
         NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("published", tests, NULL, NULL);
}
