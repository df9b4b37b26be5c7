/*
 * gathered: the texts of the examples of a cell, as the files that a scorer
 * reads: a line an example; a line feed of a text becomes a blank.
 */
#pragma once

#include "harness/metrics/metric.h"
#include "harness/metrics/scorer.h"

struct gathered { struct lines hyp, ref, groups; }; /* starts as {0} */

/* groups: what --groups would name, or NULL. */
void gathered_add(struct gathered *g, const char *hyp, const char *ref,
                  const char *group);
void gathered_free(struct gathered *g);
OWNER_OF_VALUE(gathered_free, struct gathered)

/* What the scorer makes of it; options: key, value, key, ..., NULL; or NULL.
 * Nothing was added: *out is NULL. */
int gathered_score(json_t **out, const struct gathered *g,
                   const struct scorer *s, const char *const *options);

/* The functions of a metric that a scorer computes; its `how`: options as
 * above, the score times `scale`. */
struct gathered_score {
    const struct scorer *scorer;
    const char *const   *options;
    double               scale;
};

void gathered_measure(const struct metric *m, struct scored *out,
                      const struct seen *s, size_t n);
int  gathered_strata(const struct metric *m, struct stratum *out,
                     const struct seen *s, size_t n);
