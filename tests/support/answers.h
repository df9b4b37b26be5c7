/* answers: checks that the answer of a science-suite example follows from its
 * input. The rules are implemented here independently of the generators. */
#pragma once

#include "harness/tasks/task.h"

typedef int answer(const struct example *e, const struct task_opts *o);

/* Returns the check for this task, or NULL if its answers are random. */
answer *answers_of(const char *task);
