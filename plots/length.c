/*
 * length: draws loss and cost against sequence length, for experiments that
 * vary `N`.  There is one picture for each task, with a line for each variant:
 * the floating-point operations of training per token, which the program
 * counts, and the cross-entropy on the test set, against N.  A line is the mean
 * over seeds, and each seed is a dot.
 *
 *   length_TASK.tsv: variant (the row's name without N), N, seed (-: mean over
 *   seeds), mflop (per token; NaN: unknown), ce (nats).  The means follow the
 *   seeds, in a block for each variant
 */
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "plots/figure.h"
#include "plots/sweep.h"

#include <math.h>

enum { LOSS, WORK };

static const struct column columns[] = {
    {"variant", NULL, COLUMN(struct sweep_row, line)},
    {"N", NULL, COLUMN(struct sweep_row, number)},
    {"seed", NULL, COLUMN(struct sweep_row, seed)},
    {"mflop", NULL, COLUMN(struct sweep_row, y[WORK])},
    {"ce", NULL, COLUMN(struct sweep_row, y[LOSS])},
    {.type = COLUMN_END}};

static int values(struct sweep_row *out, const struct sweep *s,
                  const struct sweep_cell *c)
{
    OWNED(cell_close) struct cell_reader *cell = NULL;
    double tokens = NAN, steps = NAN, flops = NAN;

    PASS(report_read(&cell, s->r, c->cell->id));
    PASS(cell_maybe(cell_get_real(cell, "timing", "tokens_per_s", &tokens)));
    PASS(cell_maybe(cell_get_real(cell, "timing", "steps_per_s", &steps)));
    PASS(cell_maybe(cell_get_real(cell, "timing", "flops_per_step", &flops)));
    out->y[LOSS] = c->ce;
    out->y[WORK] = flops * steps / tokens / 1e6;
    return OK;
}

static void set_panels(struct chart *c, const struct sweep *s,
                       const char *loss_unit)
{
    struct chart_panel *loss = &c->panel[LOSS], *work = &c->panel[WORK];

    for (int k = 0; k < c->panels; k++)
        chart_pad_log(&c->panel[k].least, &c->panel[k].most, 1.1);
    loss->title = arena_format(s->r->memory, "test cross-entropy, %s",
                               loss_unit);
    loss->y = 5;
    loss->left = 0.42;
    loss->right = 0.74;
    chart_pad(loss, 1e-3);
    work->title = "counted MFLOP per token";
    work->y = 4;
    work->left = 0.07;
    work->right = 0.36;
    work->log_y = 1;
    if (!(work->low <= work->high))
        c->panels = 1; /* no cell has its operations */
    chart_pad_log(&work->low, &work->high, 1.1);
}

static int draw(const struct figure *f, const struct report *r,
                const char *task, const struct output *to)
{
    OWNED(picture_abandon) struct picture p = {0};
    OWNED(free) char *name = str_format("%s_%s", f->name, task);
    struct chart_panel panel = {
        .x_title = "length N", .least = INFINITY, .low = INFINITY,
        .high = -INFINITY, .log_x = 1, .ticks = 1, .x = 2, .every = 1};
    struct chart c = {.panels = 2, .dots = CHART_DOTS,
                      .order = "with the greatest N",
                      .panel = {[LOSS] = panel, [WORK] = panel}};
    const char *unit;
    struct sweep s;

    int rc = sweep_read(&s, r, task, ",N=");
    if (rc)
        return rc;
    PASS(select_loss_unit(&unit, r, task));
    PASS(picture_begin(&p, to, name));
    PASS(sweep_lines(&c, &p, &s, columns, values));
    set_panels(&c, &s, unit);
    c.title = select_title(r, "Loss and cost by length", task);
    c.subtitle = select_seeds(r, task) > 1
                 ? "lines: mean over seeds; dots: each seed; texts differ by N"
                 : "texts differ by N";
    c.note = select_absent(r, task, s.lost);
    return chart_end(&p, &c, r);
}

const struct figure figure_length = {
    .name = "length",
    .title = "Loss and operations per token by sequence length",
    .none = "its experiment does not vary N",
    .draw = draw,
};
