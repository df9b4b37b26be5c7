/* sweep: figures of experiments that vary a number ("random,N=64"), in which
 * rows that differ only in that number form a line of points. */
#pragma once

#include "harness/report/report.h"
#include "plots/output.h"

/* A row: its line, which is the row's name without the number, and the
 * number. */
struct sweep_point { const char *line; long value; };

/* Splits a row at the key (",N=").  Returns 1, or 0 if the row does not have
 * the key with a positive number. */
int sweep_read(struct sweep_point *out, const char *row, const char *key,
               struct arena *a);

/* Returns the lines of the finished cells of the task, each once, in the order
 * of the experiment; the list ends with NULL and belongs to the report's
 * memory. */
const char *const *sweep_lines(const struct report *r, const char *task,
                               const char *key);

/* Returns the smallest value of a line that is greater than `after`, or
 * LONG_MAX if there is none. */
long sweep_next(const struct report *r, const char *task, const char *key,
                const char *line, long after);

/* Returns 1 if the cell is finished, belongs to the task and is that point. */
int sweep_is(const struct report *r, int cell, const char *task,
             const char *key, const struct sweep_point *point);

/* Calls draw for every task that has such lines.  Returns ERR_EMPTY if no task
 * has any, or the error of draw. */
int sweep_render(const struct report *r, const struct output *to,
                 const char *key,
                 int (*draw)(const struct report *r, const struct output *to,
                             const char *task, const char *const *line));
