/* plan_numa: where `run` would train the cells of a plan from here. */
#pragma once

#include "harness/plan/plan.h"
#include "harness/print/sheet.h"

/* Three lines, and {"placement": ...} of s->object (describe.h). */
void plan_numa_put(struct sheet *s, const struct plan *p);
