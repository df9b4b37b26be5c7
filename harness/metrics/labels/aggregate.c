#include "harness/metrics/labels/aggregate.h"

#include <math.h>
#include <string.h>

enum { METRICS = 2, TASKS = 10 };

static const struct task {
    const char *name;
    const char *metric[METRICS]; /* the second may be NULL */
} tasks[][TASKS] = {
#define GLUE8                                                                 \
    {"cola", {"mcc"}}, {"sst2", {"accuracy"}}, {"mrpc", {"f1", "accuracy"}},  \
    {"stsb", {"pearson", "spearman"}}, {"qqp", {"f1", "accuracy"}},           \
    {"mnli", {"accuracy_matched", "accuracy_mismatched"}},                    \
    {"qnli", {"accuracy"}}, {"rte", {"accuracy"}}
    [AGGREGATE_GLUE8] = {GLUE8},
    [AGGREGATE_GLUE9] = {GLUE8, {"wnli", {"accuracy"}}},
#undef GLUE8
    [AGGREGATE_SUPERGLUE] = {
        {"boolq", {"accuracy"}}, {"cb", {"f1", "accuracy"}},
        {"copa", {"accuracy"}}, {"multirc", {"f1_a", "exact_match"}},
        {"record", {"f1", "exact_match"}}, {"rte", {"accuracy"}},
        {"wic", {"accuracy"}}, {"wsc", {"accuracy"}}},
};

static double find(const struct aggregate_score *score, int n,
                   const char *task, const char *metric)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(score[i].task, task) && !strcmp(score[i].metric, metric))
            return score[i].value;
    return NAN;
}

double aggregate_of(enum aggregate a, const struct aggregate_score *score,
                    int n)
{
    double sum = 0;
    int all = 0;

    for (const struct task *t = tasks[a]; t->name; t++, all++) {
        double of_task = 0;
        int metrics = 0;

        while (metrics < METRICS && t->metric[metrics])
            of_task += find(score, n, t->name, t->metric[metrics++]);
        sum += of_task / metrics;
    }
    return sum / all;
}
