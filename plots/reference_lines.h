/*
 * reference_lines: draws values that do not come from a trained model as
 * horizontal lines across a panel: input-blind baselines, and bounds that no
 * model can pass.  Figures call reference_lines_read or reference_lines_add,
 * then reference_lines_put.
 */
#pragma once

#include "harness/report/report.h"
#include "plots/picture.h"

enum { LEVELS = 12 };

struct reference_lines {
    int n, decimals; /* decimals: of the printed values */
    int right; /* 1: names are to the right of the panel; 0: inside it, at its
                  left edge */
    struct level { const char *name; double value; } of[LEVELS];
};

/* Adds a line to l.  If the value is not finite, or if there are LEVELS lines
 * already, does nothing. */
void reference_lines_add(struct reference_lines *l, const char *name,
                         double value);

/* Reads the cross-entropy of the unigram model on the test set from one
 * finished cell of a task.  If the text is synthetic and its data-generating
 * distribution is known, also reads the entropy floor, which is the least
 * cross-entropy that a model can expect.  Returns ERR_STORE if the cell is
 * damaged. */
int reference_lines_read(struct reference_lines *out, const struct report *r,
                         const char *task);

/* Widens the axis from *low to *high to include each line that is outside the
 * axis by less than half the length of the axis. */
void reference_lines_widen(const struct reference_lines *l, double *low,
                           double *high);

/* Sets the gnuplot variable `levels` to commands that draw the lines within the
 * axis from `low` to `high` when gnuplot evaluates them (`eval`).  Returns a
 * list of the lines outside the axis ("entropy floor 3.210"), or "" if there
 * are none; `r` owns the text. */
const char *reference_lines_put(const struct reference_lines *l,
                                struct picture *p, const struct report *r,
                                double low, double high);
