/*
 * figure: defines a plot that `synthbench plot NAME` makes from a store.  Each
 * figure has one file, with its gnuplot script plots/NAME.gp, and one row in
 * plots/list.h.
 *
 * A figure consists of one or more pictures.  For each picture P, `render`
 * writes FOLDER/P.tsv (the data), FOLDER/P.txt (the texts) and FOLDER/P.gp (the
 * script).  It draws P.png, P.svg and P.pdf, or only the formats that the
 * output requires (output.h).  Running `gnuplot P.gp` in FOLDER draws the
 * picture again.  plots/style.h defines the colour and mark of each row.
 */
#pragma once

#include "harness/report/report.h"
#include "plots/output.h"

struct figure {
    const char *name;  /* "curves" */
    const char *title; /* one line, for `list` and `plot --help` */

    /* Draws the figure.  Returns ERR_EMPTY if no finished cell has the values
     * to plot, or ERR_IO if gnuplot is missing or fails. */
    int (*render)(const struct report *r, const struct output *to);
};

/* All figures, in the order of list.h; ends with NULL. */
extern const struct figure *const figure_all[];

/* Finds a figure by name.  If no figure has the name, returns ERR_USAGE with
 * the nearest name in the message. */
int figure_find(const struct figure **out, const char *name);
