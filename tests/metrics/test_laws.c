/* Properties that every metric must have, whatever its formula; and the score
 * of every benchmark task, computed by hand. */
#include "harness/base/arena.h"
#include "harness/base/rng.h"
#include "harness/metrics/metric.h"
#include "harness/metrics/scorer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct metric *metric(const char *name)
{
    for (int i = 0; metric_all[i]; i++)
        if (!strcmp(metric_all[i]->name, name))
            return metric_all[i];
    fail_msg("there is no metric %s", name);
    return NULL;
}

static struct scored over(const struct metric *m, const struct answer *s,
                          size_t n)
{
    struct scored out;

    m->measure(m, &out, s, n);
    return out;
}

static double part(const struct scored *x, const char *name)
{
    for (int i = 0; i < x->n; i++)
        if (!strcmp(x->part[i].name, name))
            return x->part[i].value;
    fail_msg("there is no part %s", name);
    return NAN;
}

static void near(const char *what, double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want))))
        fail_msg("%s: %.17g, not %.17g", what, got, want);
}

/* ---- tasks of a benchmark, by hand ---- */

/* All answers of a subtask, as pairs "hyp>ref hyp>ref ...". */
struct answers { const char *subtask, *pairs; };

enum { MOST = 80 };

/* Reads the answers. In a pair, "_" stands for a blank and "/" for a line feed;
 * a prefix "@2:" puts the pair into group 2. */
static size_t read_answers(struct answer out[MOST], const struct answers *list,
                           struct arena *a)
{
    size_t n = 0;

    for (; list->subtask; list++) {
        char *text = arena_text(a, list->pairs), *save = NULL;

        for (char *c = text; *c; c++)
            *c = *c == '/' ? '\n' : *c;
        for (char *p = strtok_r(text, " ", &save); p;
             p = strtok_r(NULL, " ", &save)) {
            struct answer *s = &out[n++];

            *s = (struct answer){.subtask = list->subtask};
            if (*p == '@') {
                s->group = (int)strtol(p + 1, &p, 10);
                p++; /* skips the colon */
            }
            s->hyp = p;
            s->ref = strchr(p, '>') + 1;
            p[strcspn(p, ">")] = 0;
            for (char *c = p; c < s->ref + strlen(s->ref); c++)
                *c = *c == '_' ? ' ' : *c;
        }
        assert_true(n < MOST);
    }
    return n;
}

#define GLUE_7                                                                \
    {"cola", "acceptable>acceptable acceptable>unacceptable "                 \
             "unacceptable>unacceptable unacceptable>unacceptable"},          \
    {"sst2", "positive>positive negative>positive what>negative "             \
             "negative>negative"},                                            \
    {"mrpc", "equivalent>equivalent equivalent>not_equivalent "               \
             "not_equivalent>not_equivalent not_equivalent>not_equivalent "   \
             "what>equivalent"},                                              \
    {"stsb", "1.0>1.0 2.0>2.0 3.0>9.0 what>0.0"},                             \
    {"qqp", "duplicate>duplicate duplicate>not_duplicate "                    \
            "not_duplicate>not_duplicate duplicate>not_duplicate "            \
            "what>not_duplicate not_duplicate>not_duplicate"},                \
    {"mnli_matched", "neutral>neutral entailment>neutral "                    \
                     "contradiction>contradiction entailment>entailment "     \
                     "what>entailment"},                                      \
    {"mnli_mismatched", "neutral>neutral what>neutral "                       \
                        "contradiction>entailment entailment>contradiction"}

static const struct answers glue[] = {
    GLUE_7, {"qnli", "entailment>entailment what>not_entailment"},
    {"rte", "not_entailment>not_entailment entailment>not_entailment "
            "entailment>not_entailment"},
    {"wnli", "not_entailment>not_entailment entailment>entailment"},
    {NULL, NULL}};

/* Reads the answers of GLUE. "_" stays in labels such as "not_equivalent". */
static size_t read_glue(struct answer out[MOST], struct arena *a)
{
    size_t n = read_answers(out, glue, a);

    for (size_t i = 0; i < n; i++)
        for (int side = 0; side < 2; side++) {
            const char **s = side ? &out[i].ref : &out[i].hyp;

            if (!strncmp(*s, "not ", 4)) {
                char *joined = arena_text(a, *s);

                joined[3] = '_';
                *s = joined;
            }
        }
    return n;
}

