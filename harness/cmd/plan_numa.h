/* plan_numa: prints where `run` would train the cells of a plan on this
 * machine.  describe.c calls it. */
#pragma once

#include "harness/plan/plan.h"
#include "harness/print/sheet.h"

/* Adds lines on cores, nodes and the GPU, and {"placement": ...} to s->object
 * (describe.h). */
void plan_numa_put(struct sheet *s, const struct plan *p);
