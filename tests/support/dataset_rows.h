/* dataset_rows: the rows of a dataset as an array, even if the dataset reads
 * them from a file. */
#pragma once

#include "harness/tasks/task.h"

/* Sets d->split[].row where it is NULL. The arrays belong to d. */
void list_rows(struct dataset *d);

/* Calls task_open, then list_rows. */
int open_listed(struct dataset *d, const struct task *t,
                const struct task_opts *o);