/* mcc has tp 1, fp 1, tn 2, fn 0: (1 2 - 1 0) / sqrt(2 1 3 2). F1 of mrpc is 2
 * / (2 + 2), as an answer that is no label is wrong; F1 of qqp is 2 / (4 + 1).
 * stsb correlates 1 2 3 -1 with 1 2 9 0, whose deviations from the means are
 * -0.25 0.75 1.75 -2.25 and -2 -1 6 -3. */
static void check_glue(const struct scored *x)
{
    double r = (0.5 - 0.75 + 10.5 + 6.75) / sqrt(8.75 * 50);

    near("cola", part(x, "cola_mcc"), 100 * 2 / sqrt(12));
    near("sst2", part(x, "sst2_accuracy"), 50);
    near("mrpc", part(x, "mrpc_f1"), 50);
    near("mrpc", part(x, "mrpc_accuracy"), 60);
    near("stsb", part(x, "stsb_pearson"), 100 * r);
    near("stsb", part(x, "stsb_spearman"), 100);
    near("qqp", part(x, "qqp_f1"), 40);
    near("qqp", part(x, "qqp_accuracy"), 50);
    near("mnli", part(x, "mnli_accuracy_matched"), 60);
    near("mnli", part(x, "mnli_accuracy_mismatched"), 25);
    near("qnli", part(x, "qnli_accuracy"), 50);
    near("rte", part(x, "rte_accuracy"), 100 / 3.0);
    near("wnli", part(x, "wnli_accuracy"), 100);
}

static void glue_by_hand(void **state)
{
    struct arena *a = arena_new();
    struct answer s[MOST];
    size_t n = read_glue(s, a);
    struct scored nine = over(metric("glue9"), s, n);
    struct scored eight = over(metric("glue8"), s, n);

    (void)state;
    check_glue(&nine);
    double sum = part(&nine, "cola_mcc") + 50 + (50 + 60) / 2.0 +
                 (part(&nine, "stsb_pearson") + 100) / 2 + (40 + 50) / 2.0 +
                 (60 + 25) / 2.0 + 50 + 100 / 3.0;
    near("glue8", eight.value, sum / 8);
    near("glue9", nine.value, (sum + 100) / 9);
    arena_free(a);
}

/* Returns the value of the glue9 stratum of that name; fails if there is
 * none. */
static double of_stratum(const char *name, const struct answer *s, size_t n)
{
    const struct metric *m = metric("glue9");
    struct stratum stratum[METRIC_PARTS];
    int strata = m->strata(m, stratum, s, n), found = 0;
    double value = 0;

    for (int k = 0; k < strata; k++) {
        if (!strcmp(stratum[k].name, name)) {
            value = stratum_value(&stratum[k]);
            found++;
        }
        stratum_close(&stratum[k]);
    }
    assert_int_equal(found, 1);
    return value;
}

/* All predictions are far too high. A correlation does not depend on an offset,
 * and neither does its resampled value. */
static void offset(void **state)
{
    static const char *const high[] = {"100000001", "100000002",
                                       "100000003", "99999999"};
    struct arena *a = arena_new();
    struct answer s[MOST];
    size_t n = read_glue(s, a);
    int of = 0;

    (void)state;
    for (size_t i = 0; i < n; i++)
        if (!strcmp(s[i].subtask, "stsb"))
            s[i].hyp = high[of++];
    assert_int_equal(of, 4);
    near("stsb", of_stratum("stsb_pearson", s, n),
         100 * (0.5 - 0.75 + 10.5 + 6.75) / sqrt(8.75 * 50));
    arena_free(a);
}

/* No example is positive, and none is predicted to be. */
static void no_positive(void **state)
{
    struct arena *a = arena_new();
    struct answer s[MOST];
    size_t n = read_glue(s, a);

    (void)state;
    for (size_t i = 0; i < n; i++)
        if (!strcmp(s[i].subtask, "mrpc"))
            s[i].hyp = s[i].ref = "not_equivalent";
    near("mrpc", of_stratum("mrpc_f1", s, n), 0);
    arena_free(a);
}

