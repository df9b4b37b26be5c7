/* Tables of made-up stores (report_fixture.h).  Two of them are compared whole
 * with tests/data/report/table2.*; where one differs, the test leaves what it
 * got beside it as table2.*.new. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/report/compare.h"
#include "harness/report/report.h"
#include "harness/report/measured.h"
#include "harness/report/table.h"
#include "harness/stats/bootstrap.h"
#include "harness/stats/stats.h"
#include "harness/store/cell.h"
#include "tests/support/made.h"
#include "tests/support/printed.h"
#include "tests/support/report_fixture.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const struct table table_2, table_4, table_7;

static const struct table *shown = &table_2;

static const struct fixture gaps = {.seeds = 1, .variants = 11, .examples = 200,
                                    .synthetic = 1, .gaps = 1};
static const struct fixture seeds = {.seeds = 2, .variants = 5,
                                     .examples = 200};
static const struct fixture small = {.seeds = 1, .variants = 2, .examples = 50};
static const struct fixture four = {.seeds = 4, .variants = 11, .examples = 200,
                                    .synthetic = 1, .gaps = 1};
static const struct fixture learns = {.seeds = 4, .variants = 8, .examples = 50,
                                      .settled = 0.015, .uncompared = "agnews"};

static int render_store(char **out, const char *store, const char *format)
{
    struct report *r = NULL;
    struct sheet *s = NULL;
    int rc = OK;

    TRY(report_open(&r, store));
    TRY(table_fill(&s, shown, r, NULL, 0));
out:
    *out = rc < 0 ? str_copy("") : printed_wide(s, format);
    report_close(r);
    return rc;
}

static char *render(const struct fixture *f, const char *format)
{
    char *store = fixture_store(f), *text;

    if (render_store(&text, store, format) < 0)
        fail_msg("%s", err_last());
    scratch_remove(store);
    return text;
}

static void golden(const struct fixture *f, const char *format,
                   const char *path)
{
    char *got = render(f, format), *want, new[128];

    assert_int_equal(file_read(&want, NULL, path), OK);
    snprintf(new, sizeof new, "%s.new", path);
    if (strcmp(got, want)) {
        file_write(new, got, strlen(got));
        fail_msg("diff %s %s", path, new);
    }
    unlink(new);
    free(want);
    free(got);
}

static void as_text(void **state)
{
    (void)state;
    golden(&gaps, "text", "tests/data/report/table2.txt");
}

static void as_markdown(void **state)
{
    (void)state;
    golden(&seeds, "md", "tests/data/report/table2.md");
}

static void as_withheld(void **state)
{
    (void)state;
    golden(&learns, "text", "tests/data/report/table2.withheld.txt");
}

/* ---- JSON ---- */

static json_t *as_json(const struct fixture *f)
{
    char *text = render(f, "json");
    json_error_t e;
    json_t *j = json_loads(text, 0, &e);

    if (!j)
        fail_msg("line %d: %s", e.line, e.text);
    free(text);
    return j;
}

/* Of the cell of a variant in a column ("lm1b.ppl"). */
static json_t *field(json_t *table, const char *variant, const char *column,
                     const char *key)
{
    size_t r, c;
    json_t *row, *head;

    json_array_foreach(json_object_get(table, "rows"), r, row) {
        if (strcmp(json_string_value(json_object_get(row, "variant")), variant))
            continue;
        json_array_foreach(json_object_get(table, "columns"), c, head)
            if (!strcmp(json_string_value(json_object_get(head, "name")),
                        column))
                return json_object_get(
                    json_array_get(json_object_get(row, "cells"), c), key);
    }
    fail_msg("no %s of %s in %s", key, variant, column);
    return NULL;
}

static double number(json_t *table, const char *variant, const char *column,
                     const char *key)
{
    json_t *j = field(table, variant, column, key);

    if (!json_is_number(j))
        fail_msg("%s of %s in %s is no number", key, variant, column);
    return json_number_value(j);
}

static const char *over(json_t *table, const char *variant, const char *column)
{
    return json_string_value(field(table, variant, column, "over"));
}

static void near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance * (1 + fabs(want))))
        fail_msg("%.17g, not %.17g", got, want);
}

/* What stands in the cell files, by way of the store's own reader. */
static double stored(const char *store, const char *id, const char *metric)
{
    struct cell_reader *r;
    double x;

    assert_int_equal(cell_open(&r, store, fixture_id(id)), OK);
    assert_int_equal(cell_get_metric(r, metric, &x), OK);
    cell_close(r);
    return x;
}

