/*
 * METEOR as `score meteor` computes it from nothing but the texts: exact and
 * stem matches, no synonyms, no list of function words; percent.
 */
#include "harness/metrics/gathered.h"

extern const struct scorer scorer_meteor;

static const char *const options[] = {
    "modules", "exact,stem", "function_words", "none", "prefixes", "none",
    NULL};

static const struct gathered_score how = {&scorer_meteor, options, 100};

static double end(void *self) { return gathered_end(self, &how); }

static int strata(struct stratum *out, const struct seen *s, size_t n)
{
    return gathered_strata(out, &how, s, n);
}

const struct metric metric_meteor = {
    .name = "meteor",
    .title = "METEOR",
    .unit = "%",
    .better = 1,
    .size = sizeof(struct gathered),
    .signature = "exact,stem|no function words|normalised|like:METEOR-1.5",
    .begin = gathered_begin,
    .add = gathered_see,
    .end = end,
    .strata = strata,
};
