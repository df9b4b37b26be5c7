/* Reads a table back from its JSON, without the store. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "tests/support/print_tables.h"
#include "tests/support/scratch.h"
#include "tests/support/fixture_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const struct fixture gaps = {.seeds = 1, .variants = 11, .examples = 200,
                                    .synthetic = 1, .gaps = 1};
static const struct fixture seeds = {.seeds = 2, .variants = 5,
                                     .examples = 200};
static const struct fixture small = {.seeds = 1, .variants = 2, .examples = 50};
static const struct fixture four = {.seeds = 4, .variants = 11, .examples = 200,
                                    .synthetic = 1, .gaps = 1};
static const struct fixture learns = {.seeds = 4, .variants = 8, .examples = 50,
                                      .settled = 0.015, .uncompared = "agnews"};

static int again(char **out, const char *path, const char *format)
{
    struct sheet *s;
    int rc = table_again(&s, &table_2, path, 0);

    *out = rc < 0 ? str_copy("") : printed_wide(s, format);
    return rc;
}

static char *keep(const struct fixture *f)
{
    char *folder = scratch_make(), *json = tabled_text(f, "json");
    char *path = str_format("%s/table2.json", folder);

    assert_int_equal(file_write(path, json, strlen(json)), OK);
    free(json);
    free(folder);
    return path;
}

static void drop(char *path)
{
    *strrchr(path, '/') = 0;
    scratch_remove(path);
}

static void lossless(void **state)
{
    const struct fixture all[] = {
        gaps, seeds, small, learns, {.seeds = 9, .variants = 3, .examples = 20,
                             .subset = 1, .builds = 2},
        {.seeds = 2, .variants = 6, .examples = 20, .gaps = 2}};

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char *path = keep(&all[i]);

        for (int f = 0; format_all[f]; f++) {
            char *want = tabled_text(&all[i], format_all[f]->name), *got;

            if (again(&got, path, format_all[f]->name) < 0)
                fail_msg("%s", err_last());
            assert_string_equal(got, want);
            free(got);
            free(want);
        }
        drop(path);
    }
}

static void unreadable(const char *path, const char *old, const char *new,
                       const char *message)
{
    char *text, *out;

    assert_int_equal(file_read(&text, NULL, path), OK);
    char *at = strstr(text, old);
    assert_non_null(at);
    char *all = str_format("%.*s%s%s", (int)(at - text), text, new,
                           at + strlen(old));
    assert_int_equal(file_write(path, all, strlen(all)), OK);
    assert_int_equal(again(&out, path, "text"), ERR_STORE);
    assert_string_equal(out, "");
    if (!strstr(err_last(), message) || !strstr(err_last(), path))
        fail_msg("'%s' does not say '%s'", err_last(), message);
    assert_int_equal(file_write(path, text, strlen(text)), OK);
    free(out);
    free(all);
    free(text);
}

/* A table is refused if p of its first pair, which is significantly different,
 * is replaced by 0.05, which is not significant. */
static void unsure(const char *path)
{
    char *text, *p, *end;

    assert_int_equal(file_read(&text, NULL, path), OK);
    p = strstr(strstr(text, "\"comparisons\": ["), "\"p\": ");
    end = strchr(p, ',');
    char *old = str_format("%.*s", (int)(end - p), p);
    unreadable(path, old, "\"p\": 0.05",
               "one that agrees with p, low and high");
    free(old);
    free(text);
}

static void not_ours(void **state)
{
    char *path = keep(&four), *out;

    (void)state;
    unreadable(path, "{", "[", ":2: not JSON");
    unreadable(path, "\"schema_version\": 3", "\"schema_version\": 4",
               "(schema_version 4, not 3)");
    unreadable(path, "\"level\": 0.95", "\"lewel\": 0.95",
               "written by a program whose tables this one does not read");
    unreadable(path, "\"cite\": \"", "\"cit\": \"", "cite: expected a string");
    unreadable(path, "\"cite\": \"", "\"note\": 1, \"cite\": \"",
               "note: expected a string");
    unreadable(path, "\"decimals\": 3", "\"decimals\": 300",
               "columns[1].decimals: expected 0 to 9");
    unreadable(path, "\"task\": \"lm1b\"", "\"task\": \"lm2b\"",
               "task: expected a task of 'tasks'");
    unreadable(path, "\"value\": 1100000", "\"value\": \"many\"",
               "rows[0].cells[0].value: expected a number or null");
    unreadable(path, "\"value\": 1100000", "\"value\": 1e999", "not JSON");
    unreadable(path, "\"status\": \"done\"", "\"status\": \"fine\"",
               "status: expected one of ");
    unreadable(path, "\"rows\": [", "\"rows\": [[],", "rows: expected a list");
    unreadable(path, "\"cells\": [", "\"cells\": [], \"a\": [",
               "rows[0].cells: expected one per column");
    unreadable(path, "\"low\": 2", "\"low\": 9", "expected no more than high");
    unreadable(path, "\"metric\": \"bleu\",\n   \"published\"",
               "\"metric\": \"blue\",\n   \"published\"",
               "correlations[");
    unreadable(path, "\"scale\": \"", "\"scale\": \"\\u0000",
               "not JSON");
    unsure(path);
    drop(path);
    assert_int_equal(again(&out, "/no/such.json", "text"), ERR_USAGE);
    assert_non_null(strstr(err_last(), "/no/such.json"));
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"every format is the same again from the JSON alone", lossless, NULL,
         NULL, NULL},
        {"a JSON file that is not a table's is refused, file and place named",
         not_ours, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("table_read", tests, NULL, NULL);
}
