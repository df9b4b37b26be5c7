/*
 * blind_baseline: whether a cell does worse than what sees no input.  Where it
 * has token losses: by cross-entropy than the unigram model of the training
 * targets; else by accuracy than the most frequent label of the test set.
 */
#pragma once

#include "harness/store/cell.h"

struct blind_baseline {
    const char *name, *metric; /* "the unigram model", "ce"; static   */
    double      own, value;    /* the cell's, and that of the other    */
    int         worse;
};

/* ERR_EMPTY: the cell has nothing to compare; ERR_STORE. */
int blind_read(struct blind_baseline *out, struct cell_reader *r);
