/*
 * reference_check: arithmetic checks of the published numbers, from
 * published.tsv only.  A printed number represents all values that round to it;
 * two numbers agree if these ranges overlap.
 *
 *   conflict   sources give different values for one number
 *   average    a mean over tasks, compared with the tasks of its row
 *   sum        parameters: |A + B| = |A| + |B| - |no scores|; fixed random
 *              scores have no parameters
 *   statement  a comparison in words ("60 % faster") of two printed numbers
 */
#pragma once

#include "harness/print/sheet.h"
#include "harness/report/published.h"

/*
 * Returns a sheet; the caller closes it.  Records: {"kind", "table", "row",
 * "column", "printed", "low", "high" (range of the computed value; null for a
 * conflict), "holds": boolean, "source", "text"}.  The object has them as
 * "rows".
 */
struct sheet *reference_check(const struct published *p);
