/*
 * scatter: one point a variant, quality upwards against what it costs; a
 * picture a task, NAME_TASK.  Quality is accuracy where the task has it, else
 * token cross-entropy, on the test set, with its 95 % interval.  Stairs are
 * Pareto's front, one for each set of test data that rows saw; across the
 * picture lie what sees no input, and bounds.
 *
 *   NAME_TASK.tsv: variant, the cost, quality, low, high, front (1: on that
 *   of its data);
 *   where its name stands (label_x, label_y) and the line that joins them
 *   (line_x, _y, _dx, _dy), in parts of the panel; which test set it saw
 */
#pragma once

#include "harness/report/report.h"
#include "plots/output.h"

struct scatter {
    const char *name;  /* of the files                                */
    const char *cost;  /* metric or attribute of timing               */
    const char *axis;  /* "training steps per second"                 */
    const char *title; /* "Quality against speed"                     */
    int         better; /* of the cost: +1, -1                        */
};

int scatter_render(const struct scatter *s, const struct report *r,
                   const struct output *to);

/* ---- places for the names of points, so that no name lies on another, on a
 * point or on an interval (label.c); pixels, y upwards ---- */

struct label {
    double x, y;          /* the point                                    */
    double low, high;     /* its vertical interval                        */
    double width, height; /* of the name                                  */
    double left, middle;  /* out: the name's left edge, half its height   */
    double from_x, from_y, to_x, to_y; /* out: line from point to name; a
                             name next to its point needs none: all equal */
};

double label_width(const char *name); /* near enough; pixels */

/* Names stay in 0 .. width, 0 .. height. */
void label_place(struct label *l, int n, double width, double height);
