/* sign: computes the signatures of a table (signature.h). */
#include "harness/report/result_table.h"
#include "harness/report/signing.h"

#include "harness/base/err.h"

#include <math.h>
#include <string.h>

/* ---- rows and cells without a signature ---- */

static const char *const none[CELL_STATES] = {
    [CELL_MISSING] = "none: not run",  [CELL_RUNNING] = "none: not finished",
    [CELL_DONE] = "none: not measured", [CELL_FAILED] = "none: failed",
    [CELL_REFUSED] = "none: refused",  [CELL_BLOCKED] = "none: blocked"};

/* Sets the signatures of a row and its cells to the reasons why they have none.
 * The reason of the row is the reason of its first cell that is not missing. */
static void say_none(const struct result_table *s, struct result_row *row)
{
    enum cell_state state = CELL_MISSING;

    for (int c = s->columns - 1; c >= 0; c--)
        if (row->cell[c].state != CELL_MISSING)
            state = row->cell[c].state;
    row->signature = row->reference ? "none: no model" : none[state];
    for (int c = 0; c < s->columns; c++)
        row->cell[c].signature = row->reference ? row->signature
                                                : none[row->cell[c].state];
}

/* ---- one row ---- */

/* Returns the metrics of a task in the order of its columns, ending with
 * NULL. */
static const char **metrics_of(const struct result_table *s,
                               const struct result_task *task)
{
    const char **metric = arena_take(s->memory, ((size_t)s->columns + 1) *
                                                    sizeof *metric);
    int n = 0;

    for (int c = 0; c < s->columns; c++)
        if (result_task_of(s, c) == task)
            metric[n++] = s->column[c]->metric;
    metric[n] = NULL;
    return metric;
}

/* Sets the signature of each number of a row for a task, and sets the metrics
 * of `one`.  text: for each column of the task, the part of the signature for
 * its metric (signing_task). */
static void sign_numbers(const struct result_table *s, struct result_row *row,
                         const struct result_task *task,
                         struct signed_task *one, const char **text)
{
    const char *all = NULL;

    for (int c = 0; c < s->columns; c++) {
        struct result_cell *cell = &row->cell[c];

        if (result_task_of(s, c) != task)
            continue;
        const char *metric = *text++;
        if (isnan(cell->value) || !metric)
            continue;
        one->of[SIGNED_METRICS] = metric;
        cell->signature = signature_text(&(struct signature){1, one},
                                         s->memory);
        if (s->column[c]->better)
            all = all ? arena_format(s->memory, "%s,%s", all, metric) : metric;
    }
    one->of[SIGNED_METRICS] = all;
}

/* Signs the numbers of a row for a task.  If the row has such numbers, adds the
 * task to the signature `all` of the row. */
static int sign_task(struct signature *all, const struct result_table *s,
                     struct result_row *row, const struct result_task *task)
{
    const struct report *r = s->report;
    struct signed_task *one = &all->task[all->tasks];
    const struct signed_task of = {{[SIGNED_TASK] = task->task,
                                    [SIGNED_SCALE] = s->scale,
                                    [SIGNED_VARIANT] = row->variant}};
    const struct report_cell **cell =
        arena_take(s->memory, ((size_t)r->n + 1) * sizeof *cell);
    const char **text = arena_take(s->memory, ((size_t)s->columns + 1) *
                                                  sizeof *text);
    int n = signing_cells(cell, r, &of, NULL);

    if (!n)
        return OK;
    PASS(signing_task(one, text, r, cell, n, metrics_of(s, task), s->memory));
    sign_numbers(s, row, task, one, text);
    all->tasks += one->of[SIGNED_METRICS] != NULL;
    return OK;
}

int sign_measured(struct result_table *s)
{
    for (int i = 0; i < s->rows; i++) {
        struct result_row *row = &s->row[i];
        struct signature all = {0, arena_zero(s->memory,
                                              ((size_t)s->tasks + 1) *
                                                  sizeof *all.task)};

        say_none(s, row);
        for (int k = 0; k < s->tasks && !row->reference; k++)
            PASS(sign_task(&all, s, row, &s->task[k]));
        if (all.tasks)
            row->signature = signature_text(&all, s->memory);
    }
    return OK;
}

int sign_alike(const struct result_table *s, const char *path)
{
    for (int c = 0; c < s->columns; c++) {
        const struct result_row *first = NULL;

        for (int i = 0; i < s->rows; i++) {
            const struct result_row *row = &s->row[i];

            if (!row->cell[c].how)
                continue;
            if (!first)
                first = row;
            if (strcmp(row->cell[c].how, first->cell[c].how))
                return err_set(ERR_USAGE, "%s: %s of %s on %s is computed as "
                               "'%s', but that of %s as '%s': one column "
                               "cannot show both", path, s->column[c]->metric,
                               row->variant, s->column[c]->task,
                               row->cell[c].how, first->variant,
                               first->cell[c].how);
        }
    }
    return OK;
}
