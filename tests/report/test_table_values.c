/* Checks the values that a table computes from its cells: means and intervals,
 * ranks and stars, comparisons. */
#include "harness/base/err.h"
#include "harness/stats/bootstrap.h"
#include "harness/stats/stats.h"
#include "harness/store/cell.h"
#include "tests/support/scratch.h"
#include "tests/support/fixture_table.h"

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

static const struct fixture gaps = {.seeds = 1, .variants = 11, .examples = 200,
                                    .synthetic = 1, .gaps = 1};
static const struct fixture seeds = {.seeds = 2, .variants = 5,
                                     .examples = 200};
static const struct fixture four = {.seeds = 4, .variants = 11, .examples = 200,
                                    .synthetic = 1, .gaps = 1};

static const char *over(json_t *table, const char *variant, const char *column)
{
    return json_string_value(tabled_field(table, variant, column, "over"));
}

static void near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance * (1 + fabs(want))))
        fail_msg("%.17g, not %.17g", got, want);
}

/* Returns a metric of the cell file, read with the store's own reader. */
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
    assert_int_equal(tabled_store(&text, store, "json"), OK);
    json_t *j = json_loads(text, 0, &e);
    assert_non_null(j);
    double x[] = {stored(store, "0211", "ppl"), stored(store, "0212", "ppl")};
    near(tabled_number(j, "random", "lm1b.ppl", "value"), (x[0] + x[1]) / 2,
         1e-14);
    assert_string_equal(over(j, "random", "lm1b.ppl"), "seeds x examples");
    /* bleu has no examples */
    double y[] = {stored(store, "0201", "bleu"), stored(store, "0202", "bleu")};
    struct interval t = stats_t_interval(y, 2);
    near(tabled_number(j, "random", "wmt14_ende.bleu", "low"), t.low, 1e-13);
    near(tabled_number(j, "random", "wmt14_ende.bleu", "high"), t.high, 1e-13);
    assert_string_equal(over(j, "random", "wmt14_ende.bleu"), "seeds");
    assert_true(tabled_number(j, "random", "lm1b.ppl", "n") == 2);
    assert_true(tabled_number(j, "random", "lm1b.params", "value") == 1031000);
    assert_true(json_is_null(tabled_field(j, "random", "lm1b.params", "low")));
    assert_string_equal(json_string_value(tabled_field(j, "random", "lm1b.ppl",
                                                       "metric_signature")),
                        "how ppl is computed");
    json_decref(j);
    free(text);
    scratch_remove(store);
}

/* From the smallest number of seeds at which it works, the bootstrap over seeds
 * is used. */
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
    assert_int_equal(tabled_store(&text, store, "json"), OK);
    json_t *j = json_loads(text, 0, NULL);
    near(tabled_number(j, "vanilla", "wmt14_ende.bleu", "low"), want.low,
         1e-13);
    near(tabled_number(j, "vanilla", "wmt14_ende.bleu", "high"), want.high,
         1e-13);
    free(text);
    assert_int_equal(tabled_store(&text, store, "md"), OK);
    assert_non_null(strstr(text, "over the seeds or, with 8 seeds or more, "
                                 "BCa bootstrap."));
    free(text);
    json_decref(j);
    scratch_remove(store);
}

static void ranks(void **state)
{
    json_t *j = tabled_json(&four);

    (void)state;
    assert_true(tabled_number(j, "random+vanilla", "wmt14_ende.ce", "rank") ==
                1);
    assert_true(tabled_number(j, "fixed-random", "wmt14_ende.ce", "rank") ==
                10);
    assert_true(tabled_number(j, "random+vanilla", "wmt14_ende.bleu", "rank") ==
                1);
    assert_true(tabled_number(j, "random+vanilla", "wmt14_ende.bleu",
                              "rank_published") == 1);
    assert_true(tabled_number(j, "fixed-random", "wmt14_ende.bleu",
                              "rank_published") == 9);
    assert_true(json_is_null(tabled_field(j, "dense+vanilla", "lm1b.ppl",
                                          "rank_published"))); /* synthetic */
    assert_true(json_is_null(tabled_field(j, "factorized-random",
                                          "wmt14_ende.ce", "rank")));
    json_decref(j);
}

static int starred(json_t *table, const char *variant, const char *column)
{
    return json_is_true(tabled_field(table, variant, column, "best"));
}

/* In the fixture, random+vanilla and dense+vanilla differ by 0.008 nats plus an
 * effect of each variant. The difference from vanilla, 0.019, is
 * significant. */
static void stars(void **state)
{
    json_t *one = tabled_json(&four), *two = tabled_json(&seeds);

    (void)state;
    assert_true(starred(one, "dense+vanilla", "lm1b.ppl"));
    assert_true(starred(one, "random+vanilla", "lm1b.ppl"));
    assert_true(starred(one, "random+vanilla", "lm1b.ppl_word"));
    assert_false(starred(one, "vanilla", "lm1b.ppl"));
    assert_false(starred(one, "uniform", "lm1b.ppl_word"));
    assert_false(starred(one, "factorized-random", "wmt14_ende.ce"));
    assert_false(starred(one, "factorized-dense", "lm1b.ppl"));
    assert_false(starred(one, "vanilla", "lm1b.params"));
    /* two seeds distinguish no variants */
    assert_true(starred(two, "fixed-random", "lm1b.ppl"));
    assert_false(starred(two, "random+vanilla", "lm1b.ppl"));
    json_decref(one);
    json_decref(two);
}

