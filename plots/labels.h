/*
 * labels: places texts so that they do not overlap: the names of lines beside a
 * panel (plots/chart.h, published.c) and the names of points in a panel
 * (flops.c).
 */
#pragma once

/* Moves the n places, which are sorted and lie between `low` and `high`, so
 * that they are at least `gap` apart and as near to the original places as
 * possible.  They exceed `high` only if there is not enough room. */
void labels_spread(double *place, int n, double gap, double low, double high);

/* The name of a point; in pixels, y upwards. */
struct label {
    double x, y;          /* the point                                    */
    double low, high;     /* its vertical interval                        */
    double width, height; /* of the name                                  */
    double left, middle;  /* output: left edge and vertical centre of the
                             name                                         */
    double from_x, from_y, to_x, to_y; /* output: line from point to name, which
                             has length 0 if the name is next to its point */
};

/* Returns an estimate of the width of a name, in pixels, if its letters have
 * LABEL_POINTS points, as in style.gp. */
enum { LABEL_POINTS = 13 };
double label_width(const char *name);

/* Places n names in a panel that extends from 0 to `width` and from 0 to
 * `height`, so that, if possible, no name covers another name, a point or an
 * interval. */
void label_place(struct label *l, int n, double width, double height);
