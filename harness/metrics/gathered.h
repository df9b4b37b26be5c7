/*
 * gathered: collects the texts of a cell's examples in the form that a scorer
 * reads from files: one line per example, with line feeds replaced by blanks.
 * Metrics call gathered_add for each example, then gathered_score.
 */
#pragma once

#include "harness/metrics/metric.h"
#include "harness/metrics/scorer.h"

struct gathered { struct lines hyp, ref, groups; }; /* starts as {0} */

/* Adds an example to *g.  `group` is the example's line in the file that `score
 * --groups` would read; it is NULL if the scorer needs no groups. */
void gathered_add(struct gathered *g, const char *hyp, const char *ref,
                  const char *group);
void gathered_free(struct gathered *g);
OWNER_OF_VALUE(gathered_free, struct gathered)

/* Sets *out to the scorer's result, or to NULL if no example was added.
 * `options` alternates keys and values and ends with NULL; it may be NULL.
 * Returns OK, or an error of score_options_set or scorer_run. */
int gathered_score(json_t **out, const struct gathered *g,
                   const struct scorer *s, const char *const *options);

/* The private data (metric.how) of a metric whose functions are
 * gathered_measure and gathered_strata.  The metric is the score of `scorer`
 * times `scale`; `options` is passed to gathered_score(). */
struct gathered_score {
    const struct scorer *scorer;
    const char *const   *options;
    double               scale;
};

void gathered_measure(const struct metric *m, struct scored *out,
                      const struct answer *s, size_t n);
int  gathered_strata(const struct metric *m, struct stratum *out,
                     const struct answer *s, size_t n);
