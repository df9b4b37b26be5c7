/*
 * scaling: draws the test cross-entropy against a number that the experiment
 * varies, and a cost beside it, for the figures `budget` and `length`.  There
 * is one picture for each task, with a line for each variant: the mean over
 * seeds, with a dot for each seed.
 *
 *   budget_TASK.tsv: variant (the row's name without the steps), steps, seed
 *   (-: mean over seeds), seconds (processor time of training), ce (nats).
 *   Both panels show the loss, so that they share their vertical axis
 *   length_TASK.tsv: variant (the row's name without N), N, seed, mflop (of
 *   training per token, which the program counts; NaN: unknown), ce
 *
 * The means follow the seeds, in a block for each variant.
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "plots/figure.h"
#include "plots/sweep.h"

#include <math.h>

enum { LOSS, COST };

/* What differs between the figures.  The first panel is on the right. */
struct scaling {
    const char          *key, *title, *order;
    const char          *subtitle; /* in addition to the usual one, or ""  */
    const struct column *columns;
    sweep_values        *values;
    struct chart_panel   panel[CHART_PANELS]; /* title NULL: the loss      */
};

static int budget_values(struct sweep_row *out, const struct sweep *s,
                         const struct sweep_cell *c)
{
    OWNED(cell_close) struct cell_reader *cell = NULL;

    out->y[0] = out->y[1] = c->ce;
    PASS(report_read(&cell, s->r, c->cell->id));
    return cell_get_real(cell, "timing", "train_cpu_seconds", &out->x);
}

static int length_values(struct sweep_row *out, const struct sweep *s,
                         const struct sweep_cell *c)
{
    OWNED(cell_close) struct cell_reader *cell = NULL;
    double tokens = NAN, steps = NAN, flops = NAN;

    PASS(report_read(&cell, s->r, c->cell->id));
    PASS(cell_maybe(cell_get_real(cell, "timing", "tokens_per_s", &tokens)));
    PASS(cell_maybe(cell_get_real(cell, "timing", "steps_per_s", &steps)));
    PASS(cell_maybe(cell_get_real(cell, "timing", "flops_per_step", &flops)));
    out->y[LOSS] = c->ce;
    out->y[COST] = flops * steps / tokens / 1e6;
    return OK;
}

#define ROW(varied, cost, member)                                             \
    {{"variant", NULL, COLUMN(struct sweep_row, line)},                       \
     {varied, NULL, COLUMN(struct sweep_row, number)},                        \
     {"seed", NULL, COLUMN(struct sweep_row, seed)},                          \
     {cost, NULL, COLUMN(struct sweep_row, member)},                          \
     {"ce", NULL, COLUMN(struct sweep_row, y[LOSS])},                         \
     {.type = COLUMN_END}}

static const struct column budget_columns[] = ROW("steps", "seconds", x);
static const struct column length_columns[] = ROW("N", "mflop", y[COST]);

static const struct scaling budget = {
    ",steps=", "Loss by training budget", "with the most steps", "",
    budget_columns, budget_values,
    {{.x_title = "processor seconds of training", .x = 4, .y = 5, .levels = 1},
     {.x_title = "training steps", .x = 2, .y = 5, .levels = 1, .ticks = 1}}};

static const struct scaling length = {
    ",N=", "Loss and cost by length", "with the greatest N",
    "Texts differ by N", length_columns, length_values,
    {{.x_title = "length N", .x = 2, .y = 5, .ticks = 1},
     {.x_title = "length N", .x = 2, .y = 4, .ticks = 1, .log_y = 1,
      .title = "counted MFLOP per token"}}};

/* Rounds to six digits, so that an axis does not depend on the last bits of a
 * time. */
static double rounded(double x)
{
    double unit = pow(10, floor(log10(x)) - 5);

    return round(x / unit) * unit;
}

/* Sets what all panels have in common, with empty limits. */
static void set_panel(struct chart_panel *a, int k, const char *loss)
{
    a->title = a->title ? a->title : loss;
    a->left = k == LOSS ? 0.42 : 0.07;
    a->right = k == LOSS ? 0.74 : 0.36;
    a->low = a->least = INFINITY;
    a->high = -INFINITY;
    a->log_x = a->every = 1;
}

/* Adds margins to the limits of a panel that sweep_lines has set. */
static void pad(struct chart_panel *a, const struct reference_lines *levels)
{
    reference_lines_widen(levels, &a->low, &a->high);
    if (a->log_y)
        chart_pad_log(&a->low, &a->high, 1.1);
    else
        chart_pad(a, 1e-3);
    a->least = fmax(a->least, 1e-3);
    a->most = fmax(a->most, 1e-3);
    chart_pad_log(&a->least, &a->most, 1.15);
    a->least = rounded(a->least);
    a->most = rounded(a->most);
}

static int draw(const struct figure *f, const struct report *r,
                const char *task, const struct output *to)
{
    const struct scaling *x = f->with;
    OWNED(picture_abandon) struct picture p = {0};
    OWNED(free) char *name = str_format("%s_%s", f->name, task);
    struct chart c = {.order = x->order, .panels = CHART_PANELS,
                      .panel = {x->panel[LOSS], x->panel[COST]},
                      .beyond = "beyond the axis: ", .dots = CHART_DOTS};
    const char *unit;
    struct sweep s;

    int rc = sweep_read(&s, r, task, x->key);
    if (rc)
        return rc;
    PASS(select_loss_unit(&unit, r, task));
    for (int k = 0; k < c.panels; k++)
        set_panel(&c.panel[k], k,
                  arena_format(r->memory, "test cross-entropy, %s", unit));
    PASS(picture_begin(&p, to, name));
    PASS(sweep_lines(&c, &p, &s, x->columns, x->values));
    if (c.panel[LOSS].levels)
        PASS(reference_lines_read(&c.levels, r, task));
    if (!(c.panel[COST].low <= c.panel[COST].high))
        c.panels = 1; /* no cell has its cost */
    for (int k = 0; k < c.panels; k++)
        pad(&c.panel[k], &c.levels);
    c.title = select_title(r, x->title, task);
    c.subtitle = select_note(r, select_seeds(r, task) > 1
                                    ? "lines: mean over seeds; dots: each seed"
                                    : "", x->subtitle);
    c.note = select_absent(r, task, s.lost);
    return chart_end(&p, &c, r);
}

const struct figure figure_budget = {
    .name = "budget",
    .title = "Loss by training budget, in steps and processor time",
    .none = "its experiment does not vary steps",
    .draw = draw, .with = &budget,
};

const struct figure figure_length = {
    .name = "length",
    .title = "Loss and operations per token by sequence length",
    .none = "its experiment does not vary N",
    .draw = draw, .with = &length,
};