/* With eight seeds and two variants there is one test, with p = 2 / 256. */
static void stars_of_seeds(void **state)
{
    static const struct fixture eight = {.seeds = 8, .variants = 2,
                                         .examples = 20};
    json_t *j = tabled_json(&eight);

    (void)state;
    assert_true(starred(j, "vanilla", "lm1b.ppl"));
    assert_false(starred(j, "fixed-random", "lm1b.ppl"));
    assert_false(starred(j, "fixed-random", "wmt14_ende.ce"));
    json_decref(j);
}

/* If the first row has no value, it is never the best. */
static void stars_below_a_gap(void **state)
{
    static const struct fixture eight = {.seeds = 8, .variants = 3,
                                         .examples = 20, .gaps = 3};
    json_t *j = tabled_json(&eight);

    (void)state;
    assert_true(starred(j, "random", "lm1b.ppl"));
    assert_false(starred(j, "fixed-random", "lm1b.ppl"));
    json_decref(j);
}

/* The second of three seeds failed on one task and is missing on another. */
static void lost_seeds(void **state)
{
    static const struct fixture lost = {.seeds = 3, .variants = 6,
                                        .examples = 20, .gaps = 2};
    char *text = tabled_text(&lost, "text"), *csv = tabled_text(&lost, "csv");
    json_t *j = tabled_json(&lost);
    int all = 0;

    (void)state;
    assert_true(tabled_number(j, "factorized-random", "wmt14_ende.ce", "n") ==
                2);
    assert_true(tabled_number(j, "factorized-random", "wmt14_ende.ce",
                              "asked") == 3);
    assert_true(tabled_number(j, "factorized-dense", "lm1b.ppl", "n") == 2);
    assert_true(tabled_number(j, "factorized-dense", "lm1b.ppl", "asked") == 3);
    assert_true(tabled_number(j, "vanilla", "lm1b.ppl", "asked") == 3);
    assert_true(tabled_number(j, "dense+vanilla", "lm1b.ppl", "asked") == 0);
    assert_non_null(strstr(csv, ",2,3,")); /* n, number of requested seeds */
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

/* In the fixture, vanilla is 0.077 nats below uniform on every example, plus an
 * effect of each variant. */
static void pairs(void **state)
{
    json_t *j = tabled_json(&gaps);
    json_t *p = json_array_get(json_object_get(j, "comparisons"), 0);
    double d = json_number_value(json_object_get(p, "difference"));

    (void)state;
    assert_string_equal(json_string_value(json_object_get(p, "a")), "vanilla");
    assert_string_equal(json_string_value(json_object_get(p, "b")), "uniform");
    assert_string_equal(json_string_value(json_object_get(p, "verdict")), "a");
    near(d, -0.077, 0.01);
    near(d, tabled_number(j, "vanilla", "wmt14_ende.ce", "value") -
                tabled_number(j, "uniform", "wmt14_ende.ce", "value"), 1e-12);
    double low = json_number_value(json_object_get(p, "low"));
    double high = json_number_value(json_object_get(p, "high"));
    assert_true(low < d && d < high && high < 0);
    /* 200 pairs with noise 0.01 sqrt(2): 2 * 1.96 * 0.0141 / sqrt(200) */
    near(high - low, 0.0039, 0.0008);
    json_decref(j);
}

/* Vanilla and uniform differ by 0.077 nats, and the unigram model by much
 * more. */
static void unsettled_pairs(void **state)
{
    static const struct fixture still = {.seeds = 1, .variants = 11,
                                         .examples = 200, .settled = 0.2};
    json_t *j = tabled_json(&still), *of, *p;
    char *text = tabled_text(&still, "md");
    size_t i;

    (void)state;
    of = json_object_get(j, "comparisons");
    assert_int_equal(json_array_size(of), 4);
    json_array_foreach(of, i, p) {
        const char *b = json_string_value(json_object_get(p, "b"));

        assert_string_equal(json_string_value(json_object_get(p, "verdict")),
                            strcmp(b, "uniform") ? "a" : "not converged");
        assert_true(json_number_value(json_object_get(p, "p")) < 0.05);
    }
    assert_non_null(strstr(text, "* LM1B, ce: Transformer and Uniform: -0.0"));
    assert_non_null(strstr(text, "], 200 examples: no verdict, not converged "
                                 "relative to this difference\n"));
    assert_non_null(strstr(text, "Transformer beats Unigram model for this"));
    assert_null(strstr(text, "Transformer beats Uniform"));
    near(tabled_number(j, "random", "lm1b.ppl", "settled"), 0.2, 1e-12);
    near(tabled_number(j, "random", "lm1b.ppl", "settled_error"), 0.02, 1e-12);
    json_decref(j);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"from eight seeds on their own interval is the bootstrap's",
         many_seeds, NULL, NULL, NULL},
        {"values are means over seeds, intervals over examples too where these "
         "tell", values, NULL, NULL, NULL},
        {"no pair that still learns is told", unsettled_pairs, NULL, NULL,
         NULL},
        {"ranks count from the best, ours and theirs", ranks, NULL, NULL, NULL},
        {"a star is the best's, and of who is not told from it", stars, NULL,
         NULL, NULL},
        {"seeds take a star away where they decide", stars_of_seeds, NULL, NULL,
         NULL},
        {"a row without a number is no best", stars_below_a_gap, NULL, NULL,
         NULL},
        {"a number of fewer seeds than were asked for says of how many",
         lost_seeds, NULL, NULL, NULL},
        {"a paired comparison is narrower than the intervals of its sides",
         pairs, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("table_values", tests, NULL, NULL);
}