static void values(void **state)
{
    char *store = fixture_store(&seeds), *text;
    json_error_t e;

    (void)state;
    assert_int_equal(render_store(&text, store, "json"), OK);
    json_t *j = json_loads(text, 0, &e);
    assert_non_null(j);
    double x[] = {stored(store, "0211", "ppl"), stored(store, "0212", "ppl")};
    near(number(j, "random", "lm1b.ppl", "value"), (x[0] + x[1]) / 2, 1e-14);
    assert_string_equal(over(j, "random", "lm1b.ppl"), "seeds x examples");
    /* no example tells of bleu */
    double y[] = {stored(store, "0201", "bleu"), stored(store, "0202", "bleu")};
    struct interval t = stats_t_interval(y, 2);
    near(number(j, "random", "wmt14_ende.bleu", "low"), t.low, 1e-13);
    near(number(j, "random", "wmt14_ende.bleu", "high"), t.high, 1e-13);
    assert_string_equal(over(j, "random", "wmt14_ende.bleu"), "seeds");
    assert_true(number(j, "random", "lm1b.ppl", "n") == 2);
    assert_true(number(j, "random", "lm1b.params", "value") == 1031000);
    assert_true(json_is_null(field(j, "random", "lm1b.params", "low")));
    assert_string_equal(
        json_string_value(field(j, "random", "lm1b.ppl", "metric_signature")),
        "how ppl is computed");
    json_decref(j);
    free(text);
    scratch_remove(store);
}

/* The seeds' own bootstrap begins with as many values as it needs. */
static void many_seeds(void **state)
{
    static const struct fixture eight = {.seeds = BOOTSTRAP_LEAST,
                                         .variants = 1, .examples = 20};
    char *store = fixture_store(&eight), *text, id[] = "000x";
    double x[BOOTSTRAP_LEAST];

    (void)state;
    for (int i = 0; i < BOOTSTRAP_LEAST; i++) {
        id[3] = (char)('1' + i);
        x[i] = stored(store, id, "bleu");
    }
    struct interval want = bootstrap_bca(x, BOOTSTRAP_LEAST, 1);
    assert_int_equal(render_store(&text, store, "json"), OK);
    json_t *j = json_loads(text, 0, NULL);
    near(number(j, "vanilla", "wmt14_ende.bleu", "low"), want.low, 1e-13);
    near(number(j, "vanilla", "wmt14_ende.bleu", "high"), want.high, 1e-13);
    free(text);
    assert_int_equal(render_store(&text, store, "md"), OK);
    assert_non_null(strstr(text, "over the seeds alone: WMT En-De BLEU (from 8 "
                                 "on, the BCa bootstrap)."));
    free(text);
    json_decref(j);
    scratch_remove(store);
}

static void shape(void **state)
{
    json_t *j = as_json(&four);

    (void)state;
    assert_int_equal(json_integer_value(json_object_get(j, "schema_version")),
                     3);
    assert_true(json_is_true(json_object_get(j, "synthetic")));
    assert_int_equal(json_array_size(json_object_get(j, "columns")), 9);
    assert_int_equal(json_array_size(json_object_get(j, "rows")), 11);
    assert_int_equal(json_array_size(json_object_get(j, "correlations")), 6);
    assert_int_equal(json_array_size(json_object_get(j, "comparisons")), 4);
    assert_int_equal(json_array_size(json_object_get(j, "baselines")), 3);
    assert_int_equal(json_array_size(json_object_get(j, "failures")), 4);
    assert_true(number(j, "fixed-random", "wmt14_ende.bleu", "published") ==
                23.89);
    assert_true(json_is_true(
        field(j, "fixed-random", "wmt14_ende.bleu", "disputed")));
    assert_true(json_is_false(
        field(j, "vanilla", "wmt14_ende.bleu", "disputed")));
    assert_true(json_is_null(field(j, "uniform", "lm1b.ppl", "published")));
    json_decref(j);
}

static void ranks(void **state)
{
    json_t *j = as_json(&four);

    (void)state;
    assert_true(number(j, "random+vanilla", "wmt14_ende.ce", "rank") == 1);
    assert_true(number(j, "fixed-random", "wmt14_ende.ce", "rank") == 10);
    assert_true(number(j, "random+vanilla", "wmt14_ende.bleu", "rank") == 1);
    assert_true(number(j, "random+vanilla", "wmt14_ende.bleu",
                       "rank_published") == 1);
    assert_true(number(j, "fixed-random", "wmt14_ende.bleu",
                       "rank_published") == 9);
    assert_true(number(j, "dense+vanilla", "lm1b.ppl", "rank_published") == 1);
    assert_true(json_is_null(
        field(j, "factorized-random", "wmt14_ende.ce", "rank")));
    json_decref(j);
}

static int starred(json_t *table, const char *variant, const char *column)
{
    return json_is_true(field(table, variant, column, "best"));
}

/* The fixture's random+vanilla and dense+vanilla are 0.008 nats apart, and what
 * a variant has of its own moves that; vanilla's 0.019 are plain. */
