/* select: what a figure shows of a report. */
#ifndef PLOTS_SELECT_H
#define PLOTS_SELECT_H

#include "harness/report/report.h"

/* The different tasks or variants, in the order of the experiment; each list
 * ends with NULL and belongs to the report's memory. */
const char *const *select_tasks(const struct report *r);
const char *const *select_variants(const struct report *r);

int select_done(const struct report *r, const char *task); /* cells */

/* "Loss: lm1b (SYNTHETIC DATA), scale quick, 3 seeds", kept by the report. */
const char *select_title(const struct report *r, const char *what,
                         const char *task);

#endif
