/*
 * findings: states the results of a store in sentences, for the pages and the
 * summary of a report.  Each sentence states only a verdict of
 * report/result_table.h (stars, ranks, pairs, what is not ranked and why), with
 * its number of samples and its interval.
 */
#pragma once

#include "harness/site/page.h"

/* Writes the heading of a task and one sentence for each of its main metrics.
 * Returns 1 if a sentence says that values are not significantly different. */
int findings_task(struct page *p, const struct site_table *t);

/* Adds one sentence to the sheet for each of the first few tasks, about the
 * task's most important metric.  If the experiment has contrasts
 * (store/contrast.h), adds one sentence for each contrast instead. */
void findings_brief(struct sheet *out, struct site *s);

/* Finds the first heading in the sheet of `t` that begins with `heading`, and
 * writes the list items that follow this heading to the page.  Returns the
 * number of items. */
int findings_quote(struct page *p, const struct site_table *t,
                   const char *heading);
