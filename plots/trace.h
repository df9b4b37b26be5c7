/* trace: reads a curve of one cell, and computes its moving mean.  Figures call
 * trace_read. */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

struct cell_reader;

struct trace { double *step, *value; size_t n; };

/* Reads the datasets curves/CURVE/step and curves/CURVE/VALUE of a cell; `id`
 * is used in messages.  Returns ERR_STORE if the two differ in length or a step
 * is out of range.  The caller calls trace_free even after an error. */
int  trace_read(struct trace *t, struct cell_reader *cell, const char *id,
                const char *curve, const char *value);
void trace_free(struct trace *t);
OWNER_OF_VALUE(trace_free, struct trace)

/* Returns the mean over those points from i - `half` to i + `half` that exist
 * and are finite, or NAN if point i is not finite. */
double trace_mean(const struct trace *t, size_t i, size_t half);

/* Returns the last value of the curve, or INFINITY if this value is NaN.
 * Returns NAN if there are no points. */
double trace_last(const struct trace *t);