/* Constant predictions have no correlation; it counts as 0. */
static void undefined(void **state)
{
    static const struct answers same[] = {{"stsb", "2.0>1.0 2.0>3.0"},
                                          {NULL, NULL}};
    struct arena *a = arena_new();
    struct answer s[MOST];
    struct scored x = over(metric("glue9"), s, read_answers(s, same, a));

    (void)state;
    near("stsb", part(&x, "stsb_pearson"), 0);
    near("stsb", part(&x, "stsb_spearman"), 0);
    arena_free(a);
}

static const struct answers superglue[] = {
    {"boolq", "True>True False>True what>False"},
    {"cb", "entailment>entailment contradiction>contradiction "
           "entailment>neutral neutral>neutral"},
    {"copa", "choice1>choice1 choice2>choice1 choice2>choice2 "
             "choice1>choice1"},
    {"multirc", "@1:True>True @1:True>False @2:False>False @2:True>True "
                "@3:what>True"},
    {"record", "the_Old_Man>young_man/old_man Rome>Rome/Paris Bern>Rome"},
    {"rte", "entailment>entailment what>entailment"},
    {"wic", "False>False True>False True>True False>True False>False"},
    {"wsc", "the_cat>True/the_cat the_dog>True/the_cat "
            "the_dog>False/the_cat"},
    {NULL, NULL}};

/* F1 of the classes of CB is 2/3, 1 and 2/3. In MultiRC, 2 answers are
 * correctly True, 1 is wrongly True, and one True is missed: F1 is 4 / (3 + 3);
 * one question of three is completely right. */
static void check_superglue(const struct scored *x)
{
    near("boolq", part(x, "boolq_accuracy"), 100 / 3.0);
    near("cb", part(x, "cb_f1"), 100 * (2 / 3.0 + 1 + 2 / 3.0) / 3);
    near("cb", part(x, "cb_accuracy"), 75);
    near("copa", part(x, "copa_accuracy"), 75);
    near("multirc", part(x, "multirc_f1_a"), 200 / 3.0);
    near("multirc", part(x, "multirc_exact_match"), 100 / 3.0);
    near("record", part(x, "record_f1"), 200 / 3.0);
    near("record", part(x, "record_exact_match"), 200 / 3.0);
    near("rte", part(x, "rte_accuracy"), 50);
    near("wic", part(x, "wic_accuracy"), 60);
    near("wsc", part(x, "wsc_accuracy"), 200 / 3.0);
}

static void superglue_by_hand(void **state)
{
    struct arena *a = arena_new();
    struct answer s[MOST];
    size_t n = read_answers(s, superglue, a);
    struct scored x = over(metric("superglue"), s, n);

    (void)state;
    check_superglue(&x);
    near("superglue", x.value,
         (100 / 3.0 + (100 * 7 / 9.0 + 75) / 2 + 75 + 50 + 200 / 3.0 + 50 +
          60 + 200 / 3.0) / 8);
    arena_free(a);
}

/* ---- every metric ---- */

/* Texts that are slightly wrong, each in a different way and with a different
 * length. */
static const struct answer some[] = {
    {.hyp = "the cat sat on the mat today", .ref = "the cat sat on the mat",
     .got = 1, .want = 1, .nll = 4.5, .tokens = 7, .hits = 6, .words = 6},
    {.hyp = "a dog runs", .ref = "a big dog was running in the park",
     .got = 0, .want = 2, .nll = 13.25, .tokens = 9, .hits = 2, .words = 8},
    {.hyp = "where is it now ? I do not know", .ref = "where is it ? I know "
     "not", .got = 2, .want = 2, .nll = 9, .tokens = 8, .hits = 5, .words = 7},
    {.hyp = "it rains", .ref = "it rained all day", .got = 1, .want = 0,
     .nll = 5.5, .tokens = 5, .hits = 3, .words = 4},
    {.hyp = "yes we can go", .ref = "no we can not go", .got = 0, .want = 0,
     .nll = 2.125, .tokens = 6, .hits = 1, .words = 6}};
enum { SOME = sizeof some / sizeof *some };

/* Examples for a metric, and the same examples with the best answers. */
struct set { struct answer s[MOST], best[MOST]; size_t n; struct arena *a; };

