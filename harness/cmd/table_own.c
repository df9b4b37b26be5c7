#include "harness/cmd/table_own.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/metrics/metric.h"
#include "harness/tasks/task.h"

#include <string.h>

enum { COLUMNS = 4 }; /* maximum number of columns of a task */

static const struct metric *metric_named(const char *name)
{
    const struct metric *const *m = metric_all;

    while (*m && strcmp((*m)->name, name))
        m++;
    return *m;
}

static struct table_column column_of(const char *task, const struct metric *m)
{
    return (struct table_column){task, m->name, m->name, m->title, m->unit,
                                 m->better, strcmp(m->unit, "%") ? 3 : 2, NULL};
}

static int add_columns(struct table_column *to, const struct task *t)
{
    const struct metric *ce = metric_named("ce");
    const struct metric *first = metric_named(t->metrics[0]);
    int n = 0;

    to[n++] = (struct table_column)TABLE_PARAMS(t->name);
    to[n++] = (struct table_column){t->name, "train_cpu_seconds", "CPU s",
                                    "processor time of training", "s", 0, 0,
                                    NULL};
    to[n++] = column_of(t->name, ce);
    if (first && first != ce)
        to[n++] = column_of(t->name, first);
    return n;
}

static int is_known(const struct table_task *t, int n, const char *name)
{
    while (n > 0 && strcmp(t[n - 1].task, name))
        n--;
    return n > 0;
}

int table_own(struct table *out, const struct report *r)
{
    size_t n = (size_t)r->n + 1;
    struct table_task *task = arena_zero(r->memory, n * sizeof *task);
    struct table_column *column = arena_zero(r->memory,
                                             COLUMNS * n * sizeof *column);
    int tasks = 0, columns = 0;

    for (int i = 0; i < r->n; i++) {
        const char *name = r->cell[i].task;
        const struct task *t;

        if (is_known(task, tasks, name))
            continue;
        PASS(task_find(&t, name));
        task[tasks++] = (struct table_task){t->name, t->title, NULL};
        columns += add_columns(column + columns, t);
    }
    *out = (struct table){.name = r->name, .title = r->title,
                          .cite = "Not in the paper", .task = task,
                          .column = column};
    return OK;
}

int table_of_task(struct table *out, const struct report *r, const char *name)
{
    const struct task *t;
    int n = 0, all = 0;

    PASS(task_find(&t, name));
    while (t->metrics[all])
        all++;
    struct table_task *task = arena_zero(r->memory, 2 * sizeof *task);
    struct table_column *column = arena_zero(
        r->memory, (COLUMNS + (size_t)all) * sizeof *column);
    task[0] = (struct table_task){t->name, t->title, NULL};
    column[n++] = (struct table_column)TABLE_PARAMS(t->name);
    for (int i = all - 1; i >= 0; i--)
        if (metric_named(t->metrics[i]))
            column[n++] = column_of(t->name, metric_named(t->metrics[i]));
    *out = (struct table){.name = t->name, .title = t->title,
                          .cite = "Every metric of the task", .task = task,
                          .column = column};
    return OK;
}
