/* listed: the rows of a dataset as an array, also of one whose rows lie in a
 * file. */
#pragma once

#include "harness/tasks/task.h"

/* Sets d->split[].row where it is NULL; the arrays belong to d. */
void list_rows(struct dataset *d);

/* task_open, then list_rows. */
int open_listed(struct dataset *d, const struct task *t,
                const struct task_opts *o);
