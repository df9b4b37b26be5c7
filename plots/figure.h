/*
 * figure: a plot made from a store.  One file a figure, its gnuplot script
 * plots/NAME.gp beside it; one row in plots/list.h.
 *
 * render writes, for each picture P that it makes, FOLDER/P.tsv (the data),
 * FOLDER/P.gp, and FOLDER/P.png, .svg and .pdf, or those that the output is of;
 * `gnuplot P.gp` in that folder makes the pictures again.  Rows look as
 * plots/style.h says.
 */
#pragma once

#include "harness/report/report.h"
#include "plots/output.h"

struct figure {
    const char *name;  /* "curves" */
    const char *title; /* one line, for `list` and `plot --help` */

    /* ERR_EMPTY: no finished cell has what it shows; ERR_IO: gnuplot is
     * missing or refused (the message says why and what to do). */
    int (*render)(const struct report *r, const struct output *to);
};

/* All of list.h, in its order; ends with NULL. */
extern const struct figure *const figure_all[];

/* ERR_USAGE with the nearest name. */
int figure_find(const struct figure **out, const char *name);
