/* plan_lengths: prints the lengths of examples that `plan` assumes, and the
 * size of a training step that results from them. */
#pragma once

#include "harness/base/json.h"
#include "harness/plan/plan.h"
#include "harness/print/sheet.h"

/* Adds a table to the sheet, with a row for each task for which the mean length
 * is known; for all others, `plan` assumes the maximum length. */
void plan_lengths_put(struct sheet *s, const struct plan *p);

/* Returns the lengths of a cell's examples, or JSON's null if the cell's model
 * is impossible (c->refused). */
json_t *plan_lengths_json(const struct cell *c);
