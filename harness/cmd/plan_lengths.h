/* plan_lengths: the lengths of examples that `plan` assumes, and the size of a
 * training step that results from them. */
#pragma once

#include "harness/plan/plan.h"
#include "harness/print/sheet.h"

/* The columns for rows of type struct cell.  The model of each cell must be
 * possible. */
extern const struct column plan_lengths_columns[];

/* Adds a table to the sheet, with a row for each task for which the mean length
 * is known; for all others, `plan` assumes the maximum length. */
void plan_lengths_put(struct sheet *s, const struct plan *p);
