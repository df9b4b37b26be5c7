/* plan_lengths: prints the lengths of examples that `plan` assumes, and the
 * size of a training step that results from them. */
#pragma once

#include "harness/base/json.h"
#include "harness/plan/plan.h"
#include "harness/print/sheet.h"

/* Adds a row for each task whose examples are shorter than the maximum. */
void plan_lengths_put(struct sheet *s, const struct plan *p);

/* Returns the lengths of a cell's examples, or null if the cell is refused. */
json_t *plan_lengths_json(const struct cell *c);
