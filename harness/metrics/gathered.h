/*
 * gathered: the texts of the examples of a cell, as the files that a scorer
 * reads: a line an example; a line feed of a text becomes a blank.
 */
#ifndef METRICS_GATHERED_H
#define METRICS_GATHERED_H

#include "harness/metrics/metric.h"
#include "harness/metrics/scorer.h"

struct gathered { struct lines hyp, ref, groups; }; /* starts as {0} */

/* groups: what --groups would name, or NULL. */
void gathered_add(struct gathered *g, const char *hyp, const char *ref,
                  const char *group);
void gathered_free(struct gathered *g);

/* What the scorer makes of it; options: key, value, key, ..., NULL; or NULL.
 * Nothing was added: *out is NULL. */
int gathered_score(struct result **out, const struct gathered *g,
                   const struct scorer *s, const char *const *options);

/* How a metric is scored: options as above; the score times `scale`. */
struct gathered_score {
    const struct scorer *scorer;
    const char *const   *options;
    double               scale;
};

/* The functions of a metric whose state is a struct gathered. */
void   gathered_begin(void *self);
void   gathered_see(void *self, const struct seen *s);
double gathered_end(void *self, const struct gathered_score *how);
int    gathered_strata(struct stratum *out, const struct gathered_score *how,
                       const struct seen *s, size_t n);

#endif
