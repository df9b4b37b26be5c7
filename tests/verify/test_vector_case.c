/* A value of a reference tool is compared with that of this program: which
 * differences are found, and how they are reported. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/verify/metrics/vector_case.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static void values(void **state)
{
    static const struct { const char *want, *got, *says; } row[] = {
        {"1", "1", NULL},
        {"1", "1.0", NULL},
        {"1", "2", "x: expected 1, got 2"},
        {"1", "1.0000000001", "x: expected 1, got 1.0000000001"},
        {"1", "\"1\"", "x: expected 1, got \"1\""},
        {"2.5", "2.5000000009", NULL}, /* within the tolerance */
        {"2.5", "2.5000000051", "x: expected 2.5, got 2.50000000"},
        {"-2.5", "2.5", "x: expected -2.5, got 2.5"},
        {"0.0", "1e-12", NULL},
        {"0.0", "2e-12", "x: expected 0.0, got "},
        {"2.5", "\"a\"", "x: expected 2.5, got \"a\""},
        {"\"a\"", "\"a\"", NULL},
        {"\"a\"", "\"b\"", "x: expected \"a\", got \"b\""},
        {"true", "true", NULL},
        {"true", "1", "x: expected true, got 1"},
        {"[1, 2]", "[1, 2]", NULL},
        {"[1, 2]", "[1, 3]", "x[1]: expected 2, got 3"},
        {"[1, 2]", "[1]", "x: expected [1, 2], got [1]"},
        {"[1]", "{\"0\": 1}", "x: expected [1], got {"},
        {"{\"a\": 1}", "{\"a\": 1, \"b\": 2}", NULL}, /* more is told */
        {"{\"a\": 1}", "{\"b\": 1}", "x.a: expected 1, got nothing"},
        {"{\"a\": [1]}", "{\"b\": 1}", "x.a: expected [1], got nothing"},
        {"{\"a\": 1}", "[1]", "x: expected {\"a\": 1}, got [1]"},
        {"{\"a\": {\"b\": [5]}}", "{\"a\": {\"b\": [6]}}",
         "x.a.b[0]: expected 5, got 6"}};
    struct vector_case c = {.path = "p", .tolerance = 1e-9};

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        OWNED(json_decref) json_t *want = json_loads(row[i].want,
                                                     JSON_DECODE_ANY, NULL);
        OWNED(json_decref) json_t *got = json_loads(row[i].got,
                                                    JSON_DECODE_ANY, NULL);
        int rc = case_equal(&c, "x", want, got);

        if (rc != (row[i].says ? CASE_MISMATCH : OK) ||
            (row[i].says && !strstr(err_last(), row[i].says)))
            fail_msg("%s and %s: %d: %s", row[i].want, row[i].got, rc,
                     err_last());
    }
    assert_int_equal(c.compared, 22);
    free(c.mismatch);
}

static char *shout(const void *with, const char *line)
{
    (void)with;
    return str_format("%s!", line);
}

static void texts(void **state)
{
    static const struct { const char *want, *says; } row[] = {
        {"a!\nb!\n", NULL},
        {"a!\nb\n", "want:2: expected b, got b!"},
        {"a!\n", "2 lines in from, 1 in want"}};
    char *folder = scratch_make();
    OWNED(free) char *from = str_format("%s/from", folder);
    OWNED(free) char *want = str_format("%s/want", folder);
    struct vector_case c = {.path = folder};

    (void)state;
    assert_int_equal(file_write(from, "a\nb\n", 4), OK);
    /* a large case lacks the file */
    assert_int_equal(case_tokens(&c, "from", "want", shout, NULL), OK);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        assert_int_equal(file_write(want, row[i].want, strlen(row[i].want)),
                         OK);
        int rc = case_tokens(&c, "from", "want", shout, NULL);

        assert_int_equal(rc, row[i].says ? CASE_MISMATCH : OK);
        assert_true(!row[i].says || strstr(err_last(), row[i].says));
    }
    free(c.mismatch);
    scratch_remove(folder);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        {"values, lists and objects are compared", values, NULL, NULL, NULL},
        {"texts are compared line by line", texts, NULL, NULL, NULL}};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
