#include "plots/select.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/text.h"
#include "harness/report/table.h"
#include "harness/store/cell.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Returns the distinct values of a text member of struct report_cell, the one
 * at the offset `at`. The list ends with NULL. */
static const char *const *distinct(const struct report *r, size_t at)
{
    const char **out = arena_zero(r->memory,
                                  ((size_t)r->n + 1) * sizeof *out);
    int n = 0;

    for (int i = 0; i < r->n; i++) {
        const char *text = *(const char *const *)(
            (const char *)&r->cell[i] + at);

        if (names_index(out, text) < 0)
            out[n++] = text;
    }
    return out;
}

const char *const *select_tasks(const struct report *r)
{
    return distinct(r, offsetof(struct report_cell, task));
}

const char *const *select_variants(const struct report *r)
{
    return distinct(r, offsetof(struct report_cell, variant));
}

int select_is(const struct report_cell *c, const char *task,
              const char *variant)
{
    return !strcmp(c->task, task) &&
           (!variant || !strcmp(c->variant, variant));
}

int select_finished(const struct report_cell *c, const char *task,
                    const char *variant)
{
    return c->state == CELL_DONE && select_is(c, task, variant);
}

const struct report_cell *select_first(const struct report *r, const char *task,
                                       const char *variant)
{
    const struct report_cell *first = NULL;

    for (const struct report_cell *c = r->cell; c < r->cell + r->n; c++)
        if (select_finished(c, task, variant) &&
            (!first || c->seed < first->seed))
            first = c;
    return first;
}

int select_seeds(const struct report *r, const char *task)
{
    int most = 0;

    for (const char *const *v = select_variants(r); *v; v++) {
        int n = 0;

        for (int i = 0; i < r->n; i++)
            n += select_finished(&r->cell[i], task, *v);
        most = n > most ? n : most;
    }
    return most;
}

const char *select_task_title(const char *task)
{
    for (const struct table *const *t = table_all; *t; t++)
        for (const struct table_task *of = (*t)->task; of && of->task; of++)
            if (!strcmp(of->task, task))
                return of->title;
    return task;
}

const char *select_title(const struct report *r, const char *what,
                         const char *task)
{
    const char *scale = "";
    int seeds = select_seeds(r, task), synthetic = 0;

    for (int i = 0; i < r->n; i++)
        if (!strcmp(r->cell[i].task, task)) {
            scale = r->cell[i].scale;
            synthetic |= r->cell[i].synthetic;
        }
    return arena_format(r->memory, "%s: %s%s%s, scale %s, %d seed%s", what,
                        select_task_title(task),
                        synthetic ? " (SYNTHETIC DATA)" : "",
                        report_uncompared(r, task) ? " (NOT COMPARED)" : "",
                        scale, seeds, seeds == 1 ? "" : "s");
}

const char *select_band(int seeds)
{
    return seeds > 1 ? "lines: mean over seeds; bands: minimum to maximum" : "";
}

int select_sane(double nats) { return fabs(nats) <= SELECT_WORST; }

enum select_lost select_loss(double nats)
{
    return select_sane(nats) ? SELECT_DRAWN
           : isfinite(nats)  ? SELECT_BLIND
                             : SELECT_DIVERGED;
}

int select_losses(enum select_lost **out, const struct report *r,
                  const char *task)
{
    *out = arena_zero(r->memory, ((size_t)r->n + 1) * sizeof **out);
    for (int i = 0; i < r->n; i++) {
        OWNED(cell_close) struct cell_reader *cell = NULL;
        double ce;

        if (!select_finished(&r->cell[i], task, NULL))
            continue;
        PASS(report_read(&cell, r, r->cell[i].id));
        if (cell_get_metric(cell, "ce", &ce) == OK)
            (*out)[i] = select_loss(ce);
    }
    return OK;
}

int select_has_lost(const struct report *r, const char *task,
                    const char *variant, const enum select_lost *lost)
{
    for (int i = 0; i < r->n; i++)
        if (lost[i] && select_is(&r->cell[i], task, variant))
            return 1;
    return 0;
}

int select_loss_unit(const char **out, const struct report *r,
                     const char *task)
{
    const struct report_cell *first = select_first(r, task, NULL);
    OWNED(cell_close) struct cell_reader *cell = NULL;
    double accuracy;

    *out = "nats/token";
    if (!first)
        return OK;
    PASS(report_read(&cell, r, first->id));
    if (cell_get_metric(cell, "accuracy", &accuracy) == OK)
        *out = "nats/example";
    return OK;
}

static enum select_lost lost_as(const struct report *r, int i,
                                const enum select_lost *lost)
{
    const struct report_cell *c = &r->cell[i];

    if (!strcmp(c->class, "diverged"))
        return SELECT_DIVERGED;
    return c->state == CELL_FAILED ? SELECT_FAILED : lost[i];
}

/* Writes "dense" if all seeds of the variant are lost for the reason `wanted`,
 * or "dense seeds 2, 3" if only some are. */
static void put_variant(struct text *out, const struct report *r,
                        const char *task, const char *variant,
                        const enum select_lost *lost, enum select_lost wanted)
{
    int cells = 0, absent = 0, named = 0;

    for (int i = 0; i < r->n; i++)
        if (select_is(&r->cell[i], task, variant)) {
            cells++;
            absent += lost_as(r, i, lost) == wanted;
        }
    text_put(out, variant);
    for (int i = 0; i < r->n && absent < cells; i++)
        if (select_is(&r->cell[i], task, variant) &&
            lost_as(r, i, lost) == wanted)
            text_format(out, "%s%lld",
                        named++ ? ", " : absent > 1 ? " seeds " : " seed ",
                        r->cell[i].seed);
}

/* Appends "diverged: dense; random" to the text. */
static void put_absent(struct text *out, const struct report *r,
                       const char *task, const enum select_lost *lost,
                       enum select_lost wanted)
{
    static const char *const word[][2] = {
        [SELECT_DIVERGED] = {"diverged: ", ".  Diverged: "},
        [SELECT_BLIND] = {"worse than the input-blind baseline: ",
                          ".  Worse than the input-blind baseline: "},
        [SELECT_FAILED] = {"failed: ", ".  Failed: "}};
    int named = 0;

    for (const char *const *v = select_variants(r); *v; v++)
        for (int i = 0; i < r->n; i++)
            if (select_is(&r->cell[i], task, *v) &&
                lost_as(r, i, lost) == wanted) {
                text_put(out, named++ ? "; " : word[wanted][out->n > 0]);
                put_variant(out, r, task, *v, lost, wanted);
                break;
            }
}

const char *select_absent(const struct report *r, const char *task,
                          const enum select_lost *lost)
{
    enum { ROOM = 105 }; /* characters of a line in a picture */
    struct text all = {0};

    put_absent(&all, r, task, lost, SELECT_DIVERGED);
    put_absent(&all, r, task, lost, SELECT_BLIND);
    put_absent(&all, r, task, lost, SELECT_FAILED);
    if (all.n > ROOM)
        strcpy(all.s + ROOM - 3, "...");
    return text_keep(&all, r->memory);
}

const char *select_silent(const struct report *r, int cells)
{
    return !cells ? ""
                  : arena_format(r->memory, "omitted: %d cell%s without this "
                                 "measurement, trained by an earlier version "
                                 "or another program", cells,
                                 cells == 1 ? "" : "s");
}

const char *select_note(const struct report *r, const char *a, const char *b)
{
    return arena_format(r->memory, "%s%s%s", a, *a && *b ? ".  " : "", b);
}
