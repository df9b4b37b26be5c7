/*
 * length: draws loss and cost against sequence length, for experiments that
 * vary `N`.  There is one picture for each task, with a line for each variant:
 * the loss on the test set, and the time and the floating-point operations of
 * training per token, against N.  The loss is the mean over seeds, in a band
 * from their minimum to their maximum.  The time is that of the fastest seed
 * whose speed is not too noisy; operations are counted by the program.  Rings
 * mark where a variant, by interpolation between lengths that were run, costs
 * as much as the first variant of the experiment.  Cells whose loss is not sane
 * (SELECT_WORST) are left out.
 *
 *   length_TASK.tsv: variant (the row's name without N), what (run; even: a
 *   break-even), N, seconds, flops (a break-even has only the cost that is
 *   equal), ce, ce_low and ce_high over seeds (runs only).  The break-evens
 *   come first, then the runs, in a block for each variant
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/stats/fit.h"
#include "harness/store/cell.h"
#include "plots/chart.h"
#include "plots/figure.h"
#include "plots/sweep.h"
#include "plots/unit.h"

#include <math.h>
#include <string.h>

enum { WORK, TIME, COSTS };
enum { LOSS = COSTS, PANELS, WIDTH = 1500 };

struct row { const char *line, *what; double N, cost[COSTS], ce, low, high; };

static const struct column columns[] = {
    {"variant", NULL, COLUMN(struct row, line)},
    {"what", NULL, COLUMN(struct row, what)},
    {"N", NULL, COLUMN(struct row, N)},
    {"seconds", NULL, COLUMN(struct row, cost[TIME])},
    {"flops", NULL, COLUMN(struct row, cost[WORK])},
    {"ce", NULL, COLUMN(struct row, ce)},
    {"ce_low", NULL, COLUMN(struct row, low)},
    {"ce_high", NULL, COLUMN(struct row, high)},
    {.type = COLUMN_END}};

struct lines {
    const struct sweep *s;
    struct row *row;          /* [lines][numbers]; a value is NAN if unknown */
    double     *cost;         /* [lines][COSTS][numbers]                     */
    int         noisy;        /* cells whose speed is too noisy              */
};

static struct row *row_at(const struct lines *l, int line, int number)
{
    return &l->row[line * l->s->numbers + number];
}

/* Returns the costs of a line at all numbers. */
static double *costs_of(const struct lines *l, int line, int cost)
{
    return &l->cost[(line * COSTS + cost) * l->s->numbers];
}

/* ---- reading ---- */

/* Reads the seconds and operations per token.  A cost that is unknown is NAN,
 * and so are the seconds if they are too noisy; *noisy counts such cells. */
static int read_costs(double cost[COSTS], struct cell_reader *cell, int *noisy)
{
    double tokens = NAN, steps = NAN, flops = NAN;
    long long is_noisy = 0;

    PASS(cell_maybe(cell_get_real(cell, "timing", "tokens_per_s", &tokens)));
    PASS(cell_maybe(cell_get_real(cell, "timing", "steps_per_s", &steps)));
    PASS(cell_maybe(cell_get_real(cell, "timing", "flops_per_step", &flops)));
    PASS(cell_maybe(cell_get_int(cell, "timing", "too_noisy", &is_noisy)));
    *noisy += is_noisy != 0;
    cost[TIME] = is_noisy ? NAN : 1 / tokens;
    cost[WORK] = flops * steps / tokens;
    return OK;
}

/* Reads the cells of a point, from cell `from` of the sweep on.  Its costs are
 * the minimum over seeds. */
static int read_point(struct row *row, struct lines *l, int from)
{
    int seeds = sweep_seeds(l->s, from);
    double sum = 0;

    for (int i = from; i < from + seeds; i++) {
        const struct sweep_cell *c = &l->s->cell[i];
        OWNED(cell_close) struct cell_reader *cell = NULL;
        double cost[COSTS];

        PASS(report_read(&cell, l->s->r, c->cell->id));
        PASS(read_costs(cost, cell, &l->noisy));
        for (int k = 0; k < COSTS; k++)
            row->cost[k] = fmin(row->cost[k], cost[k]);
        sum += c->ce;
        row->low = fmin(row->low, c->ce);
        row->high = fmax(row->high, c->ce);
    }
    row->ce = sum / seeds;
    return OK;
}

