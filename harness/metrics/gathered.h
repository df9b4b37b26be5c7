/*
 * gathered: the texts of the examples of a cell, as the files that a scorer
 * reads: a line an example; a line feed of a text becomes a blank.
 */
#ifndef METRICS_GATHERED_H
#define METRICS_GATHERED_H

#include "harness/metrics/metric.h"
#include "harness/metrics/scorer.h"

struct gathered { struct lines hyp, ref, groups; size_t cap; }; /* or {0} */

/* groups: what --groups would name, or NULL. */
void gathered_add(struct gathered *g, const char *hyp, const char *ref,
                  const char *group);
void gathered_free(struct gathered *g);

/* What the scorer makes of it; options: key, value, key, ..., NULL; or NULL.
 * Nothing was added: *out is NULL. */
int gathered_score(struct result **out, const struct gathered *g,
                   const struct scorer *s, const char *const *options);

/* The three functions of a metric whose state is a struct gathered: `end`
 * gives the score, a share, in percent. */
void   gathered_begin(void *self);
void   gathered_see(void *self, const struct seen *s);
double gathered_end(void *self, const struct scorer *s,
                    const char *const *options);

#endif
