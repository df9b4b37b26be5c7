/* varied: rows of an experiment that varies a number ("random,N=64"), as lines
 * of points. */
#pragma once

#include "harness/report/report.h"
#include "plots/output.h"

/* Of a row: its line, which is its name without the number, and the number. */
struct sweep_point { const char *line; long value; };

/* ",N=" as key; 0: the row does not say it. */
int sweep_read(struct sweep_point *out, const char *row, const char *key,
               struct arena *a);

/* Of cells of the task that are done, each once, in the order of the
 * experiment; ends with NULL. */
const char *const *sweep_lines(const struct report *r, const char *task,
                               const char *key);

/* The next value of a line after that one; LONG_MAX: there is none. */
long sweep_next(const struct report *r, const char *task, const char *key,
                const char *line, long after);

/* Is the cell done, of the task, and that point? */
int sweep_is(const struct report *r, int cell, const char *task,
             const char *key, const struct sweep_point *point);

/* Draws one picture a task that has such lines.  ERR_EMPTY: none has. */
int sweep_render(const struct report *r, const struct output *to,
                 const char *key,
                 int (*draw)(const struct report *r, const struct output *to,
                             const char *task, const char *const *line));
