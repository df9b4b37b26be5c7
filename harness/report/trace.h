/* trace: reads a curve that a cell stores, such as its training loss, for
 * figures and pages. */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

struct cell_reader;

struct trace { double *step, *value; size_t n; }; /* [n] each */

/* Reads the datasets GROUP/step and GROUP/VALUE of a cell, such as
 * curves/train/loss; `id` is used in messages.  Returns ERR_EMPTY if the cell
 * lacks them, or ERR_STORE if they differ in length or a step is out of range.
 * The caller calls trace_free even after an error. */
int  trace_read(struct trace *out, struct cell_reader *cell, const char *id,
                const char *group, const char *value);
void trace_free(struct trace *t);
OWNER_OF_VALUE(trace_free, struct trace)
