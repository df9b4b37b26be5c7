/* plan_lengths: how long plan takes examples to be, and what a step is of
 * them. */
#pragma once

#include "harness/base/json.h"
#include "harness/plan/plan.h"
#include "harness/print/sheet.h"

/* A row a task whose examples are shorter than may be. */
void plan_lengths_put(struct sheet *s, const struct plan *p);

json_t *plan_lengths_json(const struct cell *c); /* null: it is refused */
