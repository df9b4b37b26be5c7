/*
 * METEOR as `score meteor` computes it from nothing but the texts: exact and
 * stem matches, no synonyms, no list of function words; percent.
 */
#include "harness/metrics/gathered.h"

extern const struct scorer scorer_meteor;

static double end(void *self)
{
    static const char *const options[] = {
        "modules", "exact,stem", "function_words", "none", "prefixes", "none",
        NULL};

    return gathered_end(self, &scorer_meteor, options);
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
};
