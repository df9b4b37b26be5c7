/*
 * references: the rows of a table that are no variants, and what cells say of
 * answers that need no model: groups baseline/NAME, one score a metric.
 */
#pragma once

#include "harness/report/evidence.h"
#include "harness/report/result_table.h"
#include "harness/store/cell.h"

struct reference_score {
    const char *name, *what; /* "lead"; how it answers, "": not said */
    const char *metric;
    double      value;
};

/* In the order of the cell; of cells without references, none.  In arena a. */
int references_read(struct reference_score **out, int *n,
                    struct cell_reader *r, struct arena *a);

/* Rows of one task: evidence_references, then the scores of its cells, which
 * all say the same, of the one with most. */
int references_fill(struct result_table *s, const struct result_task *task,
                    struct evidence *e);
