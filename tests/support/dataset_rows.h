/* dataset_rows: gives tests the rows of a dataset as an array, even if the
 * dataset reads its rows from a file. */
#pragma once

#include "harness/tasks/task.h"

/* Sets d->split[].row in each split where it is NULL. d owns the arrays. */
void list_rows(struct dataset *d);

/* Calls task_open, then list_rows. */
int open_listed(struct dataset *d, const struct task *t,
                const struct task_opts *o);
