/* The scorers of GLUE and SuperGLUE: hand-worked cases, bad input, means. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/metrics/labels/benchmark.h"
#include "harness/metrics/labels/confusion.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const struct scorer scorer_mcc, scorer_accuracy, scorer_acc_f1,
    scorer_cb, scorer_stsb, scorer_multirc, scorer_record;

extern const struct metric metric_superglue;

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-12))
        fail_msg("%.17g, not %.17g", got, want);
}

/* ---- files ---- */

struct set {
    char        *folder;
    struct lines pred, gold, groups;
};

static int put(const struct set *s, struct lines *out, const char *name,
               const char *text)
{
    char *path = str_format("%s/%s", s->folder, name);

    assert_int_equal(file_write(path, text, strlen(text)), OK);
    int rc = lines_read(out, path);
    free(path);
    return rc;
}

/* Writes the texts to files and scores them; `groups` may be NULL. */
static int run(json_t **out, const struct scorer *scorer,
               const char *pred, const char *gold, const char *groups)
{
    struct set s = {.folder = scratch_make()};
    struct score_input in = {.hyp = &s.pred, .ref = {&s.gold}, .refs = 1,
                             .groups = groups ? &s.groups : NULL};
    int rc;

    *out = NULL;
    GOTO_IF_ERR(put(&s, &s.pred, "pred.txt", pred));
    GOTO_IF_ERR(put(&s, &s.gold, "gold.txt", gold));
    if (groups)
        GOTO_IF_ERR(put(&s, &s.groups, "groups.txt", groups));
    rc = scorer_run(out, scorer, &in);
out:
    lines_close(&s.pred);
    lines_close(&s.gold);
    lines_close(&s.groups);
    scratch_remove(s.folder);
    return rc;
}

static void gives(const struct scorer *scorer, const char *pred,
                  const char *gold, const char *groups, const char *name,
                  double want)
{
    json_t *r;

    if (run(&r, scorer, pred, gold, groups) < 0)
        fail_msg("%s", err_last());
    double got = result_number(r, name);
    json_decref(r);
    if (isnan(want))
        assert_true(isnan(got));
    else
        near(got, want);
}

static void refuses(const struct scorer *scorer, const char *pred,
                    const char *gold, const char *groups, const char *words)
{
    json_t *r;

    assert_int_equal(run(&r, scorer, pred, gold, groups), ERR_DATA);
    assert_null(r);
    if (!strstr(err_last(), words))
        fail_msg("'%s' lacks '%s'", err_last(), words);
}

/* ---- tests ---- */

/* The gold labels are 0 0 0 1 1 2, the predictions 0 0 1 1 2 2. 4 of 6 are
 * right. F1 of the classes is 4/5, 2/4 and 2/3; mcc is (4 6 - (3 2 + 2 2 + 1
 * 2)) / sqrt((36 - 14)(36 - 12)). */
static void labels(void **state)
{
    static const char gold[] = "0\n0\n0\n1\n1\n2\n";
    static const char pred[] = "0\n0\n1\n1\n2\n2\n";

    (void)state;
    gives(&scorer_accuracy, pred, gold, NULL, "accuracy", 4.0 / 6);
    gives(&scorer_mcc, pred, gold, NULL, "matthews_correlation",
          12 / sqrt(22.0 * 24));
    gives(&scorer_mcc, "1\n1\n", "1\n0\n", NULL, "score", 0);
    gives(&scorer_cb, pred, gold, NULL, "f1", (0.8 + 0.5 + 2.0 / 3) / 3);
    gives(&scorer_cb, pred, gold, NULL, "score",
          ((0.8 + 0.5 + 2.0 / 3) / 3 + 4.0 / 6) / 2);
    gives(&scorer_acc_f1, "1\n1\n0\n", "1\n0\n0\n", NULL, "f1", 2.0 / 3);
    gives(&scorer_acc_f1, "0\n0\n", "0\n0\n", NULL, "f1", 0);
    gives(&scorer_accuracy, "-1\n7", "-1\n7\n", NULL, "score", 1);
}

static void correlations(void **state)
{
    (void)state;
    gives(&scorer_stsb, "1\n2\n3\n", "2\n4\n6.5\n", NULL, "spearmanr", 1);
    /* the deviations from the means are -1 0 1 and -3 -2 5, so the correlation
     * is 8 / sqrt(2 38); the ranks are equal */
    gives(&scorer_stsb, "1\n2\n3\n", "1\n2\n9\n", NULL, "pearson",
          8 / sqrt(76));
    gives(&scorer_stsb, "1\n2\n3\n", "1\n2\n9\n", NULL, "score",
          (8 / sqrt(76) + 1) / 2);
    gives(&scorer_stsb, "1\n1\n1\n", "2\n4\n6\n", NULL, "pearson", NAN);
    refuses(&scorer_stsb, "1\nnan\n3\n", "2\n4\n6\n", NULL,
            "pred.txt:2: 'nan'");
    refuses(&scorer_stsb, "1\n2\n3\n", "2\n4\n\n", NULL, "gold.txt:3: ''");
    refuses(&scorer_stsb, "1\n2\n", "2\n1e999\n", NULL, "gold.txt:2");
}

