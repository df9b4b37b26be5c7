/* table_own: the table of an experiment that is not in the paper: its own rows,
 * and for each task the cost of training, the cross-entropy and the primary
 * metric.  The commands `table` and `report` call it. */
#pragma once

#include "harness/report/table.h"

/* Fills *out; it lives in r->memory.  Returns ERR_USAGE if the program does not
 * have a task of r. */
int table_own(struct table *out, const struct report *r);

/* Fills the table of the experiment out->name, which is read from `file`, from
 * a store of another experiment.  The table has the tasks and rows of the
 * experiment that r has, and other rows of r with the same variants;
 * out->notice says so.  Returns ERR_USAGE if the file is invalid, or ERR_EMPTY
 * if they have no task in common. */
int table_elsewhere(struct table *out, const char *file,
                    const struct report *r);

/* Fills the table of one task: its parameters and all its metrics. */
int table_of_task(struct table *out, const struct report *r, const char *task);
