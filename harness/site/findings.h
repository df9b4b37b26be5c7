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

/* Returns the column of the task's most important metric, or -1. */
int findings_column(const struct site *s, const struct site_table *t);

/* Writes the first few findings, each as a sentence and its picture.  Returns
 * ERR_IO if a picture is not SVG. */
int findings_pictured(struct page *p);

/* Adds one sentence to the sheet for each of the first few tasks, about the
 * task's most important metric.  If the experiment has contrasts
 * (store/contrast.h), adds one sentence for each contrast instead. */
void findings_brief(struct sheet *out, struct site *s);

/* findings_has returns 1 if t's sheet has items below a heading that begins
 * with `heading`; findings_quote then writes these items. */
int  findings_has(const struct site_table *t, const char *heading);
void findings_quote(struct page *p, const struct site_table *t,
                    const char *heading);