static void stars(void **state)
{
    json_t *one = as_json(&four), *two = as_json(&seeds);

    (void)state;
    assert_true(starred(one, "dense+vanilla", "lm1b.ppl"));
    assert_true(starred(one, "random+vanilla", "lm1b.ppl"));
    assert_true(starred(one, "random+vanilla", "lm1b.ppl_word"));
    assert_false(starred(one, "vanilla", "lm1b.ppl"));
    assert_false(starred(one, "uniform", "lm1b.ppl_word"));
    assert_false(starred(one, "factorized-random", "wmt14_ende.ce"));
    assert_false(starred(one, "factorized-dense", "lm1b.ppl"));
    assert_false(starred(one, "vanilla", "lm1b.params"));
    /* two seeds tell nobody from anybody */
    assert_true(starred(two, "fixed-random", "lm1b.ppl"));
    assert_false(starred(two, "random+vanilla", "lm1b.ppl"));
    json_decref(one);
    json_decref(two);
}

/* Eight seeds, two variants: one test, whose p is 2 / 256. */
static void stars_of_seeds(void **state)
{
    static const struct fixture eight = {.seeds = 8, .variants = 2,
                                         .examples = 20};
    json_t *j = as_json(&eight);

    (void)state;
    assert_true(starred(j, "vanilla", "lm1b.ppl"));
    assert_false(starred(j, "fixed-random", "lm1b.ppl"));
    assert_false(starred(j, "fixed-random", "wmt14_ende.ce"));
    json_decref(j);
}

/* The first row has no number, and is no best. */
static void stars_below_a_gap(void **state)
{
    static const struct fixture eight = {.seeds = 8, .variants = 3,
                                         .examples = 20, .gaps = 3};
    json_t *j = as_json(&eight);

    (void)state;
    assert_true(starred(j, "random", "lm1b.ppl"));
    assert_false(starred(j, "fixed-random", "lm1b.ppl"));
    json_decref(j);
}

/* Of the numbers in a JSON text, outside its strings: the most digits. */
static int most_digits(const char *text)
{
    int most = 0, inside = 0;

    for (const char *c = text; *c; c++) {
        int n = 0;

        inside ^= *c == '"';
        if (inside || !strchr("123456789", *c))
            continue;
        for (; strchr("0123456789.", *c) && *c; c++)
            n += *c != '.';
        if (*c == 'e')
            while (strchr("e+-0123456789", *c) && *c)
                c++;
        most = n > most ? n : most;
        c--;
    }
    return most;
}

/* What a store gave is written as it will be read again. */
static void fifteen_digits(void **state)
{
    char *text = render(&gaps, "json");

    (void)state;
    assert_int_equal(most_digits("[1.25, \"123456789\", 0.001234e-12]"), 4);
    assert_int_equal(most_digits(text), 15);
    free(text);
}

static void gaps_show(void **state)
{
    json_t *j = as_json(&gaps);
    char *text = render(&gaps, "text");

    (void)state;
    assert_string_equal(json_string_value(field(j, "factorized-random",
                                                "wmt14_ende.ce", "status")),
                        "failed");
    assert_true(json_is_null(
        field(j, "factorized-random", "wmt14_ende.ce", "value")));
    assert_string_equal(json_string_value(
                            field(j, "factorized-dense", "lm1b.ppl", "status")),
                        "missing");
    assert_non_null(strstr(text, "loss is not a number at step 17"));
    assert_non_null(strstr(text, "31 of 33 cells"));
    json_decref(j);
    free(text);
}

/* Of three seeds the second failed on one task, and is missing on another. */
static void lost_seeds(void **state)
{
    static const struct fixture lost = {.seeds = 3, .variants = 6,
                                        .examples = 20, .gaps = 2};
    char *text = render(&lost, "text"), *csv = render(&lost, "csv");
    json_t *j = as_json(&lost);
    int all = 0;

    (void)state;
    assert_true(number(j, "factorized-random", "wmt14_ende.ce", "n") == 2);
    assert_true(number(j, "factorized-random", "wmt14_ende.ce", "asked") == 3);
    assert_true(number(j, "factorized-dense", "lm1b.ppl", "n") == 2);
    assert_true(number(j, "factorized-dense", "lm1b.ppl", "asked") == 3);
    assert_true(number(j, "vanilla", "lm1b.ppl", "asked") == 3);
    assert_true(number(j, "dense+vanilla", "lm1b.ppl", "asked") == 0);
    assert_non_null(strstr(csv, ",2,done,"));
    assert_non_null(strstr(csv, ",0,0,3,"));
    for (char *s = text, *end; (end = strchr(s, '\n')); s = end + 1) {
        int marks = 0, of = !strncmp(s, "Factorized Random ", 18)  ? 3
                            : !strncmp(s, "Factorized Dense ", 17) ? 2
                                                                   : 0;

        *end = 0;
        for (char *at = s; (at = strstr(at, " (2/3) ")); at++)
            marks++;
        if (marks && marks != of)
            fail_msg("%d numbers of two seeds, not %d: %s", marks, of, s);
        all += marks;
    }
    assert_int_equal(all, 3 + 2);
    assert_null(strstr(text, "(3/3)"));
    json_decref(j);
    free(csv);
    free(text);
}

