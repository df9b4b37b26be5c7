/* plan_numa: prints where `run` would train the cells of a plan on this
 * machine.  describe.c calls it. */
#pragma once

#include "harness/plan/plan.h"
#include "harness/print/sheet.h"

/* Adds lines about cores, nodes and the GPU to the sheet, and {"placement":
 * ...} (describe.h) to s->object. */
void plan_numa_put(struct sheet *s, const struct plan *p);