static int read_lines(struct lines *l, const struct sweep *s)
{
    size_t points = (size_t)(s->lines * s->numbers);

    *l = (struct lines){.s = s};
    l->row = arena_zero(s->r->memory, (points + 1) * sizeof *l->row);
    l->cost = arena_zero(s->r->memory, (COSTS * points + 1) * sizeof *l->cost);
    for (int i = 0, at = 0; i < s->lines; i++)
        for (int k = 0; k < s->numbers; k++) {
            struct row *row = row_at(l, i, k);

            *row = (struct row){s->line[i], "run", s->number[k], {NAN, NAN},
                                NAN, NAN, NAN};
            if (s->cell[at].line == i &&
                (double)s->cell[at].number == row->N) {
                PASS(read_point(row, l, at));
                at += sweep_seeds(s, at);
            }
            for (int c = 0; c < COSTS; c++)
                costs_of(l, i, c)[k] = row->cost[c];
        }
    return OK;
}

/* ---- break-even ---- */

static double even(const struct lines *l, int line, int cost)
{
    return fit_crossing(l->s->number, costs_of(l, 0, cost),
                        costs_of(l, line, cost), (size_t)l->s->numbers);
}

/* Returns the break-even N ("47").  If there is none, returns "more" or "less",
 * the cost of the line compared with the first line, or "-" if this is
 * unknown. */
static const char *even_words(const struct lines *l, int line, int cost)
{
    double at = even(l, line, cost);

    if (isfinite(at))
        return arena_format(l->s->r->memory, "%.0f", at);
    for (int i = 0; i < l->s->numbers; i++) {
        double more = costs_of(l, line, cost)[i] - costs_of(l, 0, cost)[i];

        if (!isnan(more) && more)
            return more > 0 ? "more" : "less";
    }
    return "-";
}

static void put_evens(struct picture *p, const struct lines *l)
{
    for (int i = 1; i < l->s->lines; i++)
        for (int k = COSTS - 1; k >= 0; k--) {
            struct row row = {l->s->line[i], "even", even(l, i, k), {NAN, NAN},
                              NAN, NAN, NAN};

            row.cost[k] = fit_at(l->s->number, costs_of(l, 0, k),
                                 (size_t)l->s->numbers, row.N);
            if (isfinite(row.N))
                picture_row(p, columns, &row);
        }
}

/* ---- the picture ---- */

static void widen(struct chart_panel *a, double low, double high)
{
    a->low = fmin(a->low, low);
    a->high = fmax(a->high, high);
}

/* Writes the lines, and extends the panels by them. */
static void put_lines(struct picture *p, struct chart *c, const struct lines *l)
{
    const struct sweep *s = l->s;
    struct arena *a = s->r->memory;
    const struct style *look = looks_of(s->line, a);

    c->line = arena_zero(a, ((size_t)s->lines + 1) * sizeof *c->line);
    for (c->n = 0; c->n < s->lines; c->n++) {
        int i = c->n, block = picture_block(p);
        double end = NAN;

        for (int k = 0; k < s->numbers; k++) {
            const struct row *row = row_at(l, i, k);

            picture_row(p, columns, row);
            for (int n = 0; n < COSTS; n++)
                widen(&c->panel[n], row->cost[n], row->cost[n]);
            widen(&c->panel[LOSS], row->low, row->high);
            end = isnan(row->cost[WORK]) ? end : row->cost[WORK];
        }
        c->line[i] = (struct chart_line){
            s->line[i],
            i ? arena_format(a, "%s | %s", even_words(l, i, TIME),
                             even_words(l, i, WORK)) : "",
            look[i], end, {block, block, block}};
    }
}

