/* answers: does an example's answer follow from what it gives?  Worked out
 * apart from the generators of the science suite. */
#ifndef TESTS_ANSWERS_H
#define TESTS_ANSWERS_H

#include "harness/tasks/task.h"

typedef int answer(const struct example *e, const struct task_opts *o);

/* NULL: chance has its say. */
answer *answers_of(const char *task);

#endif
