/* Layout of a table in text, Markdown, CSV and JSON, with made-up stores
 * (report_fixture.h). Two tables are compared as a whole with
 * tests/data/report/table2.*. If one differs, the test writes table2.*.new into
 * the same folder. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/report/report.h"
#include "tests/support/fixture_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct fixture gaps = {.seeds = 1, .variants = 11, .examples = 200,
                                    .synthetic = 1, .gaps = 1};
static const struct fixture seeds = {.seeds = 2, .variants = 5,
                                     .examples = 200};
static const struct fixture small = {.seeds = 1, .variants = 2, .examples = 50};
static const struct fixture four = {.seeds = 4, .variants = 11, .examples = 200,
                                    .synthetic = 1, .gaps = 1};
static const struct fixture learns = {.seeds = 4, .variants = 8, .examples = 50,
                                      .settled = 0.015, .uncompared = "agnews"};

static void golden(const struct fixture *f, const char *format,
                   const char *path)
{
    char *got = tabled_text(f, format), *want, new[128];

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

static void shape(void **state)
{
    json_t *j = tabled_json(&four);

    (void)state;
    assert_int_equal(json_integer_value(json_object_get(j, "schema_version")),
                     3);
    assert_true(json_is_true(json_object_get(j, "synthetic")));
    assert_int_equal(json_array_size(json_object_get(j, "columns")), 9);
    assert_int_equal(json_array_size(json_object_get(j, "rows")), 11);
    assert_int_equal(json_array_size(json_object_get(j, "correlations")), 4);
    assert_int_equal(json_array_size(json_object_get(j, "comparisons")), 4);
    assert_int_equal(json_array_size(json_object_get(j, "baselines")), 3);
    assert_int_equal(json_array_size(json_object_get(j, "failures")), 4);
    assert_true(tabled_number(j, "fixed-random", "wmt14_ende.bleu",
                              "published") == 23.89);
    assert_true(json_is_null(tabled_field(j, "dense", "lm1b.ppl",
                                          "published")));
    assert_true(json_is_true(tabled_field(j, "fixed-random", "wmt14_ende.bleu",
                                          "disputed")));
    assert_true(json_is_false(tabled_field(j, "vanilla", "wmt14_ende.bleu",
                                           "disputed")));
    assert_true(json_is_null(tabled_field(j, "uniform", "lm1b.ppl",
                                          "published")));
    json_decref(j);
}

/* Returns the largest number of digits that any number of a JSON text has,
 * ignoring strings. */
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

/* Values are written with a precision that reading restores. */
static void fifteen_digits(void **state)
{
    char *text = tabled_text(&gaps, "json");

    (void)state;
    assert_int_equal(most_digits("[1.25, \"123456789\", 0.001234e-12]"), 4);
    assert_int_equal(most_digits(text), 15);
    free(text);
}

static void gaps_show(void **state)
{
    json_t *j = tabled_json(&gaps);
    char *text = tabled_text(&gaps, "text");

    (void)state;
    assert_string_equal(json_string_value(tabled_field(j, "factorized-random",
                                                       "wmt14_ende.ce",
                                                       "status")), "failed");
    assert_true(json_is_null(tabled_field(j, "factorized-random",
                                          "wmt14_ende.ce", "value")));
    assert_string_equal(json_string_value(tabled_field(j, "factorized-dense",
                                                       "lm1b.ppl", "status")),
                        "missing");
    assert_non_null(strstr(text, "loss is not a number at step 17"));
    assert_non_null(strstr(text, "31 of 33 cells"));
    json_decref(j);
    free(text);
}

/* ---- sources of the numbers ---- */

