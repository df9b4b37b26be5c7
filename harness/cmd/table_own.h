/* table_own: defines the table of an experiment that is not in the paper.  The
 * table has the experiment's rows and, for each task, columns for the cost of
 * training, the cross-entropy and the primary metric.  The commands `table` and
 * `report` call it. */
#pragma once

#include "harness/report/table.h"

/* Fills *out with the table of the experiment of `r`; r->memory owns the
 * contents.  Returns ERR_USAGE if this program does not know one of the tasks
 * of `r`. */
int table_own(struct table *out, const struct report *r);

/* Shows the results `r` of one experiment in the table of another experiment,
 * which is named out->name and read from `file`.  Fills *out with this table.
 * It has those tasks and rows of the other experiment that `r` has, and the
 * further rows of `r` with the same variants; out->notice says so.  Returns
 * ERR_USAGE if the file is invalid, or ERR_EMPTY if the two experiments have no
 * task in common. */
int table_elsewhere(struct table *out, const char *file,
                    const struct report *r);

/* Fills *out with the table of one task, with columns for the number of
 * parameters and for each metric of the task. */
int table_of_task(struct table *out, const struct report *r, const char *task);
