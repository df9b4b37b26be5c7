/*
 * label: places for the names of points in a scatter plot, so that no name
 * lies on another, on a point or on an interval.  Pixels, y upwards.
 */
#ifndef PLOTS_LABEL_H
#define PLOTS_LABEL_H

struct label {
    double x, y;          /* the point                                    */
    double low, high;     /* its vertical interval                        */
    double width, height; /* of the name                                  */
    double left, middle;  /* out: the name's left edge, half its height   */
    double from_x, from_y, to_x, to_y; /* out: line from point to name; a
                             name next to its point needs none: all equal */
};

/* Names stay in 0 .. width, 0 .. height. */
void label_place(struct label *l, int n, double width, double height);

#endif
