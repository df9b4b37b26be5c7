/*
 * figure: defines a plot that `synthbench plot NAME` makes from a store.  Each
 * figure has one row in plots/list.h.
 *
 * A figure consists of one or more pictures.  For each picture P, it writes
 * FOLDER/P.tsv (the data), FOLDER/P.txt (the texts) and FOLDER/P.gp (the
 * script).  It draws P.png, P.svg and P.pdf, or only the formats that the
 * output requires (easel.h).  Running `gnuplot P.gp` in FOLDER draws the
 * picture again.  plots/style.h defines the colour and mark of each row.
 */
#pragma once

#include "harness/report/report.h"
#include "plots/easel.h"

enum { FIGURE_NONE = 1 };

struct figure {
    const char *name;  /* "curves" */
    const char *title; /* one line, for `list` and `plot --help` */
    const char *none;  /* why there are no pictures, if none was drawn */

    /* Draws the pictures of a task that has a finished cell.  Returns
     * FIGURE_NONE if there is nothing to draw, ERR_EMPTY if a finished cell
     * lacks what it must have, or ERR_IO if gnuplot is missing or fails. */
    int (*draw)(const struct figure *f, const struct report *r,
                const char *task, const struct output *to);
    const void *with;  /* for `draw` */
};

/* All figures, in the order of list.h; ends with NULL. */
extern const struct figure *const figure_all[];

/* Draws the figure.  Returns ERR_EMPTY if no finished cell has the values to
 * plot or if one lacks what it must have, or ERR_IO if gnuplot is missing or
 * fails. */
int figure_render(const struct figure *f, const struct report *r,
                  const struct output *to);

/* Finds a figure by name.  If no figure has the name, returns ERR_USAGE with
 * the nearest name in the message. */
int figure_find(const struct figure **out, const char *name);
