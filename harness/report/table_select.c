/* table_select: selects the tasks, columns and rows that a table shows of a
 * store.  result_fill calls table_select_fill. */
#include "harness/report/result_table.h"

#include "harness/base/arena.h"
#include "harness/base/array.h"
#include "harness/base/err.h"

#include <math.h>
#include <string.h>

static void *zeros(struct result_table *s, int n, size_t size)
{
    return arena_zero(s->memory, ((size_t)n + 1) * size);
}

const char *result_label(struct result_table *s, const struct result_task *t)
{
    return arena_format(s->memory, "%s%s%s%s", t->title,
                        t->synthetic ? " (SYNTHETIC)" : "",
                        t->subset ? " (SUBSET)" : "",
                        t->uncompared ? " (NOT COMPARED)" : "");
}

/* Selects the table's tasks that the experiment has, in the table's order. */
static void pick_tasks(struct result_table *s)
{
    const struct report *r = s->report;
    int n = 0;

    for (const struct table_task *t = s->table->task; t->task; t++)
        n++;
    s->task = zeros(s, n, sizeof *s->task);
    for (const struct table_task *t = s->table->task; t->task; t++) {
        int asked = 0, synthetic = 0;

        for (int i = 0; i < r->n; i++)
            if (!strcmp(r->cell[i].task, t->task)) {
                asked = 1;
                synthetic |= r->cell[i].synthetic;
            }
        if (!asked)
            continue;
        struct result_task *task = &s->task[s->tasks++];
        *task = (struct result_task){
            .task = t->task, .title = t->title, .synthetic = synthetic,
            .uncompared = report_uncompared(r, t->task),
            .paper = t->paper ? t->paper : t->title};
        task->label = result_label(s, task);
        s->synthetic += synthetic;
    }
}

/* Requires that no earlier cell has the same variant, task, scale and seed as
 * cell i, because a table has one place for the two cells. */
static int check_unique(const struct report *r, int i)
{
    const struct report_cell *c = &r->cell[i];

    for (int j = 0; j < i; j++) {
        const struct report_cell *d = &r->cell[j];

        if (c->seed == d->seed && !strcmp(c->variant, d->variant) &&
            !strcmp(c->task, d->task) && !strcmp(c->scale, d->scale))
            return err_set(ERR_USAGE, "%s: cells %s and %s are both %s on %s, "
                           "seed %lld, with different settings, but a table "
                           "has one place for them: use a separate store for "
                           "each (run --store DIR)", r->store, d->id, c->id,
                           c->variant, c->task, c->seed);
    }
    return OK;
}

/* Counts the cells of the table.  Requires that all have the same scale and
 * that at least one is finished. */
static int check_cells(struct result_table *s)
{
    const struct report *r = s->report;

    for (int i = 0; i < r->n; i++) {
        const struct report_cell *c = &r->cell[i];

        if (!result_find(s, c->task))
            continue;
        if (s->scale && strcmp(s->scale, c->scale))
            return err_set(ERR_USAGE, "%s has cells of scale %s and of scale "
                           "%s, but a table shows one scale: use a separate "
                           "store for each (run --store DIR)", r->store,
                           s->scale, c->scale);
        PASS(check_unique(r, i));
        s->scale = c->scale;
        s->cells += c->state != CELL_REFUSED;
        s->done += c->state == CELL_DONE;
    }
    if (!s->cells)
        return err_set(ERR_EMPTY, "%s: no cell has a variant and a task of "
                       "table %s", r->store, s->table->name);
    if (!s->done)
        return err_set(ERR_EMPTY, "%s: no cell of table %s is finished (0 of "
                                  "%d); `synthbench status` prints why, "
                                  "`synthbench run` trains them", r->store,
                       s->table->name, s->cells);
    return OK;
}

static void pick_columns(struct result_table *s)
{
    int n = 0;

    for (const struct table_column *c = s->table->column; c->task; c++)
        n++;
    s->column = zeros(s, n, sizeof *s->column);
    s->withheld = zeros(s, n, sizeof *s->withheld);
    for (const struct table_column *c = s->table->column; c->task; c++)
        if (result_find(s, c->task))
            s->column[s->columns++] = c;
}

