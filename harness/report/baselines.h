/*
 * baselines: what cells say of answers that need no model: groups
 * baseline/NAME, one score a metric.
 */
#ifndef REPORT_BASELINES_H
#define REPORT_BASELINES_H

#include "harness/base/arena.h"
#include "harness/report/report.h"
#include "harness/store/cell.h"

struct baseline_score {
    const char *name, *what; /* "lead"; how it answers, "": not said */
    const char *metric;
    double      value;
};

/* In the order of the cell; of cells without baselines, none.  In arena a. */
int baselines_read(struct baseline_score **out, int *n, struct cell_reader *r,
                   struct arena *a);

/* They are the same in each cell of a task: those of the cell with most. */
int baselines_of_task(struct baseline_score **out, int *n,
                      const struct report *r, const char *task,
                      struct arena *a);

#endif
