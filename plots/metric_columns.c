#include "plots/metric_columns.h"

#include "harness/base/arena.h"
#include "harness/metrics/metric.h"
#include "plots/select.h"

#include <string.h>

static int is_new(const struct table_column *list, int n, const char *metric)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(list[i].metric, metric))
            return 0;
    return 1;
}

static int columns_of(const struct table *t)
{
    int n = 0;

    while (t->column && t->column[n].task)
        n++;
    return n;
}

const struct table_column *metric_column_all(const struct report *r,
                                             const char *task)
{
    int n = 0, most = 1;

    for (int i = 0; table_all[i]; i++)
        most += columns_of(table_all[i]);
    struct table_column *out = arena_zero(r->memory, ((size_t)most + 1) *
                                                         sizeof *out);
    for (int i = 0; table_all[i]; i++)
        for (int c = 0; c < columns_of(table_all[i]); c++) {
            const struct table_column *x = &table_all[i]->column[c];

            if (x->better && !strcmp(x->task, task) &&
                is_new(out, n, x->metric))
                out[n++] = *x;
        }
    if (!n)
        out[0] = (struct table_column){task, "ce", "CE", "cross-entropy",
                                       "nats/token", -1, 3, NULL};
    return out;
}

int metric_column_measure(struct result_table **out, const struct report *r,
                          const char *task)
{
    struct table_task *tasks = arena_zero(r->memory, 2 * sizeof *tasks);
    struct table *t = arena_zero(r->memory, sizeof *t);

    tasks[0] = (struct table_task){task, select_task_title(task), NULL};
    *t = (struct table){.name = "", .title = "", .cite = "", .task = tasks,
                        .column = metric_column_all(r, task)};
    return result_fill(out, t, r, metric_all);
}