static void titles(void **state)
{
    char *text = tabled_text(&gaps, "text"), *md = tabled_text(&small, "md");
    json_t *j = tabled_json(&small);

    (void)state;
    tabled_says(text,
                "classification. Data: files of a\nfixture in place of WMT'14 "
                "En-De and AG News; SYNTHETIC (files of a fixture) in place of "
                "LM1B\n");
    tabled_says(md, "### Table 2. Translation, language modelling and topic "
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
    char *text = tabled_text(&f, "text");

    (void)state;
    tabled_says(text, "\nBuilds\n  Cells of commit 0123456 (6)\n");
    free(text);
    f.builds = 1;
    text = tabled_text(&f, "md");
    tabled_says(text,
                "**Builds**\n\n* Cells of commits 0123456 (3), fedcba9-dirty "
                "(3); dirty: built from a tree with uncommitted changes\n");
    free(text);
    f.builds = 2;
    text = tabled_text(&f, "md");
    tabled_says(text, "; cells differ in compiler, so results may not be "
                      "bit-identical\n");
    free(text);
    text = tabled_text(&f, "csv");
    tabled_says(text, ",done,0123456,");
    tabled_says(text, ",done,fedcba9-dirty,");
    free(text);
    json_t *j = tabled_json(&f);
    assert_int_equal(json_array_size(json_object_get(j, "builds")), 2);
    assert_string_equal(json_string_value(tabled_field(j, "fixed-random",
                                                       "lm1b.ppl", "commit")),
                        "fedcba9-dirty");
    json_t *differ = json_object_get(j, "builds_differ");
    assert_int_equal(json_array_size(differ), 1);
    assert_string_equal(json_string_value(json_array_get(differ, 0)),
                        "compiler");
    json_decref(j);
}

/* ---- other requirements ---- */

static void loud(void **state)
{
    char *md = tabled_text(&gaps, "md"), *csv = tabled_text(&gaps, "csv");
    char *real = tabled_text(&small, "text");

    (void)state;
    assert_non_null(strstr(md, "### Table 2 (SYNTHETIC DATA)"));
    assert_non_null(strstr(md, "LM1B (SYNTHETIC) PPL"));
    assert_non_null(strstr(csv, "\r\n2,quick,lm1b,1,"));
    assert_non_null(strstr(csv, "\r\n2,quick,agnews,0,"));
    assert_null(strstr(real, "SYNTHETIC"));
    free(md);
    free(csv);
    free(real);
}

static void subset(void **state)
{
    static const struct fixture part = {.seeds = 1, .variants = 2,
                                        .examples = 20, .subset = 2};
    char *text = tabled_text(&part, "text"), *csv = tabled_text(&part, "csv");

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

/* Returns the number of fields: commas outside quotes, plus one. */
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
    char *csv = tabled_text(&small, "csv");
    int lines = 0, columns = fields(csv);

    (void)state;
    for (char *line = csv; *line; lines++) {
        char *end = strstr(line, "\r\n");

        assert_non_null(end);
        assert_int_equal(fields(line), columns);
        line = end + 2;
    }
    /* one heading; 9 rows of the paper in 9 columns; 4 values of the unigram
     * model */
    assert_int_equal(lines, 1 + 9 * 9 + 4);
    free(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"Table 2 as text, one seed, a failed and a missing cell", as_text,
         NULL, NULL, NULL},
        {"Table 2 as Markdown, two seeds", as_markdown, NULL, NULL, NULL},
        {"Table 2 as text, much of it withheld", as_withheld, NULL, NULL, NULL},
        {"a title says where numbers come from", titles, NULL, NULL, NULL},
        {"a table names the builds of its cells, and in what they differ",
         builds, NULL, NULL, NULL},
        {"JSON has the shape that programs rely on", shape, NULL, NULL, NULL},
        {"a number is written with fifteen digits", fifteen_digits, NULL, NULL,
         NULL},
        {"failed and missing cells show as such, with the reason", gaps_show,
         NULL, NULL, NULL},
        {"synthetic data is said in title, column and line", loud, NULL, NULL,
         NULL},
        {"a table tells its data, and where they are not all of the official "
         "rows", subset, NULL, NULL, NULL},
        {"every CSV line has every field and ends in CRLF", tidy, NULL, NULL,
         NULL},
    };

    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
