/*
 * heat: maps of a task's variants, one row a variant, one panel a map, as
 * pictures NAME_TASK; what cells store in attention/sentence
 * (train/sentence.h), of the lowest seed that is done.
 *
 *   NAME_TASK.tsv: variant, seed, head from 1, when (start, end), row and key
 *   from 1, value; a block each panel
 */
#pragma once

#include "harness/report/report.h"
#include "plots/output.h"

struct heat {
    const char *name, *title, *note;
    const char *start, *end;   /* datasets; start NULL: not shown     */
    const char *rows, *keys;   /* attributes: how many                */
    int         scores;        /* 1: of either sign, zeros say nothing */
};

int heat_render(const struct heat *h, const struct report *r,
                const struct output *to);
