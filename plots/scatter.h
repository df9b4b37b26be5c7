/*
 * scatter: draws quality against cost, with one picture NAME_TASK for each task
 * and one point for each variant.  Quality is the accuracy on the test set if
 * the task has an accuracy, or else the cross-entropy per token, with its 95 %
 * interval.  Stepped lines are the Pareto fronts, one for each test set that
 * rows were tested on.  Horizontal lines are input-blind baselines and bounds.
 *
 *   NAME_TASK.tsv has the columns variant, the cost, quality, low, high, front
 *   (1: on the front of its test set); the place of the name (label_x, label_y)
 *   and of the line from name to point (line_x, line_y, line_dx, line_dy), in
 *   fractions of the panel; test_set (from 1).  Then it has a block for each
 *   front: x and y of its corners, in fractions of the panel
 */
#pragma once

#include "plots/figure.h"

struct scatter {
    const char *cost;  /* metric or attribute of timing               */
    const char *axis;  /* "training steps per second"                 */
    const char *title; /* "Quality against speed"                     */
    int         better; /* +1: a greater cost is better; -1: a smaller */
};

/* The initializers of a figure that draws the struct scatter `of`. */
#define SCATTER(of)                                                           \
    .draw = scatter_draw, .with = of,                                         \
    .none = "no finished cell has a value to plot"

int scatter_draw(const struct figure *f, const struct report *r,
                 const char *task, const struct output *to);
