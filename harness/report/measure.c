#include "harness/report/outcomes.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static double itself(double x) { return x; }
static double percent(double x) { return 100 * x; }

static const struct measure measures[] = {
    {"ce", MEASURE_NLL, MEASURE_TOKENS, itself, NULL},
    {"ppl", MEASURE_NLL, MEASURE_TOKENS, exp, "ce"},
    {"ppl_word", MEASURE_NLL, MEASURE_WORDS, exp, "ce"},
    {"token_accuracy", MEASURE_HITS, MEASURE_TOKENS, percent, NULL},
    {"accuracy", MEASURE_HITS, MEASURE_TOKENS, percent, NULL},
};

const struct measure *measure_of(const char *metric)
{
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
        if (!strcmp(measures[i].metric, metric))
            return &measures[i];
    return NULL;
}

const char *measure_test(const char *metric)
{
    const struct measure *m = measure_of(metric);

    return m && m->decided ? m->decided : metric;
}

const char *measure_path(enum measure_sum s)
{
    static const char *const path[MEASURE_SUMS] = {
        "examples/test/nll", "examples/test/tokens", "examples/test/hits",
        "examples/test/words"};

    return path[s];
}
