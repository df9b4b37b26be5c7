/* sweep: selects the points of figures about experiments that vary a number,
 * such as N in rows named "random,N=64".  In these figures, the rows that
 * differ only in this number form a line. */
#pragma once

#include "harness/report/report.h"
#include "plots/output.h"

/* A row as a point.  `line` is the row's name without the number; `value` is
 * the number. */
struct sweep_point { const char *line; long value; };

/* Splits the name of a row at the key (",N=") and returns 1, or returns 0 if
 * the row does not have the key with a positive number. */
int sweep_read(struct sweep_point *out, const char *row, const char *key,
               struct arena *a);

/* Returns the lines of the finished cells of the task, each once, in the order
 * of the experiment; the list ends with NULL and belongs to the report's
 * memory. */
const char *const *sweep_lines(const struct report *r, const char *task,
                               const char *key);

/* Returns the smallest value of the line's points that is greater than `after`,
 * or LONG_MAX if there is none. */
long sweep_next(const struct report *r, const char *task, const char *key,
                const char *line, long after);

/* Returns 1 if the cell is finished, belongs to the task, and its row has the
 * line and the value of `point`. */
int sweep_is(const struct report *r, int cell, const char *task,
             const char *key, const struct sweep_point *point);

/* Calls `draw` with every task that has lines for the key, and these lines.
 * Returns ERR_EMPTY if no task has such lines, or the error of `draw`. */
int sweep_render(const struct report *r, const struct output *to,
                 const char *key,
                 int (*draw)(const struct report *r, const struct output *to,
                             const char *task, const char *const *line));
