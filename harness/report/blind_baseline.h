/*
 * blind_baseline: compares a cell with the input-blind baseline.  If the cell
 * has token losses, the baseline is the unigram model of the training targets,
 * compared by cross-entropy; otherwise it is the most frequent label of the
 * test set, compared by accuracy.
 */
#pragma once

#include "harness/store/cell.h"

struct blind_baseline {
    const char *name, *metric; /* "the unigram model", "ce"; static        */
    double      own, value;    /* the cell's value; the baseline's value   */
    int         worse;         /* 1: the cell is worse than the baseline   */
};

/* Compares a cell with its baseline.  Returns ERR_EMPTY if the cell has no
 * values to compare, or ERR_STORE if it is damaged. */
int blind_read(struct blind_baseline *out, struct cell_reader *r);
