/*
 * scatter: one point a variant, quality upwards against what it costs; a
 * picture a task, NAME_TASK.  Quality is accuracy where the task has it, else
 * token cross-entropy, on the test set, with its 95 % interval.
 *
 *   NAME_TASK.tsv: variant, the cost, quality, low, high; where its name stands
 *   (label_x, label_y) and the line that joins them (line_x, _y, _dx, _dy)
 */
#ifndef PLOTS_SCATTER_H
#define PLOTS_SCATTER_H

#include "harness/report/report.h"

struct scatter {
    const char *name;  /* of the files                                */
    const char *cost;  /* metric or attribute of timing               */
    const char *axis;  /* "training steps per second (higher is better)" */
    const char *title; /* "Quality against speed"                     */
    double      scale; /* the axis shows cost / scale                 */
};

int scatter_render(const struct scatter *s, const struct report *r,
                   const char *folder);

#endif