/* Sets the limits of the panels, in their units. */
static void set_panels(struct chart *c, const struct lines *l,
                       const char *loss_unit)
{
    double low = c->panel[WORK].low;
    struct unit unit = unit_of(isfinite(low) ? low : 0);

    for (int k = 0; k < COSTS; k++) {
        struct chart_panel *a = &c->panel[k];

        a->unit = k == WORK ? unit.of : 1e-6;
        a->empty = a->low <= a->high        ? ""
                   : k == TIME && l->noisy ? "all speeds are too noisy"
                                           : "no cell has this cost";
        chart_pad_log(&a->low, &a->high, *a->empty ? 1 : 1.01 *
                          pow(a->high / a->low, 0.05));
        a->low /= *a->empty ? 1 : a->unit;
        a->high /= *a->empty ? 1 : a->unit;
        a->log_y = 1;
    }
    for (int i = 0; i < c->n; i++)
        c->line[i].end /= unit.of;
    chart_pad(&c->panel[LOSS], 1e-3);
    c->panel[WORK].title = arena_format(
        l->s->r->memory, "operations per token%s%s, counted",
        *unit.word ? ", " : "", unit.word);
    c->panel[TIME].title = "microseconds per token, measured";
    c->panel[LOSS].title = arena_format(l->s->r->memory,
                                        "test cross-entropy, %s", loss_unit);
    c->panel[LOSS].note = select_seeds(l->s->r, l->s->task) > 1
                              ? "mean and range over seeds; texts differ by N"
                              : "one seed; texts differ by N";
    c->panel[LOSS].band = 7;
}

static void put_words(struct chart *c, const struct lines *l)
{
    const struct sweep *s = l->s;
    struct arena *a = s->r->memory;

    c->title = select_title(s->r, "Loss and cost by length", s->task);
    c->told = arena_format(a, "a ring, and the N after a name: where it costs "
                           "as much as %s (time | operations); less, more: "
                           "never", s->line[0]);
    c->note = select_note(s->r, l->noisy ? arena_format(
                              a, "omitted, because their speeds are too noisy: "
                              "%d cell%s", l->noisy, l->noisy == 1 ? "" : "s")
                          : "", select_absent(s->r, s->task, s->lost));
}

static int draw(const struct figure *f, const struct report *r,
                const char *task, const struct output *to)
{
    static const double left[PANELS] = {0.585, 0.32, 0.055};
    static const int column[PANELS] = {5, 4, 6};
    OWNED(picture_abandon) struct picture p = {0};
    OWNED(free) char *name = str_format("%s_%s", f->name, task);
    struct chart c = {.panels = PANELS, .width = WIDTH, .dots = CHART_RINGS};
    const char *loss_unit;
    struct sweep s;
    struct lines l;

    int rc = sweep_read(&s, r, task, ",N=");
    if (rc)
        return rc;
    PASS(select_loss_unit(&loss_unit, r, task));
    PASS(read_lines(&l, &s));
    PASS(picture_begin(&p, to, name));
    picture_head(&p, columns);
    for (int k = 0; k < PANELS; k++) {
        c.panel[k] = (struct chart_panel){
            .x_title = "length N", .left = left[k], .right = left[k] + 0.2,
            .least = s.numbers ? s.number[0] : 1,
            .most = s.numbers ? s.number[s.numbers - 1] : 1,
            .low = INFINITY, .high = -INFINITY, .log_x = 1, .ticks = 1, .x = 3,
            .y = column[k], .every = 1};
        chart_pad_log(&c.panel[k].least, &c.panel[k].most, 1.1);
    }
    c.tick = s.number;
    c.ticks = s.numbers;
    put_evens(&p, &l);
    put_lines(&p, &c, &l);
    set_panels(&c, &l, loss_unit);
    put_words(&c, &l);
    return chart_end(&p, &c, r);
}

const struct figure figure_length = {
    .name = "length",
    .title = "Loss, time and operations per token by sequence length",
    .none = "its experiment does not vary N",
    .draw = draw,
};
