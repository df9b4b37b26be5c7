/*
 * references: adds rows that are not variants to a table (references_fill), and
 * reads the model-free baselines of a cell (references_read).  A cell stores
 * them in its groups baseline/NAME, with one score for each metric.
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

/* Reads the model-free baselines of a cell, in the cell's order, into *out,
 * allocated from `a`.  Sets *n to the number of scores. */
int references_read(struct reference_score **out, int *n,
                    struct cell_reader *r, struct arena *a);

/* Adds the reference rows of one task to the table: evidence_references
 * (evidence.h), then the model-free baselines of the task's cells.  All cells
 * have the same baselines; the cell with the most scores provides them. */
int references_fill(struct result_table *s, const struct result_task *task,
                    struct evidence *e);
