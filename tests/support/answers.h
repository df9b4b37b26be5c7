/* answers: does an example's answer follow from what it gives?  Worked out
 * apart from the generators of the science suite. */
#pragma once

#include "harness/tasks/task.h"

typedef int answer(const struct example *e, const struct task_opts *o);

/* NULL: chance has its say. */
answer *answers_of(const char *task);
