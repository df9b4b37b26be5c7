#include "harness/metrics/labels/benchmark.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/metrics/gathered.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCORER(name) extern const struct scorer scorer_##name;
SCORER(mcc)
SCORER(accuracy)
SCORER(acc_f1)
SCORER(stsb)
SCORER(cb)
SCORER(multirc)
SCORER(record)
#undef SCORER

enum { SUBTASKS = 10 };

static const char *const acceptable[] = {"unacceptable", "acceptable", NULL};
static const char *const positive[] = {"negative", "positive", NULL};
static const char *const equivalent[] = {"not_equivalent", "equivalent", NULL};
static const char *const duplicate[] = {"not_duplicate", "duplicate", NULL};
static const char *const three[] = {"entailment", "neutral", "contradiction",
                                    NULL};
static const char *const two[] = {"entailment", "not_entailment", NULL};
static const char *const swapped[] = {"not_entailment", "entailment", NULL};
static const char *const truth[] = {"False", "True", NULL};
static const char *const commitment[] = {"entailment", "contradiction",
                                         "neutral", NULL};
static const char *const choice[] = {"choice1", "choice2", NULL};
static const char *const none[] = {NULL};

#define ACCURACY &scorer_accuracy, {{"score", "accuracy"}}
#define WITH_F1 &scorer_acc_f1, {{"f1", "f1"}, {"accuracy", "accuracy"}}

const struct benchmark_subtask benchmark_glue[] = {
    {"cola", "cola", ANSWER_CLASS, acceptable, &scorer_mcc, {{"score", "mcc"}}},
    {"sst2", "sst2", ANSWER_CLASS, positive, ACCURACY},
    {"mrpc", "mrpc", ANSWER_BINARY, equivalent, WITH_F1},
    {"stsb", "stsb", ANSWER_SCORE, none, &scorer_stsb,
     {{"pearson", "pearson"}, {"spearmanr", "spearman"}}},
    {"qqp", "qqp", ANSWER_BINARY, duplicate, WITH_F1},
    {"mnli_matched", "mnli", ANSWER_CLASS, three, &scorer_accuracy,
     {{"score", "accuracy_matched"}}},
    {"mnli_mismatched", "mnli", ANSWER_CLASS, three, &scorer_accuracy,
     {{"score", "accuracy_mismatched"}}},
    {"qnli", "qnli", ANSWER_CLASS, two, ACCURACY},
    {"rte", "rte", ANSWER_CLASS, two, ACCURACY},
    {"wnli", "wnli", ANSWER_CLASS, swapped, ACCURACY},
    {.name = NULL},
};

const struct benchmark_subtask benchmark_superglue[] = {
    {"boolq", "boolq", ANSWER_CLASS, truth, ACCURACY},
    {"cb", "cb", ANSWER_CLASS, commitment, &scorer_cb,
     {{"f1", "f1"}, {"accuracy", "accuracy"}}},
    {"copa", "copa", ANSWER_CLASS, choice, ACCURACY},
    {"multirc", "multirc", ANSWER_GROUP, truth, &scorer_multirc,
     {{"f1_a", "f1_a"}, {"exact_match", "exact_match"}}},
    {"record", "record", ANSWER_TEXT, none, &scorer_record,
     {{"f1", "f1"}, {"exact_match", "exact_match"}}},
    {"rte", "rte", ANSWER_CLASS, two, ACCURACY},
    {"wic", "wic", ANSWER_CLASS, truth, ACCURACY},
    {"wsc", "wsc", ANSWER_REFERENT, truth, ACCURACY},
    {.name = NULL},
};

/* ---- collecting answers ---- */

struct benchmark {
    const struct benchmark_subtask *of;
    const char *without; /* task that is not counted, or NULL */
    int with_parts;            /* 1: also reports the parts         */
};

struct answers { struct gathered of[SUBTASKS]; };

static void forget(struct answers *x)
{
    for (int i = 0; i < SUBTASKS; i++)
        gathered_free(&x->of[i]);
}
OWNER_OF_VALUE(forget, struct answers)