/* Replaces the answer by the best one. If there are several lines, the first is
 * the answer; for a referent, the answer says whether the second line is the
 * person meant. */
static void perfect(struct answer *s, struct arena *a)
{
    char *first = arena_text(a, s->ref);
    size_t n = strcspn(first, "\n");

    s->hits = s->tokens;
    s->got = s->want;
    s->nll = 0;
    s->hyp = first;
    if (s->subtask && !strcmp(s->subtask, "wsc"))
        s->hyp = *first == 'T' ? first + n + 1 : "nobody";
    first[n] = 0;
}

static struct set set_of(const struct metric *m)
{
    struct set x = {.n = SOME, .a = arena_new()};

    memcpy(x.s, some, sizeof some);
    if (!strcmp(m->name, "superglue"))
        x.n = read_answers(x.s, superglue, x.a);
    else if (m->subtasks)
        x.n = read_glue(x.s, x.a);
    memcpy(x.best, x.s, sizeof x.s);
    for (size_t i = 0; i < x.n; i++)
        perfect(&x.best[i], x.a);
    return x;
}

/* Returns the best possible value. The best cross-entropy is 0, so the best
 * perplexity is 1. BLEU of coco does not quite reach 1; its CIDEr is at most
 * 10, if no text is short. */
static double best_of(const struct metric *m)
{
    if (!strcmp(m->name, "ce"))
        return 0;
    return !strncmp(m->name, "ppl", 3) ? 1 : 100;
}

static void best(void **state)
{
    (void)state;
    for (int i = 0; metric_all[i]; i++) {
        const struct metric *m = metric_all[i];
        struct set x = set_of(m);
        double got = over(m, x.best, x.n).value;
        double less = over(m, x.s, x.n).value;

        if (!(m->better * got > m->better * less))
            fail_msg("%s of the references is %g, of others %g", m->name, got,
                     less);
        if (strcmp(m->name, "nlg_cider") &&
            !(fabs(got - best_of(m)) < 1e-6))
            fail_msg("%s of the references is %.9g", m->name, got);
        arena_free(x.a);
    }
}

static void swap(struct answer *s, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        struct answer keep = s[i];

        s[i] = s[n - 1 - i];
        s[n - 1 - i] = keep;
    }
}

static void any_order(void **state)
{
    (void)state;
    for (int i = 0; metric_all[i]; i++) {
        const struct metric *m = metric_all[i];
        struct set x = set_of(m);
        double value = over(m, x.s, x.n).value;

        swap(x.s, x.n);
        near(m->name, over(m, x.s, x.n).value, value);
        arena_free(x.a);
    }
}

/* Replacing a wrong answer by the right one never makes the score worse. BLEU
 * is excluded, because its brevity penalty depends on all segments. */
static void monotone(void **state)
{
    (void)state;
    for (int i = 0; metric_all[i]; i++) {
        const struct metric *m = metric_all[i];
        struct set x = set_of(m);
        double before = over(m, x.s, x.n).value;

        for (size_t k = 0; k < x.n && !strstr(m->name, "bleu"); k++) {
            struct answer keep = x.s[k];

            x.s[k] = x.best[k];
            double after = over(m, x.s, x.n).value;
            if (!(m->better * after >= m->better * before - 1e-9))
                fail_msg("%s falls from %g to %g by a right answer", m->name,
                         before, after);
            x.s[k] = keep;
        }
        arena_free(x.a);
    }
}

/* Drawing each example once yields the stored value. */
static void from_examples(void **state)
{
    int taken = 0;

    (void)state;
    for (int i = 0; metric_all[i]; i++) {
        const struct metric *m = metric_all[i];
        struct stratum s[METRIC_PARTS];
        struct set x = set_of(m);
        struct scored whole = over(m, x.s, x.n);
        int n = m->strata ? m->strata(m, s, x.s, x.n) : 0;
        double value[METRIC_PARTS];

        for (int k = 0; k < n; k++) {
            value[k] = stratum_value(&s[k]);
            if (*s[k].name && whole.n)
                near(s[k].name, value[k], part(&whole, s[k].name));
        }
        if (n)
            near(m->name, m->of_strata ? m->of_strata(m, s, value, n)
                                        : value[0],
                 whole.value);
        for (int k = 0; k < n; k++)
            stratum_close(&s[k]);
        taken += n > 0;
        arena_free(x.a);
    }
    assert_in_range(taken, 12, 13);
}

