/*
 * figure: a plot that `synthbench plot NAME` makes from a store.  Each figure
 * has one file, with its gnuplot script plots/NAME.gp, and one row in
 * plots/list.h.
 *
 * For each picture P, render writes FOLDER/P.tsv (the data), FOLDER/P.txt (the
 * words), FOLDER/P.gp, and P.png, P.svg and P.pdf, or those kinds that the
 * output asks for.  `gnuplot P.gp` in that folder draws them again.
 * plots/style.h defines what each row looks like.
 */
#pragma once

#include "harness/report/report.h"
#include "plots/output.h"

struct figure {
    const char *name;  /* "curves" */
    const char *title; /* one line, for `list` and `plot --help` */

    /* Returns ERR_EMPTY if no finished cell has the values to plot, or ERR_IO
     * if gnuplot is missing or fails (the message says why and what to do). */
    int (*render)(const struct report *r, const struct output *to);
};

/* All figures, in the order of list.h; ends with NULL. */
extern const struct figure *const figure_all[];

/* Returns ERR_USAGE, with the nearest name in the message, if no figure has
 * that name. */
int figure_find(const struct figure **out, const char *name);
