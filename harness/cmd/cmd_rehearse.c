/* rehearse: checks whether an experiment would run here, by training a few
 * steps of each kind of cell. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
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

/* Values from the file of a rehearsed cell. */
struct found { double step, peak; int metrics; };

static int look(struct found *out, const struct rehearsal *r,
                const struct rehearsed *x)
{
    OWNED(cell_close) struct cell_reader *f = NULL;
    struct results all;
    double steps = x->cell->config.steps;

    *out = (struct found){NAN, NAN, 0};
    PASS(cell_open(&f, r->plan->store, x->cell->id));
    if (cell_get_real(f, "timing", "step_seconds_min", &out->step) < 0) {
        PASS(cell_get_real(f, "timing", "train_seconds", &out->step));
        out->step /= steps;
    }
    PASS(cell_get_real(f, "timing", "peak_rss_bytes", &out->peak));
    PASS(results_read(&all, r->plan->store, x->cell->id,
                      x->cell->task->metrics, 0, r->plan->memory));
    out->metrics = all.metrics;
    return OK;
}

/* Returns the time of a step of the real cell: the rehearsed time `step`,
 * scaled to the number of rows in the batch of the experiment. */
static double own_step(const struct rehearsed *x, double step)
{
    return step * x->real->step.rows / x->cell->step.rows;
}

static void add_bytes(struct grid *g, double bytes)
{
    char text[32];

    grid_add(g, "%s", grid_count(bytes, "B", text));
}

static void add_row(struct grid *g, const struct rehearsed *x,
                    const struct found *s)
{
    const struct cell *own = x->real;
    char params[32];

    grid_add(g, "%s\t%s\t%s\t%.3g s\t%.3g s", own->config.task, own->row,
             grid_count(own->cost.params, NULL, params), s->step,
             own_step(x, s->step));
    add_bytes(g, s->peak);
    add_bytes(g, x->cell->cost.bytes);
    add_bytes(g, own->cost.bytes);
    add_bytes(g, x->saved);
    grid_add(g, "%s\t%d", x->same ? "bit-identical" : "no", s->metrics);
}

static json_t *row_json(const struct rehearsed *x, const struct found *s)
{
    const struct cell *own = x->real;

    return json_pack(
        "{s:s, s:s, s:s, s:f, s:i, s:w, s:w, s:w, s:f, s:f, s:f, s:b, s:i, "
        "s:o}",
        "id", x->cell->id, "task", own->config.task, "variant", own->row,
        "params", own->cost.params, "batch", x->cell->config.batch,
        "step_seconds", s->step, "own_step_seconds", own_step(x, s->step),
        "peak_bytes", s->peak, "planned_bytes", x->cell->cost.bytes,
        "own_planned_bytes", own->cost.bytes, "checkpoint_bytes", x->saved,
        "resumed_same", x->same, "metrics", s->metrics, "why",
        x->why ? json_word(x->why) : json_null());
}

static int describe_all(const struct rehearsal *r, const char *format)
{
    static const char *const head[] = {
        "task", "variant", "params", "time per step", "time, full batch",
        "memory", "planned memory", "planned memory, full batch", "checkpoint",
        "resumed", "metrics stored", NULL};
    OWNED(sheet_close) struct sheet *sheet = sheet_new();
    struct grid *g = sheet_listing(sheet, "<<>>>>>>><>", head);
    json_t *rows = json_array();

    for (int i = 0; i < r->n; i++) {
        const struct rehearsed *x = &r->of[i];
        struct found s = {NAN, NAN, 0};

        if (x->rc == OK && !r->signal)
            PASS(look(&s, r, x));
        if (x->rc == OK && !r->signal)
            add_row(g, x, &s);
        json_array_append_new(rows, row_json(x, &s));
    }
    for (int i = 0; i < r->n; i++)
        if (r->of[i].rc < 0)
            sheet_put(sheet, PART_LINE, "%s %s: %s",
                      r->of[i].real->config.task, r->of[i].real->row,
                      task_reason(r->of[i].real->task, r->of[i].why));
    sheet->object = json_pack("{s:o, s:s}", "rehearsed", rows, "store",
                              r->plan->store);
    return sheet_print(sheet, format, NULL);
}

/* Returns the exit code of the worst failure; missing data is the least
 * severe. */
static int code_of(const struct rehearsal *r)
{
    int code = r->signal ? 128 + r->signal : OK;

    for (int i = 0; i < r->n && !r->signal; i++)
        if (r->of[i].rc < 0 && code != 1)
            code = r->of[i].rc == ERR_DATA ? -ERR_DATA : 1;
    return code;
}

static int run_rehearse(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(rehearsal_close) struct rehearsal r = {0};
    struct plan_of of = g->plan;

    of.experiment = args->of[0];
    PASS(rehearsal_run(&r, &of, &g->pool));
    PASS(describe_all(&r, g->format));
    return code_of(&r);
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
