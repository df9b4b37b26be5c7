#include "harness/cmd/table_own.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/config/matrix.h"
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

/* ---- an experiment's table, from another experiment's store ---- */

static const struct table_row *rows_of(const struct matrix_cell *cell, int n,
                                       struct arena *a)
{
    struct table_row *all = arena_zero(a, ((size_t)n + 1) * sizeof *all);
    int rows = 0;

    for (int i = 0; i < n; i++) {
        int k = 0;

        while (k < rows && strcmp(all[k].variant, cell[i].row))
            k++;
        if (k < rows || strstr(cell[i].row, MATRIX_TRIAL))
            continue;
        const char *row = arena_text(a, cell[i].row);
        all[rows++] = (struct table_row){row, row, 0};
    }
    return all;
}

/* Removes the tasks and columns of *out that the experiment does not have.
 * Returns the number of remaining tasks. */
static int keep_tasks(struct table *out, const struct experiment *e)
{
    const char *const *known = e->axis[AXIS_TASK].value;
    struct table_task *task = (struct table_task *)out->task;
    struct table_column *column = (struct table_column *)out->column;
    int tasks = 0, columns = 0;

    for (int i = 0; task[i].task; i++)
        if (names_index(known, task[i].task) >= 0)
            task[tasks++] = task[i];
    for (int i = 0; column[i].task; i++)
        if (names_index(known, column[i].task) >= 0)
            column[columns++] = column[i];
    task[tasks] = (struct table_task){0};
    column[columns] = (struct table_column){0};
    return tasks;
}

static const char *notice(const struct report *r, const char *name,
                          const char *file)
{
    OWNED(free) char *its = str_format("results/%s/experiment.json", name);
    OWNED(free) char *word = text_quoted(name), *path = text_quoted(file);
    int named = !strcmp(name, file);
    const char *way =
        file_exists(its)
            ? arena_format(r->memory, "its own results are in results/%s: "
                                      "`synthbench table %s`", name, word)
            : arena_format(r->memory, "`synthbench run %s%s%s` trains its "
                                      "own cells into results/%s",
                           named ? "experiments/" : "", path,
                           named ? ".yaml" : "", name);

    return arena_format(r->memory, "%s holds cells of experiment %s, with the "
                                   "settings of %s; this table of %s shows "
                                   "those of its variants; %s", r->store,
                        r->name, r->name, name, way);
}

int table_elsewhere(struct table *out, const char *file,
                    const struct report *r)
{
    const char *name = out->name;
    OWNED(experiment_close) struct experiment *e = NULL;
    OWNED(free) struct matrix_cell *cell = NULL;
    int n;

    PASS(experiment_read(&e, file));
    PASS(matrix_cells(e, &(struct choice){0}, &cell, &n));
    PASS(table_own(out, r));
    if (!keep_tasks(out, e))
        return err_set(ERR_EMPTY, "table %s: %s has none of its tasks; %s",
                       name, r->store, notice(r, name, file));
    out->name = arena_text(r->memory, name);
    out->title = arena_text(r->memory, e->title);
    out->row = rows_of(cell, n, r->memory);
    out->closed = 1;
    out->notice = notice(r, name, file);
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
