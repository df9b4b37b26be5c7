/*
 * findings: what a store says, in sentences.  Each is the project's own verdict
 * (stars, ranks, pairs, what is withheld and why: report/result_table.h) with
 * n and interval, and says no more than that.
 */
#pragma once

#include "harness/site/page.h"

/* Puts the heading of a task and a sentence for each metric that counts.
 * Returns 1 if one says that values are not significantly different. */
int findings_task(struct page *p, const struct site_table *t);

/* Of each task the metric that counts most, in a sentence; of a few tasks. */
void findings_brief(struct sheet *out, struct site *s);

/* The items that a sheet has below a heading that begins so; 0: none. */
int findings_quote(struct page *p, const struct site_table *t,
                   const char *heading);
