/* scoring: a scorer over texts that a test writes down. */
#pragma once

#include "harness/metrics/scorer.h"

struct scoring {
    const char *hyp, *ref[4]; /* segments, each ended by a line feed */
    const char *set[6];       /* "key=value"                         */
};

int score_texts(json_t **out, const struct scorer *s,
                const struct scoring *t);

/* A number of the result, which is freed; NAN: scoring failed. */
double score_number(const struct scorer *s, const struct scoring *t,
                    const char *object, const char *name);
