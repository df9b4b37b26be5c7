/* scoring: runs a scorer on texts given in a test. */
#pragma once

#include "harness/metrics/scorer.h"

struct scoring {
    const char *hyp, *ref[4]; /* segments, each ended by a line feed */
    const char *set[6];       /* "key=value"                         */
};

int score_texts(json_t **out, const struct scorer *s,
                const struct scoring *t);

/* Returns a number of the result, or NAN if scoring failed. Frees the
 * result. */
double score_number(const struct scorer *s, const struct scoring *t,
                    const char *object, const char *name);
