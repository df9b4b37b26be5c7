/* trace: a curve of one cell, and its moving mean. */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

struct cell_reader;

struct trace { double *step, *value; size_t n; };

/* curves/CURVE/step and /VALUE of a cell, whose id is for messages.  ERR_STORE:
 * they are no curve; trace_free in any case. */
int  trace_read(struct trace *t, struct cell_reader *cell, const char *id,
                const char *curve, const char *value);
void trace_free(struct trace *t);
OWNER_OF_VALUE(trace_free, struct trace)

/* The mean over the points from i - half to i + half that are there and finite;
 * NAN where the i-th is not. */
double trace_mean(const struct trace *t, size_t i, size_t half);

/* Its last value, INFINITY for one that is no number; NAN: it has no point. */
double trace_last(const struct trace *t);
