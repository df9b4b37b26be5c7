/* Judges seeds that give no information: cells with different seeds and equal
 * weights, and metrics that change by the same amount for all seeds. */
#include "harness/base/err.h"
#include "harness/gate/judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 3, VALUES = 4 };

struct side {
    struct baseline       baseline;
    struct baseline_cell  cell[CELLS];
    struct baseline_value value[CELLS][VALUES];
};

static struct baseline_value text_value(const char *what, const char *text)
{
    return (struct baseline_value){.what = what, .text = text, .value = NAN,
                                   .between = {NAN, NAN}, .units = "",
                                   .signature = ""};
}

/* Makes seeds 1 and 2 of one variant and seed 1 of another, with these
 * weights. */
static void make(struct side *s, const char *const weights[CELLS])
{
    static const char *const name[] = {"a/t/smoke/1", "a/t/smoke/2",
                                       "b/t/smoke/1"};
    static const char *const id[] = {"01", "02", "03"};

    for (int i = 0; i < CELLS; i++) {
        s->value[i][0] = text_value("id", id[i]);
        s->value[i][1] = text_value("results", weights[i]);
        s->value[i][2] = text_value("weights", weights[i]);
        s->cell[i] = (struct baseline_cell){name[i], 3, s->value[i]};
    }
    s->baseline = (struct baseline){.name = "x", .cells = CELLS,
                                    .cell = s->cell};
}

/* Compares the cells reported as changed with a list such as "a/t/smoke/2;". */
static void expect(const char *const old[CELLS], const char *const new[CELLS],
                   const char *want)
{
    static const struct metric *const none[] = {NULL};
    struct side a, b;
    OWNED(judge_close) struct judgement *j = NULL;
    char got[256] = "";

    make(&a, old);
    make(&b, new);
    assert_int_equal(judge(&j, &(struct judge_of){
        .old = &a.baseline, .new = &b.baseline, .new_store = "none",
        .margin = NAN, .metrics = none}), OK);
    for (int i = 0; i < j->n; i++)
        if (j->row[i].verdict == JUDGE_CHANGED) {
            strcat(strcat(got, j->row[i].cell), ";");
            assert_non_null(strstr(j->row[i].why, "the same weights as "
                                                  "a/t/smoke/1"));
        }
    assert_string_equal(got, want);
}

static void a_seed_that_decides_nothing_is_told(void **state)
{
    static const char *const apart[] = {"1", "2", "3"}, *const other[] = {
        "4", "5", "6"}, *const one[] = {"4", "4", "4"};

    (void)state;
    expect(apart, other, "");
    expect(apart, one, "a/t/smoke/2;");
    expect(one, one, "");
    expect(one, apart, "");
}

/* ---- metrics of two seeds ---- */

/* Makes cells a/t/smoke/1 and 2 with other weights and these values of the
 * metric. */
static void weigh(struct side *s, const char *weights, const double value[2])
{
    static const char *const of[CELLS] = {"", "", ""};

    make(s, of);
    s->baseline.cells = 2;
    for (int i = 0; i < 2; i++) {
        s->value[i][0] = text_value("id", i ? "02" : "01");
        s->value[i][1] = (struct baseline_value){
            .what = "metrics/accuracy", .value = value[i],
            .between = {NAN, NAN}, .units = "%", .signature = "", .better = 1};
        s->value[i][2] = text_value("results", weights);
        s->value[i][3] = text_value("weights", weights);
        s->cell[i].n = VALUES;
    }
}

static void expect_verdict(const double old[2], const double new[2],
                           enum judge_verdict want, const char *why)
{
    static const struct metric *const none[] = {NULL};
    struct side a, b;
    OWNED(judge_close) struct judgement *j = NULL;

    weigh(&a, "1", old);
    weigh(&b, "2", new);
    assert_int_equal(judge(&j, &(struct judge_of){
        .old = &a.baseline, .new = &b.baseline, .new_store = "none",
        .margin = 1, .metrics = none}), OK);
    assert_int_equal(j->n, 1);
    assert_string_equal(judge_word[j->row[0].verdict], judge_word[want]);
    assert_string_equal(j->row[0].why, why);
}

/* Returns a percentage of 30 examples: multiples of a third, whose differences
 * have rounding errors. */
static double percent(int right) { return 100.0 * right / 30; }

/* t(0.975) is 12.7 with one degree of freedom. Changes by 9.9 and 10.1 have
 * mean 10 and standard error 0.1, so t is 100: significant. But if both seeds
 * change by exactly 10, their spread of 0 is no evidence: if each value is a
 * count out of 60 examples, equal changes occur by chance in more than 5 % of
 * all gates. */
static void what_moves_alike_tells_no_spread(void **state)
{
    static const char alike[] = "paired over 2 seeds, which changed equally: "
                                "their spread is unknown; no test examples of "
                                "the baseline: name its store with --examples";
    static const char paired[] = "paired over 2 seeds";

    (void)state;
    expect_verdict((double[]){60, 70}, (double[]){50.1, 59.9}, JUDGE_WORSE,
                   paired);
    expect_verdict((double[]){60, 70}, (double[]){50, 60}, JUDGE_UNDECIDED,
                   alike);
    expect_verdict((double[]){60, 70}, (double[]){60, 70}, JUDGE_EQUAL, paired);
    expect_verdict((double[]){percent(13), percent(20)},
                   (double[]){percent(13) * (1 + 1e-15), percent(20)},
                   JUDGE_EQUAL, paired);
    expect_verdict((double[]){percent(13), percent(20)},
                   (double[]){percent(10), percent(17)}, JUDGE_UNDECIDED,
                   alike);
    expect_verdict((double[]){50, 50}, (double[]){50, 50}, JUDGE_EQUAL, paired);
    expect_verdict((double[]){60, 70}, (double[]){60.01, 69.99}, JUDGE_EQUAL,
                   paired);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seed_that_decides_nothing_is_told),
        cmocka_unit_test(what_moves_alike_tells_no_spread),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
