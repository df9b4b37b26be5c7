#include "harness/tasks/task.h"

#include "harness/base/err.h"
#include "harness/base/names.h"

#include <stddef.h>

#define TASK(name) extern const struct task task_##name;
#include "harness/tasks/list.h"
#undef TASK

const struct task *const task_all[] = {
#define TASK(name) &task_##name,
#include "harness/tasks/list.h"
#undef TASK
    NULL};

NAMES_FIND(task, "synthbench list tasks")

int task_metrics(const char *const **out, const char *name)
{
    const struct task *t;

    PASS(task_find(&t, name));
    *out = t->metrics;
    return OK;
}