static void bad_labels(void **state)
{
    (void)state;
    refuses(&scorer_mcc, "1\nyes\n", "1\n0\n", NULL,
            "pred.txt:2: 'yes' is not an integer");
    refuses(&scorer_accuracy, "1\n0\n", "1\n0.5\n", NULL, "gold.txt:2");
    refuses(&scorer_accuracy, "1\n\n", "1\n0\n", NULL, "pred.txt:2");
    refuses(&scorer_accuracy, "1\nnan\n", "1\n0\n", NULL, "pred.txt:2");
    refuses(&scorer_acc_f1, "1\n2\n", "1\n0\n", NULL,
            "pred.txt:2: label 2: expected 0 or 1");
    refuses(&scorer_accuracy, "1\n0\n1\n", "1\n0\n", NULL, "pred.txt has 3");
    refuses(&scorer_accuracy, "", "1\n", NULL, "empty");
}

/* Question q1 is right, q2 has one of two answers wrong. Groups may have any
 * order; 1-0 and 10-0 are different groups. */
static void questions(void **state)
{
    static const char pred[] = "1\n0\n1\n1\n", gold[] = "1\n0\n1\n0\n";
    static const char groups[] = "1-0\n10-0\n10-0\n1-0\n";

    (void)state;
    gives(&scorer_multirc, pred, gold, groups, "exact_match", 0.5);
    gives(&scorer_multirc, pred, gold, groups, "f1_a", 4.0 / 5);
    /* In group 1-0, F1 is 2/3 for label 1 and 0 for label 0; in group 10-0, F1
     * is 1 for both labels. */
    gives(&scorer_multirc, pred, gold, groups, "f1_m", (1.0 / 3 + 1) / 2);
    gives(&scorer_multirc, pred, gold, groups, "n_questions", 2);
    refuses(&scorer_multirc, pred, gold, "1-0\n\n1-0\n1-0\n",
            "groups.txt:2: expected the name of a question");
    refuses(&scorer_multirc, pred, gold, "1-0\n", "groups.txt has 1");
    refuses(&scorer_multirc, "1\n0\n1\n3\n", gold, groups, "pred.txt:4");
}

static void answers(void **state)
{
    static const char gold[] = "a\tThe Old Man\tHe\nb\tRome\n";

    (void)state;
    gives(&scorer_record, "a\told man.\nb\tRome\n", gold, NULL, "exact_match",
          1);
    gives(&scorer_record, "b\trome\na\tthe man\n", gold, NULL, "f1",
          (2.0 / 3 + 1) / 2);
    gives(&scorer_record, "b\tthe\n", "b\ta\n", NULL, "exact_match", 1);
    gives(&scorer_record, "b\tthe\n", "b\ta\n", NULL, "f1", 0);
    gives(&scorer_record, "b\tin Rome\n", gold, NULL, "score", 1.0 / 6);
    /* in Python, a combining mark ends a word at \b, so the article is
     * removed */
    gives(&scorer_record, "b\ta\xcc\x81\n", "b\t\xcc\x81\n", NULL,
          "exact_match", 1);
}

static void bad_answers(void **state)
{
    static const char gold[] = "a\tThe Old Man\tHe\nb\tRome\n";

    (void)state;
    refuses(&scorer_record, "a old man\n", gold, NULL, "pred.txt:1: expected");
    refuses(&scorer_record, "a\tx\ty\n", gold, NULL, "pred.txt:1: more");
    refuses(&scorer_record, "a\tx\nb\ty\na\tz\n", gold, NULL,
            "pred.txt:3: a second prediction for query a");
    refuses(&scorer_record, "a\tx\nc\ty\n", gold, NULL,
            "pred.txt:2: there is no query c");
    refuses(&scorer_record, "a\tx\n", "a\n", NULL, "gold.txt:1: expected");
    refuses(&scorer_record, "a\tx\n", "a\ty\na\tz\n", NULL,
            "gold.txt:2: query a appears twice");
}

static void many_labels(void **state)
{
    long x[CONFUSION_LABELS + 1];
    struct confusion c;

    (void)state;
    for (int i = 0; i <= CONFUSION_LABELS; i++)
        x[i] = 3 * i;
    assert_int_equal(confusion_make(&c, x, x, CONFUSION_LABELS), OK);
    near(confusion_mcc(&c), 1);
    confusion_free(&c);
    assert_int_equal(confusion_make(&c, x, x, CONFUSION_LABELS + 1),
                     ERR_USAGE);
    confusion_free(&c);
}

/* An invalid answer is wrong, but is not counted as an additional class with F1
 * 0. */
static void no_answer(void **state)
{
    struct confusion c;

    (void)state;
    assert_int_equal(confusion_make(&c, (long[]){0, 1, 2}, (long[]){0, 1, -1},
                                    3), OK);
    near(confusion_macro_f1(&c), 2 / 3.0);
    confusion_free(&c);
}