/* The fixture's vanilla is 0.077 nats below uniform on every example, give or
 * take what a variant has of its own. */
static void pairs(void **state)
{
    json_t *j = as_json(&gaps);
    json_t *p = json_array_get(json_object_get(j, "comparisons"), 0);
    double d = json_number_value(json_object_get(p, "difference"));

    (void)state;
    assert_string_equal(json_string_value(json_object_get(p, "a")), "vanilla");
    assert_string_equal(json_string_value(json_object_get(p, "b")), "uniform");
    assert_string_equal(json_string_value(json_object_get(p, "verdict")), "a");
    near(d, -0.077, 0.01);
    near(d, number(j, "vanilla", "wmt14_ende.ce", "value") -
                number(j, "uniform", "wmt14_ende.ce", "value"), 1e-12);
    double low = json_number_value(json_object_get(p, "low"));
    double high = json_number_value(json_object_get(p, "high"));
    assert_true(low < d && d < high && high < 0);
    /* 200 pairs of noise 0.01 sqrt(2): 3.92 0.0141 / sqrt(200) */
    near(high - low, 0.0039, 0.0008);
    json_decref(j);
}

/* Vanilla and uniform are 0.077 nats apart, and the unigram model far off. */
static void unsettled_pairs(void **state)
{
    static const struct fixture still = {.seeds = 1, .variants = 11,
                                         .examples = 200, .settled = 0.2};
    json_t *j = as_json(&still), *of, *p;
    char *text = render(&still, "md");
    size_t i;

    (void)state;
    of = json_object_get(j, "comparisons");
    assert_int_equal(json_array_size(of), 4);
    json_array_foreach(of, i, p) {
        const char *b = json_string_value(json_object_get(p, "b"));

        assert_string_equal(json_string_value(json_object_get(p, "verdict")),
                            strcmp(b, "uniform") ? "a" : "still learning");
        assert_true(json_number_value(json_object_get(p, "p")) < 0.05);
    }
    assert_non_null(strstr(text, "* LM1B: Transformer and Uniform: -0.0"));
    assert_non_null(strstr(text, "], 200 examples: no verdict, they still "
                                 "learn more than that\n"));
    assert_non_null(strstr(text, "Transformer beats Unigram model on this"));
    assert_null(strstr(text, "Transformer beats Uniform"));
    near(number(j, "random", "lm1b.ppl", "settled"), 0.2, 1e-12);
    near(number(j, "random", "lm1b.ppl", "settled_error"), 0.02, 1e-12);
    json_decref(j);
    free(text);
}

/* ---- where the numbers come from ---- */

static void says(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("'%s' is not in:\n%s", words, text);
}

static void titles(void **state)
{
    char *text = render(&gaps, "text"), *md = render(&small, "md");
    json_t *j = as_json(&small);

    (void)state;
    says(text, "classification. Data: files of a\nfixture in place of WMT'14 "
               "En-De and AG News; SYNTHETIC (files of a fixture) in place of "
               "LM1B\n");
    says(md, "### Table 2. Translation, language modelling and topic "
             "classification. Data: files of a fixture in place of WMT'14 "
             "En-De, LM1B and AG News\n");
    assert_string_equal(json_string_value(json_object_get(j, "data")),
                        "files of a fixture in place of WMT'14 En-De, LM1B and "
                        "AG News");
    json_decref(j);
    free(md);
    free(text);
}

static void builds(void **state)
{
    struct fixture f = small;
    char *text = render(&f, "text");

    (void)state;
    says(text, "\nBuilds\n  Cells of commit 0123456 (6)\n");
    free(text);
    f.builds = 1;
    text = render(&f, "md");
    says(text, "**Builds**\n\n* Cells of commits 0123456 (3), fedcba9-dirty "
               "(3); dirty: the tree had uncommitted changes\n");
    free(text);
    f.builds = 2;
    text = render(&f, "md");
    says(text, "; built differently: compiler; their bits may differ\n");
    free(text);
    text = render(&f, "csv");
    says(text, ",0,0123456,1,0,1,how ");
    says(text, ",0,fedcba9-dirty,1,0,1,how ");
    free(text);
    json_t *j = as_json(&f);
    assert_int_equal(json_array_size(json_object_get(j, "builds")), 2);
    assert_string_equal(
        json_string_value(field(j, "fixed-random", "lm1b.ppl", "commit")),
        "fedcba9-dirty");
    json_t *differ = json_object_get(j, "builds_differ");
    assert_int_equal(json_array_size(differ), 1);
    assert_string_equal(json_string_value(json_array_get(differ, 0)),
                        "compiler");
    json_decref(j);
}