struct result_row *result_add_row(struct result_table *s, const char *variant,
                                  const char *title, const char *what)
{
    for (int i = 0; i < s->rows; i++)
        if (!strcmp(s->row[i].variant, variant))
            return &s->row[i];
    ARRAY_ROOM(s->row, s->rows, s->room);
    struct result_row *row = &s->row[s->rows++];
    *row = (struct result_row){
        .variant = variant, .title = title, .what = what,
        .reference = what != NULL, .columns = s->columns,
        .cell = zeros(s, s->columns, sizeof *row->cell), .signature = ""};
    for (int c = 0; c < s->columns; c++)
        row->cell[c] = (struct result_cell){
            .value = NAN, .between = {NAN, NAN}, .published = NAN,
            .rank = NAN, .rank_published = NAN, .settled = NAN,
            .settled_error = NAN};
    return row;
}

/* Returns 1 if the table has a cell whose row name is `variant` followed by
 * `settings`. */
static int was_run(const struct result_table *s, const char *variant,
                   const char *settings)
{
    const struct report *r = s->report;
    size_t n = strlen(variant);

    for (int i = 0; i < r->n; i++)
        if (result_find(s, r->cell[i].task) &&
            !strncmp(r->cell[i].variant, variant, n) &&
            !strcmp(r->cell[i].variant + n, settings))
            return 1;
    return 0;
}

/* Adds the rows of a variant that are tuned or have varied settings:
 * "random,tuned", "random,steps=700". */
static void add_settings(struct result_table *s, const char *variant,
                         const char *title)
{
    const struct report *r = s->report;
    size_t n = strlen(variant);

    for (int i = 0; i < r->n; i++) {
        const char *name = r->cell[i].variant;

        if (result_find(s, r->cell[i].task) && !strncmp(name, variant, n) &&
            name[n] == ',')
            result_add_row(s, name, arena_format(s->memory, "%s, %s", title,
                                                 name + n + 1), NULL);
    }
}

static const char TUNED[] = ",tuned";

static int was_run_at_all(const struct result_table *s, const char *variant)
{
    return was_run(s, variant, "") || was_run(s, variant, TUNED);
}

/* Returns the variant of the row, or its stand-in if only the stand-in was
 * run. */
static const char *variant_of(const struct result_table *s,
                              const struct table_row *t)
{
    const struct table_stand_in *x = s->table->stand_in;

    for (; x && x->variant; x++)
        if (!strcmp(x->variant, t->variant) &&
            !was_run_at_all(s, t->variant) && was_run_at_all(s, x->other))
            return x->other;
    return t->variant;
}

/* Adds a row of the table.  If only tuned cells of the variant were run, the
 * row shows these cells. */
static void pick_row(struct result_table *s, const struct table_row *t)
{
    const char *variant = variant_of(s, t);
    const char *title = t->title, *row = variant;
    int run = was_run(s, variant, "");

    if (!run && was_run(s, variant, TUNED)) {
        row = arena_format(s->memory, "%s%s", variant, TUNED);
        title = arena_format(s->memory, "%s, tuned", t->title);
        run = 1;
    }
    if (run || !t->ours) {
        struct result_row *to = result_add_row(s, run ? row : t->variant,
                                               title, NULL);

        if (run && strcmp(row, t->variant))
            to->published = t->variant;
    }
    add_settings(s, variant, t->title);
}

/* Adds the rows that the table lists, each followed by the rows of the same
 * variant that are tuned or have varied settings, then all other rows of the
 * store.  References are added later. */
static void pick_rows(struct result_table *s)
{
    const struct report *r = s->report;

    for (const struct table_row *t = s->table->row; t && t->variant; t++)
        pick_row(s, t);
    for (int i = 0; i < r->n; i++)
        if (result_find(s, r->cell[i].task))
            result_add_row(s, r->cell[i].variant, r->cell[i].variant, NULL);
}

int table_select_fill(struct result_table *s)
{
    pick_tasks(s);
    PASS(check_cells(s));
    pick_columns(s);
    pick_rows(s);
    return OK;
}
