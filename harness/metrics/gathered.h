/*
 * gathered: collects the texts of a cell's examples in the form of the files
 * that a scorer reads: one line per example, with line feeds replaced by
 * blanks.  Call gathered_add for each example, then gathered_score.
 */
#pragma once

#include "harness/metrics/metric.h"
#include "harness/metrics/scorer.h"

struct gathered { struct lines hyp, ref, groups; }; /* starts as {0} */

/* Adds an example; `group` is its line of --groups, or NULL. */
void gathered_add(struct gathered *g, const char *hyp, const char *ref,
                  const char *group);
void gathered_free(struct gathered *g);
OWNER_OF_VALUE(gathered_free, struct gathered)

/* Sets *out to the scorer's result, or to NULL if nothing was added.  The
 * options are key, value, key, ..., NULL, or NULL. */
int gathered_score(json_t **out, const struct gathered *g,
                   const struct scorer *s, const char *const *options);

/* The functions of a metric that a scorer computes, and their `how`: options as
 * above; the metric is the score times `scale`. */
struct gathered_score {
    const struct scorer *scorer;
    const char *const   *options;
    double               scale;
};

void gathered_measure(const struct metric *m, struct scored *out,
                      const struct seen *s, size_t n);
int  gathered_strata(const struct metric *m, struct stratum *out,
                     const struct seen *s, size_t n);