/* ---- names ---- */

static const char *const lower[] = {"ce", "ppl", "ppl_word"};

static void directions(void **state)
{
    (void)state;
    for (int i = 0; metric_all[i]; i++) {
        int want = 1;

        for (int k = 0; k < 3; k++)
            want = strcmp(metric_all[i]->name, lower[k]) ? want : -1;
        if (metric_all[i]->better != want)
            fail_msg("%s has the wrong direction", metric_all[i]->name);
    }
}

/* For "cat on the mat" and "cat sat on the mat", unigrams match in 4 of 4 and
 * 5, bigrams in 2 of 3 and 4, up to order 4; BP is exp(1 - 5/4); a stem match
 * has weight 0.6. */
static void own_formula(void **state)
{
    static const struct answer s = {.hyp = "cat on the mat",
                                  .ref = "cat sat on the mat"};
    static const struct answer stem = {.hyp = "runs", .ref = "running"};
    double bp = exp(-0.25), r = 4 / 5.0, b2 = 1.44;

    (void)state;
    near("rouge1", over(metric("rouge1"), &s, 1).value, 100 * 8 / 9.0);
    near("rouge2", over(metric("rouge2"), &s, 1).value, 100 * 4 / 7.0);
    near("rouge_l", over(metric("rouge_l"), &s, 1).value, 100 * 8 / 9.0);
    assert_true(fabs(over(metric("nlg_bleu1"), &s, 1).value - 100 * bp) <
                1e-5);
    near("nlg_rouge_l", over(metric("nlg_rouge_l"), &s, 1).value,
         100 * (1 + b2) * r / (r + b2));
    near("nlg_cider", over(metric("nlg_cider"), &s, 1).value, 0);
    near("meteor", over(metric("meteor"), &stem, 1).value, 60);
}

/* For the reference "a", "a a" has one unigram too many: the clipped cosine is
 * 1/2, and the length penalty is exp(-1 / (2 6^2)). Only the first of four
 * orders has common n-grams. ROUGE-L does not split sentences. */
static void of_several(void **state)
{
    static const struct answer two[] = {{.hyp = "a a", .ref = "a"},
                                      {.hyp = "b", .ref = "b"}};
    static const struct answer turned = {.hyp = "a b\\nc", .ref = "c\\na b"};
    static const struct answer ended = {.hyp = "a b . c", .ref = "c . a b"};

    (void)state;
    near("nlg_cider", over(metric("nlg_cider"), two, 2).value,
         100 * (10 / 4.0) * (exp(-1 / 72.0) / 2 + 1) / 2);
    near("rouge_l", over(metric("rouge_l"), &turned, 1).value, 200 / 3.0);
    near("rouge_lsum", over(metric("rouge_lsum"), &turned, 1).value, 100);
    near("rouge_lsum", over(metric("rouge_lsum"), &ended, 1).value, 100);
}

int main(void)
{
    const struct CMUnitTest laws[] = {
        {"GLUE's tasks score as worked by hand", glue_by_hand, NULL, NULL,
         NULL},
        {"a correlation knows no offset", offset, NULL, NULL, NULL},
        {"where nothing is positive, F1 is 0", no_positive, NULL, NULL, NULL},
        {"an undefined correlation counts as 0 for GLUE", undefined, NULL, NULL,
         NULL},
        {"SuperGLUE's tasks score as worked by hand", superglue_by_hand, NULL,
         NULL, NULL},
        {"no answer is better than the reference", best, NULL, NULL, NULL},
        {"the order of examples does not count", any_order, NULL, NULL, NULL},
        {"an answer that is put right never makes it worse", monotone, NULL,
         NULL, NULL},
        {"what is resampled adds up to the value itself", from_examples, NULL,
         NULL, NULL},
        {"of entropy and perplexities less is better, of other metrics more",
         directions, NULL, NULL, NULL},
        {"metrics of text are their own, in percent", own_formula, NULL, NULL,
         NULL},
        {"CIDEr is the clipped one, ROUGE-L of a whole text", of_several, NULL,
         NULL, NULL},
    };

    return cmocka_run_group_tests_name("metrics_laws", laws, NULL, NULL);
}
