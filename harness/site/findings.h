/*
 * findings: the results of a store in sentences, for the pages and the summary
 * of a report.  Each sentence states the verdict of report/result_table.h
 * (stars, ranks, pairs, what is not ranked and why) with n and interval, and
 * nothing more.
 */
#pragma once

#include "harness/site/page.h"

/* Writes the heading of a task and one sentence for each of its main metrics.
 * Returns 1 if a sentence says that values are not significantly different. */
int findings_task(struct page *p, const struct site_table *t);

/* Adds one sentence per task, for its most important metric, for the first few
 * tasks; in an experiment with contrasts, its paired comparisons instead. */
void findings_brief(struct sheet *out, struct site *s);

/* Writes the items that follow the first heading of t's sheet that begins with
 * `heading`.  Returns their number, or 0 if there are none. */
int findings_quote(struct page *p, const struct site_table *t,
                   const char *heading);
