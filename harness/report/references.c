#include "harness/report/references.h"

#include "harness/base/err.h"
#include "harness/report/baselines.h"

#include <math.h>
#include <string.h>

static void put(struct measured *s, int column, const char *name,
                const char *title, const char *what, struct estimate v)
{
    struct measured_row *row = measured_add_row(s, name, title, what);
    struct measured_cell *cell = &row->cell[column];

    cell->state = CELL_DONE;
    cell->value = v.value;
    cell->between = v.between;
    cell->n = cell->asked = 1;
}

static int put_evidence(struct measured *s, const struct measured_task *task,
                        struct evidence *e, const struct evidence_reference *f)
{
    for (int c = 0; c < s->columns; c++) {
        struct estimate v;

        if (measured_task_of(s, c) != task || !s->column[c]->better)
            continue;
        PASS(evidence_of(&v, e, f->name, s->column[c]->metric));
        if (!isnan(v.value))
            put(s, c, f->name, f->title, f->what, v);
    }
    return OK;
}

static void put_baseline(struct measured *s, const struct measured_task *task,
                         const struct baseline_score *b)
{
    for (int c = 0; c < s->columns; c++)
        if (measured_task_of(s, c) == task &&
            !strcmp(s->column[c]->metric, b->metric))
            put(s, c, b->name, b->name, b->what,
                (struct estimate){b->value, {NAN, NAN}});
}

int references_fill(struct measured *s, const struct measured_task *task,
                    struct evidence *e)
{
    struct baseline_score *baseline;
    int n;

    PASS(baselines_of_task(&baseline, &n, s->report, task->task, s->memory));
    for (const struct evidence_reference *f = evidence_references; f->name; f++)
        PASS(put_evidence(s, task, e, f));
    for (int i = 0; i < n; i++)
        put_baseline(s, task, &baseline[i]);
    return OK;
}
