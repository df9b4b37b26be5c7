/* sample: selects cells of a plan that are evenly spread over tasks and
 * variants.  `verify exact` trains them again. */
#pragma once

#include "harness/plan/plan.h"

/* Selects a sample of `n` of the selected cells (all if n is negative or
 * greater than their number), and the cells whose weights the sample starts
 * from; unselects the others.  Leaves out cells that cannot be trained or that
 * another program trains and, if `finished` is 1, unfinished ones.  The sample
 * of a plan is the same in every call.  Returns the number of cells that are
 * selected now. */
int sample_select(struct plan *p, int n, int finished);
