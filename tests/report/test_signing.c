/* Signatures of rows, computed from a store. */
#include "harness/base/err.h"
#include "harness/report/result_table.h"
#include "harness/report/signature.h"
#include "tests/support/report_fixture.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct table table_2;

static struct {
    char            *store;
    struct report   *report;
    struct result_table *table;
    struct arena    *memory;
} on;

static void open(const struct fixture *f)
{
    on.store = fixture_store(f);
    on.memory = arena_new();
    assert_int_equal(report_open(&on.report, on.store), OK);
    assert_int_equal(result_fill(&on.table, &table_2, on.report, NULL), OK);
}

static int teardown(void **state)
{
    (void)state;
    result_close(on.table);
    report_close(on.report);
    arena_free(on.memory);
    scratch_remove(on.store);
    return 0;
}

static const struct result_row *row(const char *variant)
{
    for (int i = 0; i < on.table->rows; i++)
        if (!strcmp(on.table->row[i].variant, variant))
            return &on.table->row[i];
    fail_msg("no row %s", variant);
    return NULL;
}

static const struct result_cell *cell(const char *variant, const char *task,
                                      const char *metric)
{
    for (int c = 0; c < on.table->columns; c++)
        if (!strcmp(on.table->column[c]->task, task) &&
            !strcmp(on.table->column[c]->metric, metric))
            return &row(variant)->cell[c];
    fail_msg("no column %s of %s", metric, task);
    return NULL;
}

/* Reads the signature `text`. Returns the signature that the store now yields
 * for the same row, or NULL on an error. *rc receives the result of
 * signature_again. */
static const char *again(const char *text, int *rc)
{
    struct signature says, gives;

    if (signature_read(&says, text, on.memory) != OK)
        fail_msg("%s: %s", text, err_last());
    *rc = signature_again(&gives, &says, on.report, on.memory);
    return *rc == OK ? signature_text(&gives, on.memory) : NULL;
}

static void same(const char *text)
{
    int rc;
    const char *gives = again(text, &rc);

    assert_int_equal(rc, OK);
    assert_string_equal(gives, text);
}

static void numbers(void **state)
{
    (void)state;
    open(&(struct fixture){.seeds = 2, .variants = 3, .examples = 20});
    for (int i = 0; i < on.table->rows; i++) {
        const struct result_row *r = &on.table->row[i];

        for (int c = 0; c < on.table->columns; c++)
            if (r->cell[c].n && !r->reference)
                same(r->cell[c].signature);
            else
                assert_memory_equal(r->cell[c].signature, "none: ", 6);
        if (i < 3)
            same(r->signature);
        else
            assert_string_equal(r->signature, r->reference ? "none: no model"
                                                           : "none: not run");
    }
}

/* Checks everything except digests, which other tests check. */
static void form(void **state)
{
    const char *s;

    (void)state;
    open(&(struct fixture){.seeds = 2, .variants = 3, .examples = 20});
    s = row("fixed-random")->signature;
    assert_memory_equal(s, "SB|t:wmt14_ende;lm1b;agnews|sc:quick|v:fixed-random"
                        "|s:1-2|m:ce/", 62);
    assert_non_null(strstr(s, "|d:wmt14_en;lm1b;agnews|n:2|p:0123456"));
    assert_null(strstr(s, "params"));
    s = cell("random", "lm1b", "params")->signature;
    assert_memory_equal(s, "SB|t:lm1b|sc:quick|v:random|s:1-2|m:params|o:", 45);
    assert_string_equal(strstr(s, "|d:"), "|d:lm1b|n:2|p:0123456");
}

static void gaps(void **state)
{
    (void)state;
    open(&(struct fixture){.seeds = 2, .variants = 6, .examples = 20,
                           .gaps = 2});
    const char *random = row("factorized-random")->signature;
    const char *dense = row("factorized-dense")->signature;
    assert_non_null(strstr(random, "|s:1;1-2;1-2|"));
    assert_non_null(strstr(dense, "|s:1-2;1;1-2|"));
    same(random);
    same(dense);
}

static void failed(void **state)
{
    (void)state;
    open(&(struct fixture){.seeds = 1, .variants = 6, .examples = 20,
                           .gaps = 1});
    assert_string_equal(
        cell("factorized-random", "wmt14_ende", "ce")->signature,
        "none: failed");
    assert_string_equal(cell("factorized-dense", "lm1b", "ppl")->signature,
                        "none: not run");
    assert_memory_equal(row("factorized-random")->signature,
                        "SB|t:lm1b;agnews|", 17);
    same(row("factorized-random")->signature);
}

