/*
 * budget: draws the loss against the training budget, for experiments that vary
 * `steps`.  There is one picture for each task, with a line for each variant:
 * test cross-entropy against training steps, and against the processor time of
 * training.  A line is the mean over seeds, and each seed is a dot.  Both
 * panels share their vertical axis.
 *
 *   budget_TASK.tsv: variant (the row's name without the steps), steps, seed
 *   (-: mean over seeds), seconds (processor time of training), ce (nats).  The
 *   means follow the seeds, in a block for each variant
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "plots/figure.h"
#include "plots/sweep.h"

#include <math.h>

static const struct column columns[] = {
    {"variant", NULL, COLUMN(struct sweep_row, line)},
    {"steps", NULL, COLUMN(struct sweep_row, number)},
    {"seed", NULL, COLUMN(struct sweep_row, seed)},
    {"seconds", NULL, COLUMN(struct sweep_row, x)},
    {"ce", NULL, COLUMN(struct sweep_row, y[0])},
    {.type = COLUMN_END}};

enum { SECONDS, STEPS };

/* Rounds to six digits, so that an axis does not depend on the last bits of a
 * time. */
static double rounded(double x)
{
    double unit = pow(10, floor(log10(x)) - 5);

    return round(x / unit) * unit;
}

static int values(struct sweep_row *out, const struct sweep *s,
                  const struct sweep_cell *c)
{
    OWNED(cell_close) struct cell_reader *cell = NULL;

    out->y[SECONDS] = out->y[STEPS] = c->ce;
    PASS(report_read(&cell, s->r, c->cell->id));
    return cell_get_real(cell, "timing", "train_cpu_seconds", &out->x);
}

static int draw(const struct figure *f, const struct report *r,
                const char *task, const struct output *to)
{
    OWNED(picture_abandon) struct picture p = {0};
    OWNED(free) char *name = str_format("%s_%s", f->name, task);
    struct chart_panel panel = {
        .least = INFINITY,
        .low = INFINITY, .high = -INFINITY, .log_x = 1, .levels = 1, .y = 5,
        .every = 1};
    struct chart c = {.order = "with the most steps", .panels = 2,
                      .beyond = "beyond the axis: ", .dots = CHART_DOTS};
    const char *unit;
    struct sweep s;

    int rc = sweep_read(&s, r, task, ",steps=");
    if (rc)
        return rc;
    PASS(select_loss_unit(&unit, r, task));
    panel.title = arena_format(r->memory, "test cross-entropy, %s", unit);
    PASS(picture_begin(&p, to, name));
    c.panel[SECONDS] = c.panel[STEPS] = panel;
    c.panel[STEPS].ticks = 1;
    PASS(sweep_lines(&c, &p, &s, columns, values));
    PASS(reference_lines_read(&c.levels, r, task));
    for (int k = 0; k < c.panels; k++) {
        struct chart_panel *a = &c.panel[k];

        reference_lines_widen(&c.levels, &a->low, &a->high);
        chart_pad(a, 1e-6);
        a->least = fmax(a->least, 1e-3);
        a->most = fmax(a->most, 1e-3);
        chart_pad_log(&a->least, &a->most, 1.15);
        a->least = rounded(a->least);
        a->most = rounded(a->most);
        a->x_title = k == STEPS ? "training steps"
                                : "processor seconds of training";
        a->x = k == STEPS ? 2 : 4;
        a->left = k == STEPS ? 0.06 : 0.42;
        a->right = k == STEPS ? 0.36 : 0.74;
    }
    c.title = select_title(r, "Loss by training budget", task);
    c.subtitle = select_seeds(r, task) > 1
                     ? "lines: mean over seeds; dots: each seed" : "";
    c.note = select_absent(r, task, s.lost);
    return chart_end(&p, &c, r);
}

const struct figure figure_budget = {
    .name = "budget",
    .title = "Loss by training budget, in steps and processor time",
    .none = "its experiment does not vary steps",
    .draw = draw,
};