/* ---- the JSON read back ---- */

static int again(char **out, const char *path, const char *format)
{
    struct sheet *s;
    int rc = table_again(&s, &table_2, path, 0);

    *out = rc < 0 ? str_copy("") : printed_wide(s, format);
    return rc;
}

static char *keep(const struct fixture *f)
{
    char *folder = scratch_make(), *json = render(f, "json");
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

/* Without "over" and "examples": one rule for one seed, one for several. */
static void older_intervals(void **state)
{
    char *path = keep(&seeds), *text, *out;

    (void)state;
    assert_int_equal(file_read(&text, NULL, path), OK);
    char *level = strstr(text, "\"level\"");
    assert_non_null(level);
    memcpy(level, "\"lewel\"", 7);
    for (char *s = text; (s = strstr(s, "\"examples\": 200,\n   \"verd"));)
        memcpy(s, "\"examples\": 0,  ", strlen("\"examples\": 200,"));
    assert_int_equal(file_write(path, text, strlen(text)), OK);
    if (again(&out, path, "md") < 0)
        fail_msg("%s", err_last());
    says(out, "Several seeds: Student's t over the seeds.\n");
    says(out, "paired over the seeds that both have");
    says(out, "nats/token [2.6");
    says(out, ", 2 seeds\n");
    free(text);
    free(out);
    assert_int_equal(again(&out, path, "json"), OK);
    assert_null(strstr(out, "\"over\""));
    free(out);
    assert_int_equal(again(&out, path, "csv"), OK);
    says(out, ",metric_signature,withheld,reason,dispute,command,guessed,"
              "correlated,spearman,");
    free(out);
    drop(path);
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
            char *want = render(&all[i], format_all[f]->name), *got;

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

/* The first pair is told apart, and p = 0.05 tells nothing apart. */
static void unsure(const char *path)
{
    char *text, *p, *end;

    assert_int_equal(file_read(&text, NULL, path), OK);
    p = strstr(strstr(text, "\"comparisons\": ["), "\"p\": ");
    end = strchr(p, ',');
    char *old = str_format("%.*s", (int)(end - p), p);
    unreadable(path, old, "\"p\": 0.05", "what p, low and high say");
    free(old);
    free(text);
}

static void not_ours(void **state)
{
    char *path = keep(&four), *out;

    (void)state;
    unreadable(path, "{", "[", ":2: not JSON");
    unreadable(path, "\"schema_version\": 3", "\"schema_version\": 4",
               "has schema_version 4");
    unreadable(path, "\"cite\": \"", "\"cit\": \"", "cite: expected a text");
    unreadable(path, "\"cite\": \"", "\"note\": 1, \"cite\": \"",
               "note: expected a text");
    unreadable(path, "\"decimals\": 3", "\"decimals\": 300",
               "columns[1].decimals: expected 0 to 9");
    unreadable(path, "\"task\": \"lm1b\"", "\"task\": \"lm2b\"",
               "task: expected one of 'tasks'");
    unreadable(path, "\"value\": 1100000", "\"value\": \"many\"",
               "rows[0].cells[0].value: expected a number or null");
    unreadable(path, "\"value\": 1100000", "\"value\": 1e999", "not JSON");
    unreadable(path, "\"status\": \"done\"", "\"status\": \"fine\"",
               "status: expected done, failed");
    unreadable(path, "\"rows\": [", "\"rows\": [[],", "rows: expected a list");
    unreadable(path, "\"cells\": [", "\"cells\": [{},",
               "rows[0].cells: expected one for each column");
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

/* ---- the other promises ---- */

static void loud(void **state)
{
    char *md = render(&gaps, "md"), *csv = render(&gaps, "csv");
    char *real = render(&small, "text");

    (void)state;
    assert_non_null(strstr(md, "### Table 2 (SYNTHETIC DATA)"));
    assert_non_null(strstr(md, "LM1B (SYNTHETIC) PPL"));
    assert_non_null(strstr(csv, "\r\n2,quick,lm1b,1,vanilla,"));
    assert_non_null(strstr(csv, "\r\n2,quick,agnews,0,vanilla,"));
    assert_null(strstr(real, "SYNTHETIC"));
    free(md);
    free(csv);
    free(real);
}

static void subset(void **state)
{
    static const struct fixture part = {.seeds = 1, .variants = 2,
                                        .examples = 20, .subset = 2};
    char *text = render(&part, "text"), *csv = render(&part, "csv");

    (void)state;
    assert_non_null(strstr(text, "LM1B (SUBSET)"));
    assert_null(strstr(text, "AGNews (SUBSET)"));
    assert_non_null(strstr(text, "AGNews: files of a fixture; 20 test "
                                 "examples"));
    assert_non_null(strstr(csv, ",1,files of a fixture,"));
    assert_non_null(strstr(csv, ",0,files of a fixture,"));
    free(text);
    free(csv);
}

/* Commas outside quotes. */
static int fields(const char *line)
{
    int n = 1, quoted = 0;

    for (; *line && *line != '\r'; line++) {
        quoted ^= *line == '"';
        n += *line == ',' && !quoted;
    }
    return n;
}

static void tidy(void **state)
{
    char *csv = render(&small, "csv");
    int lines = 0, columns = fields(csv);

    (void)state;
    for (char *line = csv; *line; lines++) {
        char *end = strstr(line, "\r\n");

        assert_non_null(end);
        assert_int_equal(fields(line), columns);
        line = end + 2;
    }
    /* a heading; 9 rows of the paper, 9 columns; unigram twice and a half */
    assert_int_equal(lines, 1 + 9 * 9 + 4);
    free(csv);
}

static void refuses(const char *store, int code, const char *message)
{
    char *text;

    assert_int_equal(render_store(&text, store, "text"), code);
    assert_string_equal(text, "");
    if (!strstr(err_last(), message))
        fail_msg("'%s' does not say '%s'", err_last(), message);
    free(text);
}

/* Two cells that no table can hold together. */
static void puts_together(struct cell_labels a, struct cell_labels b,
                          const char *message)
{
    struct frozen_cell cell[] = {made_frozen(made_cell(&a)),
                                 made_frozen(made_cell(&b))};
    struct frozen f = {.name = "x", .title = "x", .n = 2, .cell = cell};
    char *store = fixture_store(&small);

    assert_int_equal(frozen_write(&f, store), OK);
    refuses(store, ERR_USAGE, message);
    scratch_remove(store);
}

static void bad_experiment(void **state)
{
    struct cell_labels one = {"vanilla", "lm1b", "quick", 1, 0}, other = one;

    (void)state;
    other.scale = "smoke";
    puts_together(one, other, "scale quick and of scale smoke");
    other = one;
    other.synthetic = 1;
    puts_together(one, other, "are both vanilla on lm1b, seed 1");
}

static void shows_damage(const char *store, const char *words)
{
    struct report *r;

    assert_int_equal(report_open(&r, store), OK);
    assert_int_equal(r->damaged, 1);
    assert_int_equal(report_damage(r), err_exit_code(ERR_STORE));
    for (int i = 0; i < r->n; i++)
        if (r->cell[i].damaged) {
            assert_int_equal(r->cell[i].state, CELL_FAILED);
            assert_non_null(strstr(r->cell[i].message, words));
        }
    report_close(r);
}

static void damaged(void **state)
{
    char *store = fixture_store(&small);
    char *path = str_format("%s/cells/%s.h5", store, fixture_id("0111"));
    char *bytes;
    size_t n;

    (void)state;
    assert_int_equal(file_read(&bytes, &n, path), OK);
    bytes[n / 2] ^= 1;
    assert_int_equal(file_write(path, bytes, n), OK);
    shows_damage(store, path);
    assert_int_equal(file_write(path, bytes, n / 3), OK);
    shows_damage(store, path);
    free(bytes);
    free(path);
    scratch_remove(store);
}

static void nothing(void **state)
{
    const struct fixture none = {.seeds = 1, .variants = 0};
    char *folder = scratch_make(), *store = fixture_store(&none);

    (void)state;
    refuses(folder, ERR_EMPTY, "nothing has been run into this folder");
    refuses(store, ERR_EMPTY, "no cell of table 2 is done");
    refuses("/no/such/store", ERR_EMPTY, "/no/such/store");
    scratch_remove(folder);
    scratch_remove(store);
}

static void put_cell(struct store *s, const char *store, const char *id,
                     const char *digest, size_t examples)
{
    static const double nll[] = {1, 2, 3, 4};
    struct cell_writer *w;

    assert_int_equal(made_begin(&w, store, id), OK);
    assert_int_equal(cell_put_text(w, "provenance", "data_digest", digest), OK);
    assert_int_equal(cell_put_text(w, "provenance", "data_source", "files"),
                     OK);
    assert_int_equal(
        cell_put_array(w, "examples/test/nll", "nats", nll, examples), OK);
    assert_int_equal(
        cell_put_metric(w, "accuracy", "%", 1, "how", (double)examples), OK);
    assert_int_equal(cell_commit(w), OK);
    assert_int_equal(store_done(s, id, 1), OK);
}

enum { TRIO = 3 };

/* The cells of a trio: a variant of the paper, one that tables know beside it,
 * and one that they do not. */
static const char *const variant[] = {"vanilla", "orthogonal",
                                      "dynamic-conv"};
static int first; /* of them, in the store */

/* Three variants on imdb; cell `odd` has other data, or is synthetic. */
static char *trio(int odd, const char *digest, size_t examples, int synthetic)
{
    struct frozen_cell cell[TRIO];
    struct frozen all = {.name = "x", .title = "x", .n = TRIO, .cell = cell};
    char *store = scratch_make();
    struct store *s;

    assert_int_equal(store_open(&s, store, 1), OK);
    for (int i = 0; i < TRIO; i++) {
        const char *id = made_cell(&(struct cell_labels){
            variant[(first + i) % TRIO], "imdb", "quick", 1,
            i == odd && synthetic});

        put_cell(s, store, id, i == odd ? digest : "data",
                 i == odd ? examples : 3);
        cell[i] = made_frozen(id);
    }
    assert_int_equal(frozen_write(&all, store), OK);
    store_close(s);
    return store;
}

/* Cells of one task that were tested on other data are not comparable. */
static void other_data(void **state)
{
    (void)state;
    shown = &table_7;
    for (int odd = 0; odd < TRIO; odd++)
        for (int longer = 0; longer < 2; longer++) {
            char *store = longer ? trio(odd, "data", 4, 0)
                                 : trio(odd, "other", 3, 0);

            refuses(store, ERR_STORE, "were tested on different");
            scratch_remove(store);
        }
    shown = &table_2;
}

/* Of its examples cross-entropy is 1.5. */
static void put_loss(struct store *s, const char *store, const char *id,
                     double ce)
{
    static const double nll[] = {1, 2}, tokens[] = {1, 1};
    struct cell_writer *w;

    assert_int_equal(made_begin(&w, store, id), OK);
    assert_int_equal(cell_put_text(w, "provenance", "data_digest", "d"), OK);
    assert_int_equal(cell_put_text(w, "provenance", "data_source", "files"),
                     OK);
    assert_int_equal(cell_put_array(w, "examples/test/nll", "nats", nll, 2),
                     OK);
    assert_int_equal(cell_put_array(w, "examples/test/tokens", "1", tokens, 2),
                     OK);
    assert_int_equal(cell_put_metric(w, "ce", "nats/token", -1, "how", ce), OK);
    assert_int_equal(cell_commit(w), OK);
    assert_int_equal(store_done(s, id, 1), OK);
}

static void compares(const char *store, const char *a, const char *b, int code)
{
    static const char *const names[] = {"ce", NULL};
    const long long seed[] = {1};
    const struct compare_side x = {store, "x", 1, 0, &a, seed};
    const struct compare_side y = {store, "y", 1, 0, &b, seed};
    struct comparison *c;

    assert_int_equal(compare(&c, &x, &y, names, NULL, 1), code);
    if (code == OK)
        compare_close(c);
    else
        assert_non_null(strstr(err_last(), "its examples give 1.5"));
}

/* No interval or verdict of examples that are not those of the value. */
static void apart(void **state)
{
    struct cell_labels label = {"vanilla", "c4", "quick", 1, 0};
    struct frozen_cell cell[2];
    struct frozen all = {.name = "x", .title = "x", .n = 2, .cell = cell};
    char *store = scratch_make(), *text;
    const char *id[2];
    struct store *s;

    (void)state;
    shown = &table_4;
    for (int i = 0; i < 2; i++) {
        label.variant = i ? "uniform" : "vanilla";
        id[i] = made_cell(&label);
        cell[i] = made_frozen(id[i]);
    }
    assert_int_equal(frozen_write(&all, store), OK);
    for (int off = -1; off < 2; off++) {
        assert_int_equal(store_open(&s, store, 1), OK);
        for (int i = 0; i < 2; i++)
            put_loss(s, store, id[i], i == off ? 1.65 : 1.5);
        store_close(s);
        compares(store, id[0], id[1], off < 0 ? OK : ERR_STORE);
        if (off >= 0) {
            refuses(store, ERR_STORE, "its examples give 1.5");
        } else {
            assert_int_equal(render_store(&text, store, "text"), OK);
            free(text);
        }
    }
    shown = &table_2;
    scratch_remove(store);
}

/* There is no model for the second seed: it is not lost. */
static void refused_seed(void **state)
{
    struct cell_labels label = {"vanilla", "c4", "quick", 1, 0};
    struct frozen_cell cell[2];
    struct frozen all = {.name = "x", .title = "x", .n = 2, .cell = cell};
    char *store = scratch_make(), *text;
    struct store *s;

    (void)state;
    shown = &table_4;
    for (; label.seed <= 2; label.seed++)
        cell[label.seed - 1] = made_frozen(made_cell(&label));
    cell[1].refused = "no such model";
    assert_int_equal(store_open(&s, store, 1), OK);
    put_loss(s, store, cell[0].id, 1.5);
    store_close(s);
    assert_int_equal(frozen_write(&all, store), OK);
    assert_int_equal(render_store(&text, store, "text"), OK);
    assert_null(strstr(text, "(1/2)"));
    assert_non_null(strstr(text, " 1.500"));
    free(text);
    shown = &table_2;
    scratch_remove(store);
}

/* Of three cells one alone, wherever it stands. */
static void one_synthetic(void **state)
{
    (void)state;
    shown = &table_7;
    for (int odd = -1; odd < TRIO; odd++) {
        static const char *const mark[] = {
            "Table 7 (SYNTHETIC DATA)", "SYNTHETIC (files) in place of",
            "(SYNTHETIC) acc", ",imdb,1,vanilla,", "\"synthetic\": true"};
        static const char *const format[] = {"md", "md", "md", "csv", "json"};
        char *store = trio(odd, "data", 3, 1);

        for (int i = 0; i < 5; i++) {
            char *text;

            assert_int_equal(render_store(&text, store, format[i]), OK);
            if ((strstr(text, mark[i]) != NULL) != (odd >= 0))
                fail_msg("cell %d of three is synthetic: '%s' in\n%s", odd,
                         mark[i], text);
            free(text);
        }
        scratch_remove(store);
    }
    shown = &table_2;
}

/* ... under its own title, first in its store or last. */
static void each_has_a_row(void **state)
{
    static const char *const title[] = {"Transformer", "Orthogonal",
                                        "dynamic-conv"};

    (void)state;
    shown = &table_7;
    for (first = 0; first < TRIO; first++) {
        char *store = trio(-1, "data", 3, 0), *text;

        assert_int_equal(render_store(&text, store, "csv"), OK);
        for (int i = 0; i < TRIO; i++) {
            char *cell = str_format(",imdb,0,%s,%s,0,accuracy,%%,1,3,",
                                    variant[i], title[i]);

            if (!strstr(text, cell))
                fail_msg("%s, the first %s: no '%s' in\n%s", variant[i],
                         variant[first], cell, text);
            free(cell);
        }
        free(text);
        scratch_remove(store);
    }
    first = 0;
    shown = &table_2;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"Table 2 as text, one seed, a failed and a missing cell", as_text,
         NULL, NULL, NULL},
        {"Table 2 as Markdown, two seeds", as_markdown, NULL, NULL, NULL},
        {"Table 2 as text, much of it withheld", as_withheld, NULL, NULL, NULL},
        {"from eight seeds on their own interval is the bootstrap's",
         many_seeds, NULL, NULL, NULL},
        {"values are means over seeds, intervals over examples too where these "
         "tell", values, NULL, NULL, NULL},
        {"a table of an older program says what its intervals were over",
         older_intervals, NULL, NULL, NULL},
        {"no pair that still learns is told", unsettled_pairs, NULL, NULL,
         NULL},
        {"a title says where numbers come from", titles, NULL, NULL, NULL},
        {"a table names the builds of its cells, and in what they differ",
         builds, NULL, NULL, NULL},
        {"every format is the same again from the JSON alone", lossless, NULL,
         NULL, NULL},
        {"a JSON file that is not a table's is refused, file and place named",
         not_ours, NULL, NULL, NULL},
        {"JSON has the shape that programs rely on", shape, NULL, NULL, NULL},
        {"ranks count from the best, ours and theirs", ranks, NULL, NULL, NULL},
        {"a star is the best's, and of who is not told from it", stars, NULL,
         NULL, NULL},
        {"seeds take a star away where they decide", stars_of_seeds, NULL,
         NULL, NULL},
        {"a row without a number is no best", stars_below_a_gap, NULL, NULL,
         NULL},
        {"a number is written with fifteen digits", fifteen_digits, NULL, NULL,
         NULL},
        {"failed and missing cells show as such, with the reason", gaps_show,
         NULL, NULL, NULL},
        {"a number of fewer seeds than were asked for says of how many",
         lost_seeds, NULL, NULL, NULL},
        {"a paired comparison is narrower than the intervals of its sides",
         pairs, NULL, NULL, NULL},
        {"synthetic data is said in title, column and line", loud, NULL, NULL,
         NULL},
        {"a table tells its data, and where they are not all of the official "
         "rows", subset, NULL, NULL, NULL},
        {"every CSV line has every field and ends in CRLF", tidy, NULL, NULL,
         NULL},
        {"cells of two scales, and two of one name, are not put in one table",
         bad_experiment, NULL, NULL, NULL},
        {"a damaged cell file counts as failed, with its name", damaged, NULL,
         NULL, NULL},
        {"a store without results says what to run", nothing, NULL, NULL, NULL},
        {"cells tested on different data, or on more of it, are not put in one "
         "table", other_data, NULL, NULL, NULL},
        {"a value a tenth from what its examples give is in no table, no "
         "verdict", apart, NULL, NULL, NULL},
        {"a seed that is refused is not lost", refused_seed, NULL, NULL, NULL},
        {"one synthetic cell marks the table, whichever it is", one_synthetic,
         NULL, NULL, NULL},
        {"each variant has its row, whichever is first", each_has_a_row, NULL,
         NULL, NULL},
    };

    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
