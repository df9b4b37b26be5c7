/* table_own: defines the table of an experiment that is not in the paper.  The
 * table has the experiment's rows and, for each task, columns for the cost of
 * training, the cross-entropy and the primary metric.  The commands `table` and
 * `report` call it. */
#pragma once

#include "harness/report/table.h"

/* Fills *out with the table of the experiment of `r`; r->memory owns the
 * contents.  Returns ERR_USAGE if the program does not have a task of `r`. */
int table_own(struct table *out, const struct report *r);

/* Fills *out with the table of the experiment out->name, which is read from
 * `file`, for the store `r` of another experiment.  The table has those tasks
 * and rows of the experiment that `r` has, and the other rows of `r` with the
 * same variants; out->notice says so.  Returns ERR_USAGE if the file is
 * invalid, or ERR_EMPTY if the two experiments have no task in common. */
int table_elsewhere(struct table *out, const char *file,
                    const struct report *r);

/* Fills *out with the table of one task, with its parameters and all its
 * metrics. */
int table_of_task(struct table *out, const struct report *r, const char *task);
