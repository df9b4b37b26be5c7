/*
 * line_labels: puts the names of lines at the right of a panel, instead of a
 * legend.  Figures call line_labels_put.  Each name is as near to the right end
 * of its line as the other names allow, and a thin line connects it to this
 * end.
 */
#pragma once

#include "plots/style.h"
#include "plots/picture.h"

/* Edges of a panel, in fractions of the picture, from the left and from the
 * bottom. */
struct frame { double left, right, bottom, top; };

struct end {
    const struct style *look;
    const char *name, *told; /* name of the line; text after the name       */
    double      y;           /* end of the line, from 0 (bottom of the panel)
                                to 1 (top); values outside are cut off.  If y
                                is infinite, only the name is drawn         */
};

/* Sorts the n ends, the lowest first, and sets gnuplot variables: `n`; `names`,
 * commands that draw the names beside the panel when gnuplot evaluates them
 * (`eval`); and, for each end I from 1, nameI, endI (the name followed by
 * `told`) and the variables of style_put. */
void line_labels_put(struct picture *p, struct end *e, int n,
                     const struct frame *panel);

/* Sets the gnuplot variables left_NAME, right_NAME, bottom_NAME and top_NAME to
 * the edges `f`; NAME is `name`. */
void line_labels_frame(struct picture *p, const char *name,
                       const struct frame *f);

/* Moves the n vertical positions `place`, which must be sorted in ascending
 * order, so that they are at least `gap` apart and not below `low`, and the sum
 * of the squared movements is minimal.  Positions exceed `high` only if there
 * is not enough room. */
void line_labels_spread(double *place, int n, double gap, double low,
                        double high);