/* The averages that the paper prints for T5 (Base): 83.5 over 8 tasks of GLUE,
 * 70.3 over the 8 tasks of SuperGLUE. */
static void benchmarks(void **state)
{
    static const struct metric_part glue[] = {
        {"cola_mcc", 53.1},      {"sst2_accuracy", 92.2},
        {"mrpc_f1", 92.0},       {"mrpc_accuracy", 88.7},
        {"stsb_pearson", 89.1},  {"stsb_spearman", 88.9},
        {"qqp_f1", 88.2},        {"qqp_accuracy", 91.2},
        {"mnli_accuracy_matched", 84.7},
        {"mnli_accuracy_mismatched", 85.0},
        {"qnli_accuracy", 91.7}, {"rte_accuracy", 76.9},
        {"wnli_accuracy", 56.3}, {"wnli_f1", 1}};
    static const struct metric_part super[] = {
        {"boolq_accuracy", 78.2},     {"cb_f1", 72.1},
        {"cb_accuracy", 83.9},        {"copa_accuracy", 59.0},
        {"multirc_f1_a", 73.1},       {"multirc_exact_match", 32.1},
        {"record_f1", 71.1},          {"record_exact_match", 70.3},
        {"rte_accuracy", 77.3},       {"wic_accuracy", 65.8},
        {"wsc_accuracy", 80.8}};

    (void)state;
    near(round(10 * benchmark_mean(benchmark_glue, "wnli", glue, 14)), 835);
    near(benchmark_mean(benchmark_glue, NULL, glue, 14),
         (8 * benchmark_mean(benchmark_glue, "wnli", glue, 12) + 56.3) / 9);
    assert_true(isnan(benchmark_mean(benchmark_glue, NULL, glue, 12)));
    near(round(10 * benchmark_mean(benchmark_superglue, NULL, super, 11)), 703);
    assert_true(isnan(benchmark_mean(benchmark_superglue, NULL, super, 10)));
}

/* ---- answers in text ---- */

static void referents(void **state)
{
    static const struct {
        const char *answer, *referent;
        int same;
    } cases[] = {{"the keeper", "The Keeper", 1},
                 {"keeper", "the old keeper", 1},
                 {"the old keeper", "keeper", 1},
                 {"the young keeper", "the old keeper", 0},
                 {"Marit", "Marit's boat", 0},
                 {"Marit's", "marit's boat", 1},
                 {"The gull", "the cat", 0},
                 {"", "the cat", -1},
                 {"the", "the cat", -1}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (referent_same(cases[i].answer, cases[i].referent) != cases[i].same)
            fail_msg("'%s', '%s': not %d", cases[i].answer, cases[i].referent,
                     cases[i].same);
}

/* Returns the mean over a benchmark of which only this subtask has answers. */
static double part_of(const struct answer *s, int n, const char *name)
{
    const struct metric *m = &metric_superglue;
    struct scored x;

    m->measure(m, &x, s, (size_t)n);
    for (int i = 0; i < x.n; i++)
        if (!strcmp(x.part[i].name, name))
            return x.part[i].value;
    return NAN;
}

static void several_lines(void **state)
{
    static const struct answer record[] = {
        {.hyp = "Velmouth", .ref = "Olsund\nVelmouth", .subtask = "record"},
        {.hyp = "Olsund Bay", .ref = "Olsund\nVelmouth", .subtask = "record"}};
    static const struct answer wsc[] = {
        {.hyp = "the cat", .ref = "True\nThe cat", .subtask = "wsc"},
        {.hyp = "the dog", .ref = "False\nthe cat", .subtask = "wsc"},
        {.hyp = "the cat", .ref = "False\nthe cat", .subtask = "wsc"},
        {.hyp = "", .ref = "False\nthe cat", .subtask = "wsc"},
        {.hyp = "True", .ref = "True", .subtask = "wsc"}};

    (void)state;
    near(part_of(record, 2, "record_exact_match"), 50);
    near(part_of(record, 2, "record_f1"), 100 * (1 + 2. / 3) / 2);
    near(part_of(wsc, 5, "wsc_accuracy"), 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"labels score as worked by hand", labels, NULL, NULL, NULL},
        {"correlations refuse what is no number", correlations, NULL, NULL,
         NULL},
        {"a bad label is named with file and line", bad_labels, NULL, NULL,
         NULL},
        {"answers of a question belong together in any order", questions,
         NULL, NULL, NULL},
        {"answers are compared in their normal form", answers, NULL, NULL,
         NULL},
        {"a bad answer is named with file and line", bad_answers, NULL, NULL,
         NULL},
        {"numbers that are no labels are refused", many_labels, NULL, NULL,
         NULL},
        {"macro F1 is over labels; a missing answer is not one", no_answer,
         NULL, NULL, NULL},
        {"GLUE and SuperGLUE average as the paper's rows do", benchmarks, NULL,
         NULL, NULL},
        {"an answer names a referent whatever its determiners", referents,
         NULL, NULL, NULL},
        {"any of a question's answers is right, and a referent is right or "
         "wrong as the label says",
         several_lines, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("metrics_labels", tests, NULL, NULL);
}