/* Returns the class whose label is the first line of `text`, or -1. */
static int class_of(const char *const *label, const char *text)
{
    size_t n = strcspn(text, "\n");

    for (int i = 0; label[i]; i++)
        if (strlen(label[i]) == n && !memcmp(label[i], text, n))
            return i;
    return -1;
}

/* Returns the class of an answer.  For an answer that is not valid, returns the
 * wrong one of two classes, or -1 (benchmark.h). */
static int answered(const struct benchmark_subtask *t, const struct answer *s)
{
    const char *referent = strchr(s->ref, '\n');
    int got = class_of(t->label, s->hyp);

    if (t->answer == ANSWER_REFERENT && referent)
        return referent_same(s->hyp, referent + 1);
    if (got < 0 && t->answer != ANSWER_CLASS && t->answer != ANSWER_REFERENT)
        return 1 - class_of(t->label, s->ref);
    return got;
}

static void add_class(struct gathered *g, const struct benchmark_subtask *t,
                      const struct answer *s, int got)
{
    int want = class_of(t->label, s->ref);
    char a[16], b[16], group[16];

    REQUIRE(want >= 0, "%s: '%s' is not a label", t->name, s->ref);
    snprintf(a, sizeof a, "%d", got);
    snprintf(b, sizeof b, "%d", want);
    snprintf(group, sizeof group, "%d", s->group);
    gathered_add(g, a, b, t->answer == ANSWER_GROUP ? group : NULL);
}

static void put_for(char *s, char c, char instead)
{
    for (; *s; s++)
        *s = *s == c ? instead : *s;
}

/* Adds "QUERY<TAB>answer" and "QUERY<TAB>reference<TAB>reference..." for
 * score_record.c, where QUERY is the number of the example. */
static void add_text(struct gathered *g, const struct answer *s)
{
    OWNED(free) char *a = str_format("%zu\t%s", g->hyp.n, s->hyp);
    OWNED(free) char *b = str_format("%zu\t%s", g->ref.n, s->ref);

    put_for(strchr(a, '\t') + 1, '\t', ' ');
    put_for(strchr(b, '\t') + 1, '\t', ' ');
    put_for(b, '\n', '\t');
    gathered_add(g, a, b, NULL);
}

static void add_subtask(struct answers *x, const struct benchmark_subtask *of,
                        const struct answer *s)
{
    const struct benchmark_subtask *t = of;
    double score;

    while (t->name && strcmp(t->name, s->subtask))
        t++;
    REQUIRE(t->name, "there is no subtask %s", s->subtask);
    struct gathered *g = &x->of[t - of];

    if (t->answer == ANSWER_SCORE)
        gathered_add(g, str_to_real(s->hyp, &score) ? "-1.0" : s->hyp, s->ref,
                     NULL);
    else if (t->answer == ANSWER_TEXT)
        add_text(g, s);
    else
        add_class(g, t, s, answered(t, s));
}

/* ---- scores ---- */

static double find(const struct metric_part *part, int n,
                   const char *task, const char *metric)
{
    size_t at = strlen(task);

    for (int i = 0; i < n; i++)
        if (!strncmp(part[i].name, task, at) && part[i].name[at] == '_' &&
            !strcmp(part[i].name + at + 1, metric))
            return part[i].value;
    return NAN;
}

double benchmark_mean(const struct benchmark_subtask *of, const char *without,
                      const struct metric_part *part, int n)
{
    double sum = 0;
    int tasks = 0;

    while (of->name) {
        const char *task = of->task;
        double of_task = 0;
        int values = 0;

        for (; of->name && !strcmp(of->task, task); of++)
            for (int k = 0; k < 2 && of->value[k].key; k++, values++)
                of_task += find(part, n, task, of->value[k].metric);
        if (without && !strcmp(task, without))
            continue;
        sum += of_task / values;
        tasks++;
    }
    return sum / tasks;
}

