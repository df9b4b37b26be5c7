/*
 * reference_lines: draws values that do not come from a trained model as
 * horizontal lines across a panel: input-blind baselines, and bounds that no
 * model can pass.
 */
#pragma once

#include "harness/report/report.h"
#include "plots/picture.h"

enum { LEVELS = 12 };

struct reference_lines {
    int n, decimals;
    int beside; /* 1: names at the right of the panel; 0: in the panel      */
    struct level { const char *name; double value; } of[LEVELS];
};

/* Adds a line, unless the value is not finite or there are LEVELS lines
 * already. */
void reference_lines_add(struct reference_lines *l, const char *name,
                         double value);

/* Reads reference cross-entropies on the test set of a task, as its first
 * finished cell stores them: that of the unigram model and, for synthetic text
 * with a known data-generating distribution, the entropy floor.  Returns
 * ERR_STORE if the cell is damaged. */
int reference_lines_read(struct reference_lines *out, const struct report *r,
                         const char *task);

/* Widens the axis low .. high to include lines outside it, if they are nearer
 * to it than half its length. */
void reference_lines_widen(const struct reference_lines *l, double *low,
                           double *high);

/* Sets the gnuplot variable `levels`, the commands that draw the lines within
 * the axis when they are `eval`ed.  Returns a list of the lines beyond the
 * axis ("entropy floor 3.210"), or "" if there are none; r keeps it. */
const char *reference_lines_put(const struct reference_lines *l,
                                struct picture *p, const struct report *r,
                                double low, double high);
