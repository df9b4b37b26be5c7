/*
 * references: the rows of a table that are not variants, and the model-free
 * baselines that cells store: groups baseline/NAME, one score for each metric.
 */
#pragma once

#include "harness/report/evidence.h"
#include "harness/report/result_table.h"
#include "harness/store/cell.h"

struct reference_score {
    const char *name, *what; /* name: "lead"; what: its method, or "" */
    const char *metric;
    double      value;
};

/* Reads the baselines of a cell, in its order, into *out, allocated from a; *n
 * is 0 if it has none. */
int references_read(struct reference_score **out, int *n,
                    struct cell_reader *r, struct arena *a);

/* Adds the reference rows of one task: evidence_references, then the baselines
 * of its cells.  These are equal in all cells; those of the cell with most
 * scores are used. */
int references_fill(struct result_table *s, const struct result_task *task,
                    struct evidence *e);
