/*
 * gathered: collects the texts of a cell's examples in the form that a scorer
 * reads from files: one line per example, with line feeds replaced by blanks.
 * Metrics call gathered_add for each example, then gathered_score.
 */
#pragma once

#include "harness/metrics/metric.h"
#include "harness/metrics/scorer.h"

struct gathered { struct lines hyp, ref, groups; }; /* starts as {0} */

/* Adds an example; `group` is its line in the file of `score --groups`, or
 * NULL. */
void gathered_add(struct gathered *g, const char *hyp, const char *ref,
                  const char *group);
void gathered_free(struct gathered *g);
OWNER_OF_VALUE(gathered_free, struct gathered)

/* Sets *out to the scorer's result, or to NULL if no example was added.
 * `options` is a list key, value, key, ..., NULL, or is NULL. */
int gathered_score(json_t **out, const struct gathered *g,
                   const struct scorer *s, const char *const *options);

/* A metric that a scorer computes uses the functions gathered_measure and
 * gathered_strata, and points its `how` to a gathered_score: `options` is that
 * of gathered_score(), and the metric is the scorer's score times `scale`. */
struct gathered_score {
    const struct scorer *scorer;
    const char *const   *options;
    double               scale;
};

void gathered_measure(const struct metric *m, struct scored *out,
                      const struct seen *s, size_t n);
int  gathered_strata(const struct metric *m, struct stratum *out,
                     const struct seen *s, size_t n);