static void builds(void **state)
{
    (void)state;
    open(&(struct fixture){.seeds = 1, .variants = 2, .examples = 20,
                           .builds = 1});
    const char *s = row("fixed-random")->signature;
    assert_non_null(strstr(s, "|p:fedcba9-dirty"));
    same(s);
}

/* If a row has more seeds, only those in the signature are used. */
static void some_seeds(void **state)
{
    char text[256];
    int rc;

    (void)state;
    open(&(struct fixture){.seeds = 3, .variants = 3, .examples = 20});
    const char *all = cell("random", "lm1b", "ppl")->signature;
    const char *seeds = strstr(all, "|s:1-3|");
    assert_non_null(seeds);
    snprintf(text, sizeof text, "%.*s|s:1,3%s", (int)(seeds - all), all,
             seeds + 6);
    const char *two = again(text, &rc);
    assert_int_equal(rc, OK);
    assert_non_null(strstr(two, "|s:1,3|"));
    same(two);
    assert_null(strstr(two, strstr(all, "|o:")));
}

/* Changes field `f` to `value`, for one task or (if `task` is -1) for all;
 * exactly this field must differ from the store's. */
static void other(const char *text, int f, int task, const char *value)
{
    struct signature says, gives;
    int rc;

    assert_int_equal(signature_read(&says, text, on.memory), OK);
    for (int i = 0; i < says.tasks; i++)
        if (task < 0 || i == task)
            says.task[i].of[f] = value;
    rc = signature_again(&gives, &says, on.report, on.memory);
    if (rc != OK)
        fail_msg("%s as %s: %s", signed_word[f].key, value, err_last());
    for (int k = 0; k < SIGNED_FIELDS; k++) {
        int same = !strcmp(signature_value(&says, k, on.memory),
                           signature_value(&gives, k, on.memory));

        if (same != (k != f))
            fail_msg("%s as %s: %s is %s", signed_word[f].key, value,
                     signed_word[k].key, same ? "the same" : "another");
    }
}

static void names_it(void **state)
{
    static const char *const value[SIGNED_FIELDS][3] = {
        [SIGNED_SEEDS] = {"1-4", "9", "all"},
        [SIGNED_METRICS] = {"chrf/abcd", "ce/0000", "../x"},
        [SIGNED_SETTINGS] = {"00000000", "-", "1"},
        [SIGNED_DATA] = {"00000000", "-"},
        [SIGNED_NUMERICS] = {"3", "2,3"},
        [SIGNED_PROGRAM] = {"fedcba9", "0123456-dirty"}};

    (void)state;
    open(&(struct fixture){.seeds = 3, .variants = 3, .examples = 20});
    for (int f = 0; f < SIGNED_FIELDS; f++)
        for (int i = 0; i < 3 && value[f][i]; i++) {
            other(row("random")->signature, f, 1, value[f][i]);
            other(cell("random", "lm1b", "ppl")->signature, f, -1,
                  value[f][i]);
        }
}

static void none(void **state)
{
    int rc;

    (void)state;
    open(&(struct fixture){.seeds = 1, .variants = 1, .examples = 20});
    again("SB|t:lm1b|sc:quick|v:dense|s:1|m:ce|o:1|d:2|n:2|p:c", &rc);
    assert_int_equal(rc, ERR_EMPTY);
    assert_non_null(strstr(err_last(), "no cell of dense on lm1b at scale "
                           "quick is finished"));
    const char *s = again("SB|t:lm1b;imdb|sc:quick|v:vanilla|s:4|m:chrf|o:1|"
                          "d:2|n:2|p:c", &rc);
    assert_int_equal(rc, OK);
    assert_memory_equal(s, "SB|t:lm1b;-|sc:quick;-|v:vanilla;-|s:1;-|m:-|o:",
                        47);
}

#define TEST(f, name) {name, f, NULL, teardown, NULL}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(numbers, "every number and row of a table has a signature that "
                      "the store reproduces, or the reason why it has none"),
        TEST(form, "a row has all its tasks, a number its own"),
        TEST(gaps, "each task has its finished seeds"),
        TEST(failed, "cells that failed or were not run are not signed"),
        TEST(builds, "a tree with uncommitted changes is another program"),
        TEST(some_seeds, "later seeds do not change the result"),
        TEST(names_it, "exactly the field that differs is found"),
        TEST(none, "a store without the cells is reported"),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
