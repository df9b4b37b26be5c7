/*
 * reference_check: what is wrong with the published numbers that arithmetic
 * can find, out of published.tsv alone.  A printed number stands for all that
 * are rounded to it; two agree where what they stand for overlaps.
 *
 *   conflict   sources give different values for one number
 *   average    a mean of tasks against the tasks of its row
 *   sum        parameters: |A + B| = |A| + |B| - |no scores|, where fixed
 *              random scores learn none
 *   statement  what is said in words ("60 % faster") of two printed numbers
 */
#pragma once

#include "harness/print/sheet.h"
#include "harness/report/published.h"

/*
 * Records: {"kind", "table", "row", "column", "printed", "low", "high" (what
 * is computed lies between; null: of a conflict), "holds": boolean, "source",
 * "text"}; the object has them as "rows".
 */
struct sheet *reference_check(const struct published *p);
