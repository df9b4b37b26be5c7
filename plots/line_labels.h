/*
 * line_labels: puts the names of lines at the right of a panel, instead of a
 * legend.  Each name is as near to the end of its line as the others allow,
 * and a thin line connects the two.
 */
#pragma once

#include "plots/style.h"
#include "plots/picture.h"

/* Edges of a panel, in fractions of the picture, from the left and from the
 * bottom. */
struct frame { double left, right, bottom, top; };

struct end {
    const struct style *look;
    const char *name, *told; /* told: text after the name                   */
    double      y;           /* end of the line: 0 is the bottom of the panel,
                                1 its top; values beyond them are cut off;
                                infinite: no line, only the name            */
};

/* Sorts the n ends, the lowest first, and sets gnuplot variables: n; for end I
 * (from 1) nameI, endI (the name and `told`) and its look; and `names`, the
 * commands that draw the names beside the panel when they are `eval`ed. */
void line_labels_put(struct picture *p, struct end *e, int n,
                     const struct frame *panel);

/* Sets left_NAME, right_NAME, bottom_NAME and top_NAME. */
void line_labels_frame(struct picture *p, const char *name,
                       const struct frame *f);

/* Moves the n places, sorted in ascending order, so that they are at least
 * `gap` apart and at least `low`, with the least sum of squared moves.  They
 * exceed `high` only if there is too little room. */
void line_labels_spread(double *place, int n, double gap, double low,
                        double high);