static int score_subtask(struct metric_part *out, const struct gathered *g,
                         const struct benchmark_subtask *t)
{
    OWNED(json_decref) json_t *r = NULL;
    int rc = gathered_score(&r, g, t->scorer, NULL), n = 0;

    REQUIRE(rc == OK, "%s: %s", t->name, err_last());
    for (; r && n < 2 && t->value[n].key; n++) {
        double x = result_number(r, t->value[n].key);

        snprintf(out[n].name, sizeof out->name, "%s_%s", t->task,
                 t->value[n].metric);
        out[n].value = isnan(x) ? 0 : 100 * x;
    }
    return n;
}

static void measure(const struct metric *m, struct scored *out,
                    const struct answer *s, size_t n)
{
    const struct benchmark *b = m->how;
    OWNED(forget) struct answers x = {0};

    *out = (struct scored){.n = 0};
    for (size_t i = 0; i < n; i++)
        add_subtask(&x, b->of, &s[i]);
    for (int i = 0; b->of[i].name; i++)
        out->n += score_subtask(out->part + out->n, &x.of[i], &b->of[i]);
    out->value = benchmark_mean(b->of, b->without, out->part, out->n);
    out->n = b->with_parts ? out->n : 0;
}

/* ---- resampling ---- */

/* Checks an example, which may come from a file, because add() stops the
 * program if the example is not valid.  Returns 1 if the example is valid, 0 if
 * its subtask does not belong to this benchmark, else ERR_DATA. */
static int check(const struct benchmark_subtask *t, const struct answer *s)
{
    double score;

    while (t->name && (!s->subtask || strcmp(t->name, s->subtask)))
        t++;
    if (!t->name)
        return 0;
    if (t->answer == ANSWER_SCORE && str_to_real(s->ref, &score))
        return err_set(ERR_DATA, "%s: '%s' is not a score", t->name, s->ref);
    if (*t->label && class_of(t->label, s->ref) < 0)
        return err_set(ERR_DATA, "%s: '%s' is not a label", t->name, s->ref);
    return 1;
}

static int strata(const struct metric *m, struct stratum *out,
                  const struct answer *s, size_t n)
{
    const struct benchmark_subtask *of = ((const struct benchmark *)m->how)->of;
    OWNED(forget) struct answers x = {0};
    int made = 0;

    for (size_t i = 0; i < n; i++) {
        int ours = check(of, &s[i]);

        if (ours <= 0)
            return ours;
        add_subtask(&x, of, &s[i]);
    }
    for (int i = 0; of[i].name; i++) {
        int more = x.of[i].hyp.n
                       ? benchmark_strata(out + made, &of[i], &x.of[i])
                       : 0;

        while (more--)
            out[made++].which = i;
    }
    return made;
}

static double of_strata(const struct metric *m, const struct stratum *s,
                        const double *value, int n)
{
    const struct benchmark *b = m->how;
    struct scored x = {.n = n};

    for (int i = 0; i < n; i++) {
        memcpy(x.part[i].name, s[i].name, sizeof s[i].name);
        x.part[i].value = value[i];
    }
    return benchmark_mean(b->of, b->without, x.part, n);
}

_Static_assert((int)METRIC_PARTS >= 2 * (int)SUBTASKS, "raise METRIC_PARTS");

#define BENCHMARK(id, label, more, ...)                                       \
    const struct metric metric_##id = {                                       \
        .name = #id,                                                          \
        .title = label,                                                       \
        .unit = "%",                                                          \
        .better = 1,                                                          \
        .subtasks = 1,                                                        \
        .signature = "mean of tasks' means|invalid text:wrong|undefined "     \
                     "correlation:0" more,                                    \
        .how = &(const struct benchmark){__VA_ARGS__},                        \
        .measure = measure,                                                   \
        .strata = strata,                                                     \
        .of_strata = of_strata,                                               \
    };

BENCHMARK(glue8, "GLUE without WNLI", "", benchmark_glue, "wnli", 0)
BENCHMARK(glue9, "GLUE", "", benchmark_glue, NULL, 1)
BENCHMARK(superglue, "SuperGLUE", "|macro F1:of labels", benchmark_superglue,
          NULL, 1)
