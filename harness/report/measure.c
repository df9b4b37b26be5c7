#include "harness/report/measure.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static double itself(double x) { return x; }
static double percent(double x) { return 100 * x; }

static const struct measure measures[] = {
    {"ce", MEASURE_NLL, MEASURE_TOKENS, itself},
    {"ppl", MEASURE_NLL, MEASURE_TOKENS, exp},
    {"ppl_word", MEASURE_NLL, MEASURE_WORDS, exp},
    {"token_accuracy", MEASURE_HITS, MEASURE_TOKENS, percent},
    {"accuracy", MEASURE_HITS, MEASURE_TOKENS, percent},
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
    return !strcmp(metric, "ppl") || !strcmp(metric, "ppl_word") ? "ce"
                                                                 : metric;
}

const char *measure_path(enum measure_sum s)
{
    static const char *const path[MEASURE_SUMS] = {
        "examples/test/nll", "examples/test/tokens", "examples/test/hits",
        "examples/test/words"};

    return path[s];
}
