/* table_own: the table of an experiment that is none of the paper's: its own
 * rows, and of each of its tasks what training cost, the cross-entropy and the
 * primary metric. */
#pragma once

#include "harness/report/table.h"

/* Lives in r->memory.  ERR_USAGE: a task that this program has not. */
int table_own(struct table *out, const struct report *r);

/* That of the experiment out->name, in `file`, of which r is none: those of its
 * rows and tasks that r has, and what r has of the same variants besides;
 * out->notice says so.  ERR_USAGE: its file; ERR_EMPTY: they have no task in
 * common. */
int table_elsewhere(struct table *out, const char *file,
                    const struct report *r);

/* Of one of its tasks: the same and every other metric. */
int table_of_task(struct table *out, const struct report *r, const char *task);
