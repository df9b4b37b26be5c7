/*
 * references: adds rows that are not variants to a table (references_fill),
 * reads the model-free baselines of a cell (references_read), and compares a
 * cell with its input-blind baseline (blind_read).  A cell stores its
 * model-free baselines in the groups baseline/NAME, with one score for each
 * metric.
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

/* The comparison of a cell with its input-blind baseline.  If the cell has
 * token losses, the baseline is the unigram model of the training targets,
 * compared by cross-entropy; otherwise it is the most frequent label of the
 * test set, compared by accuracy. */
struct blind_baseline {
    const char *name, *metric; /* "the unigram model", "ce"; static        */
    double      own, value;    /* the cell's value; the baseline's value   */
    int         worse;         /* 1: the cell is worse than the baseline   */
};

/* Compares a cell with its baseline.  Returns ERR_EMPTY if the cell has no
 * values to compare, or ERR_STORE if it is damaged. */
int blind_read(struct blind_baseline *out, struct cell_reader *r);
