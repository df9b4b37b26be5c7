/*
 * scatter: draws quality against cost, with one picture NAME_TASK for each task
 * and one point for each variant.  Quality is the accuracy on the test set if
 * the task has an accuracy, or else the cross-entropy per token, with its 95 %
 * interval.  Stepped lines are the Pareto fronts, one for each test set that
 * rows were tested on.  Horizontal lines are input-blind baselines and bounds.
 * speed.c, flops.c and size.c call scatter_render.
 *
 *   NAME_TASK.tsv has the columns variant, the cost, quality, low, high, front
 *   (1: on the front of its test set); the place of the name (label_x, label_y)
 *   and of the line from name to point (line_x, line_y, line_dx, line_dy), in
 *   fractions of the panel; test_set (from 1)
 */
#pragma once

#include "harness/report/report.h"
#include "plots/output.h"

struct scatter {
    const char *name;  /* begins the names of the files               */
    const char *cost;  /* metric or attribute of timing               */
    const char *axis;  /* "training steps per second"                 */
    const char *title; /* "Quality against speed"                     */
    int         better; /* +1: a greater cost is better; -1: a smaller */
};

/* Draws the pictures.  Returns the same errors as `render` (figure.h). */
int scatter_render(const struct scatter *s, const struct report *r,
                   const struct output *to);

/* ---- placement of the names of points, so that no name covers another, a
 * point or an interval (label.c); in pixels, y upwards ---- */

struct label {
    double x, y;          /* the point                                    */
    double low, high;     /* its vertical interval                        */
    double width, height; /* of the name                                  */
    double left, middle;  /* output: left edge and vertical centre of the
                             name                                         */
    double from_x, from_y, to_x, to_y; /* output: line from point to name, which
                             has length 0 if the name is next to its point */
};

double label_width(const char *name); /* estimate, in pixels */

/* Places n names in a panel that extends from 0 to `width` and from 0 to
 * `height`. */
void label_place(struct label *l, int n, double width, double height);
