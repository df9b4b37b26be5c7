/*
 * reference_lines: values that no curve or point of a model is, as lines
 * across a panel: what sees no input reaches, and what nothing can pass.
 */
#pragma once

#include "harness/report/report.h"
#include "plots/picture.h"

enum { LEVELS = 12 };

struct reference_lines {
    int n, decimals;
    int beside; /* 1: their names stand at the right of the panel; 0: in it */
    struct level { const char *name; double value; } of[LEVELS];
};

/* One that is not finite, or has no room, is left out. */
void reference_lines_add(struct reference_lines *l, const char *name,
                         double value);

/* Cross-entropies of a task as its first finished cell has them of the test
 * set: the unigram model's and, of text whose law is known, the floor. */
int reference_lines_read(struct reference_lines *out, const struct report *r,
                         const char *task);

/* Widens the axis to those beside what is drawn: not further than half of it.
 */
void reference_lines_widen(const struct reference_lines *l, double *low,
                           double *high);

/* Sets `levels`, which `eval` draws across a panel: those within the axis.
 * Answers, in words that r keeps, with those beyond it. */
const char *reference_lines_put(const struct reference_lines *l,
                                struct picture *p, const struct report *r,
                                double low, double high);
