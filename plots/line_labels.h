/*
 * line_labels: the names of lines at the right of a panel, in place of a
 * legend: one below the other, each as near to where its line ends as the
 * others let it, and joined with it.
 */
#pragma once

#include "plots/style.h"
#include "plots/picture.h"

/* Edges, in parts of the picture, from the left and from below. */
struct frame { double left, right, bottom, top; };

struct end {
    const struct style *look;
    const char *name, *told; /* told: behind the name                       */
    double      y;           /* of the line's end: 0 the panel's floor, 1 its
                                top; beyond them: cut off; infinite: it has
                                none, and the name stands there all the same */
};

/* Sorts them, the lowest first, and sets for gnuplot: n; of each, from 1 on,
 * nameI and its look; and `names`, which `eval` puts beside the panel. */
void line_labels_put(struct picture *p, struct end *e, int n,
                     const struct frame *panel);

/* Sets left_NAME, right_NAME, ... */
void line_labels_frame(struct picture *p, const char *name,
                       const struct frame *f);

/* The places nearest to those wanted (squares), least first, that are `gap`
 * apart, and from low on; above high where there is no room. */
void line_labels_spread(double *place, int n, double gap, double low,
                        double high);
