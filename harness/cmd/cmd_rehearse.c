/* rehearse: checks whether an experiment would run here, by training a few
 * steps of each kind of cell. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/print/sheet.h"
#include "harness/run/rehearsal.h"
#include "harness/site/results.h"
#include "harness/store/cell.h"

#include <math.h>

struct given {
    struct plan_of plan;
    struct pool_options pool;
    const char    *format;
};

static const struct opt options[] = {
    {.group = opts_plan, .at = OPT_AT(plan)},
    {.group = opts_cache, .at = OPT_AT(pool.cache)},
    {.group = opts_files, .at = OPT_AT(pool.files)},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

/* A rehearsed cell, with values from its file. */
struct row {
    const struct cell *cell, *real;
    double             step, own_step; /* seconds; own_step: of the real cell */
    double             peak, saved;    /* bytes */
    int                same, metrics;
    const char        *why;
};

#define CELL COLUMN_VIA(struct row, cell)
#define REAL COLUMN_VIA(struct row, real)

static const char *resumed(const void *row, struct arena *a)
{
    (void)a;
    return ((const struct row *)row)->same ? "bit-identical" : "no";
}

static const struct column columns[] = {
    {"id", NULL, CELL, COLUMN_AS(COLUMN_CHARS, struct cell, id)},
    {"task", "task", REAL, COLUMN_AS(COLUMN_CHARS, struct cell, config.task)},
    {"variant", "variant", REAL, COLUMN(struct cell, row)},
    {"params", "params", REAL, COLUMN(struct cell, cost.params), .unit = ""},
    {"batch", NULL, CELL, COLUMN(struct cell, config.batch)},
    {"step_seconds", "time per step", COLUMN_AS(COLUMN_WHOLE, struct row, step),
     "%.3g s"},
    {"own_step_seconds", "time, full batch",
     COLUMN_AS(COLUMN_WHOLE, struct row, own_step), "%.3g s"},
    {"peak_bytes", "memory", COLUMN_AS(COLUMN_WHOLE, struct row, peak),
     .unit = "B"},
    {"planned_bytes", "planned memory", CELL, COLUMN(struct cell, cost.bytes),
     .unit = "B"},
    {"own_planned_bytes", "planned memory, full batch", REAL,
     COLUMN(struct cell, cost.bytes), .unit = "B"},
    {"checkpoint_bytes", "checkpoint", COLUMN(struct row, saved), .unit = "B"},
    {"resumed_same", "resumed", COLUMN_AS(COLUMN_BOOL, struct row, same),
     .show = resumed, .left = 1},
    {"metrics", "metrics stored", COLUMN(struct row, metrics)},
    {"why", NULL, COLUMN_AS(COLUMN_WORD, struct row, why)},
    {.type = COLUMN_END}};

static int look(struct row *out, const struct rehearsal *r,
                const struct rehearsed *x)
{
    OWNED(cell_close) struct cell_reader *f = NULL;
    struct results all;

    *out = (struct row){x->cell, x->real, NAN, NAN, NAN, x->saved, x->same, 0,
                        x->why};
    if (x->rc != OK || r->signal)
        return OK;
    PASS(cell_open(&f, r->plan->store, x->cell->id));
    if (cell_get_real(f, "timing", "step_seconds_min", &out->step) < 0) {
        PASS(cell_get_real(f, "timing", "train_seconds", &out->step));
        out->step /= x->cell->config.steps;
    }
    out->own_step = out->step * x->real->step.rows / x->cell->step.rows;
    PASS(cell_get_real(f, "timing", "peak_rss_bytes", &out->peak));
    PASS(results_read(&all, r->plan->store, x->cell->id,
                      x->cell->task->metrics, 0, r->plan->memory));
    out->metrics = all.metrics;
    return OK;
}

static int describe_all(const struct rehearsal *r, const char *format)
{
    OWNED(sheet_close) struct sheet *s = sheet_new();
    struct row *row = arena_take(s->memory, ((size_t)r->n + 1) * sizeof *row);
    const struct row **done = arena_take(s->memory,
                                         ((size_t)r->n + 1) * sizeof *done);
    struct relation all = {"rehearsed", columns, row, sizeof *row, r->n};
    int n = 0;

    for (int i = 0; i < r->n; i++) {
        PASS(look(&row[i], r, &r->of[i]));
        if (r->of[i].rc == OK && !r->signal)
            done[n++] = &row[i];
    }
    sheet_fact(s, all.name, relation_json(&all, s->memory));
    sheet_fact(s, "store", json_string(r->plan->store));
    sheet_grid_of(s, &(struct relation){NULL, columns, done, 0, n});
    for (int i = 0; i < r->n; i++)
        if (r->of[i].rc < 0)
            sheet_put(s, PART_LINE, "%s %s: %s", r->of[i].real->config.task,
                      r->of[i].real->row,
                      task_reason(r->of[i].real->task, r->of[i].why));
    return sheet_print(s, format, NULL);
}

static int run_rehearse(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(rehearsal_close) struct rehearsal r = {0};
    struct plan_of of = g->plan;
    int code = OK;

    of.experiment = args->of[0];
    PASS(rehearsal_run(&r, &of, &g->pool));
    PASS(describe_all(&r, g->format));
    if (r.signal)
        return 128 + r.signal;
    for (int i = 0; i < r.n; i++) /* missing data is the least severe */
        if (r.of[i].rc < 0 && code != 1)
            code = r.of[i].rc == ERR_DATA ? -ERR_DATA : 1;
    return code;
}

const struct command command_rehearse = {
    .name = "rehearse",
    .summary = "Try a few steps of every kind of cell of an experiment",
    .args = "EXPERIMENT.yaml",
    .doc = "For each kind of task and size of model, trains the cell that "
           "needs most memory, alone and at full size: two steps with a batch "
           "of 2 (-S changes both). The cell is saved after the first step "
           "and resumed, which must give the same bits as an uninterrupted "
           "run; then it is evaluated. Prints seconds per step, measured and "
           "planned memory (also for the experiment's own batch) and the size "
           "of the checkpoint. Cells go to --store (default: "
           "results/EXPERIMENT" REHEARSAL "). Exit code 8: the text of a task "
           "is missing; 1: another failure.",
    .formats = command_text_json,
    COMMAND_RUNS(run_rehearse, 1, 1)};
