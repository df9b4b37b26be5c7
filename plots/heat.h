/*
 * heat: draws the maps (matrices of attention weights or scores) that cells
 * store in attention/sentence (train/sentence.h).  There is one picture
 * NAME_TASK for each task, with one row for each variant and one panel for each
 * map.  A variant's maps are those of its finished cell with the lowest seed.
 * sentence.c and scores.c call heat_render.
 *
 *   NAME_TASK.tsv has a block for each panel, with the columns variant, seed,
 *   head (from 1), when (start, end), row and key (from 1), value
 */
#pragma once

#include "harness/report/report.h"
#include "plots/output.h"

struct heat {
    const char *name, *title, *note;
    const char *start, *end;   /* datasets; start NULL: show only end  */
    const char *rows, *keys;   /* attributes with the size of a map    */
    int         scores;        /* 1: values of either sign; a variant
                                  whose values are all 0 is omitted    */
};

int heat_render(const struct heat *h, const struct report *r,
                const struct output *to);
