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

/* Fills *out with the table of one task, with columns for the number of
 * parameters and for each metric of the task. */
int table_of_task(struct table *out, const struct report *r, const char *task);
