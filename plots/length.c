/*
 * length: draws loss and cost against sequence length, for experiments that
 * vary `N`.  There is one picture for each task, with a line for each variant:
 * the loss on the test set, and the time and the floating-point operations of
 * training per token, against N.  The loss is the mean over seeds, in a band
 * from their minimum to their maximum.  The time is that of the fastest seed
 * whose speed is not too noisy; operations are counted by the program.  Rings
 * mark where a variant, by interpolation between lengths that were run, costs
 * as much as the first variant of the experiment.
 *
 *   length_TASK.tsv: variant (the row's name without N), what (run; even: a
 *   break-even), N, seconds, flops (a break-even has only the cost that is
 *   equal), ce, ce_low and ce_high over seeds (runs only)
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/stats/fit.h"
#include "harness/store/cell.h"
#include "plots/line_labels.h"
#include "plots/figure.h"
#include "plots/style.h"
#include "plots/picture.h"
#include "plots/select.h"
#include "plots/unit.h"
#include "plots/sweep.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char KEY[] = ",N=";

enum { TIME, WORK, COSTS };
enum { POINTS = 32 };

enum { LOSS = COSTS, PANELS, WIDTH = 1500 };

static const char *const panel_name[PANELS] = {"time", "work", "loss"};
static const struct frame frames[PANELS] = {{0.32, 0.52, 0.13, 0.82},
                                            {0.585, 0.785, 0.13, 0.82},
                                            {0.055, 0.255, 0.13, 0.82}};

struct loss { double sum, low, high; int seeds; };

struct line {
    const char *name;
    double      cost[COSTS][POINTS]; /* NAN: none */
    struct loss loss[POINTS];
};

struct lines {
    int          n, points;
    double       N[POINTS];
    struct line *line;
    int          noisy; /* cells whose speed is too noisy */
    enum select_lost *lost; /* one for each cell of the report */
};

/* ---- reading ---- */

/* Collects the lengths of all lines, the least first. */
static int find_lengths(struct lines *l, const struct report *r,
                        const char *task, const char *const *line)
{
    long last = 0, next;

    do {
        next = LONG_MAX;
        for (int i = 0; line[i]; i++) {
            long n = sweep_next(r, task, KEY, line[i], last);

            next = n < next ? n : next;
        }
        if (next < LONG_MAX && l->points == POINTS)
            return err_set(ERR_USAGE, "%s: more than %d lengths of %s do not "
                           "fit in one picture", r->store, POINTS, task);
        if (next < LONG_MAX)
            l->N[l->points++] = (double)next;
        last = next;
    } while (next < LONG_MAX);
    return OK;
}

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

/* Adds the loss of a cell, if it is sane.  Returns an enum select_lost. */
static int add_loss(struct loss *to, double ce)
{
    if (select_loss(ce) != SELECT_DRAWN)
        return select_loss(ce);
    to->low = to->seeds ? fmin(to->low, ce) : ce;
    to->high = to->seeds ? fmax(to->high, ce) : ce;
    to->sum += ce;
    to->seeds++;
    return SELECT_DRAWN;
}

static double mean(const struct loss *l)
{
    return l->seeds ? l->sum / l->seeds : NAN;
}

static int read_cell(struct line *l, int point, struct lines *all,
                     const struct report *r, int i)
{
    OWNED(cell_close) struct cell_reader *cell = NULL;
    double cost[COSTS], ce;

    PASS(report_read(&cell, r, r->cell[i].id));
    PASS(read_costs(cost, cell, &all->noisy));
    PASS(cell_get_metric(cell, "ce", &ce));
    for (int k = 0; k < COSTS; k++)
        l->cost[k][point] = fmin(l->cost[k][point], cost[k]);
    all->lost[i] = (enum select_lost)add_loss(&l->loss[point], ce);
    return OK;
}

/* Reads the cells of a point.  Its costs are the minimum over seeds. */
static int read_point(struct line *l, int point, struct lines *all,
                      const struct report *r, const char *task)
{
    const struct sweep_point of = {l->name, (long)all->N[point]};

    for (int k = 0; k < COSTS; k++)
        l->cost[k][point] = NAN;
    for (int i = 0; i < r->n; i++)
        if (sweep_is(r, i, task, KEY, &of))
            PASS(read_cell(l, point, all, r, i));
    return OK;
}

static int read_lines(struct lines *l, const struct report *r, const char *task,
                      const char *const *line)
{
    PASS(find_lengths(l, r, task, line));
    while (line[l->n])
        l->n++;
    l->lost = arena_zero(r->memory, ((size_t)r->n + 1) * sizeof *l->lost);
    l->line = arena_zero(r->memory, ((size_t)l->n + 1) * sizeof *l->line);
    for (int i = 0; i < l->n; i++) {
        l->line[i].name = line[i];
        for (int k = 0; k < l->points; k++)
            PASS(read_point(&l->line[i], k, l, r, task));
    }
    return OK;
}

/* ---- break-even ---- */

static double even(const struct lines *l, int line, int cost)
{
    return fit_crossing(l->N, l->line[0].cost[cost], l->line[line].cost[cost],
                        (size_t)l->points);
}

/* Returns the break-even N ("47").  If there is none, returns "more" or "less",
 * the cost of the line compared with the first line, or "-" if this is
 * unknown. */
static const char *even_words(const struct lines *l, int line, int cost,
                              struct arena *a)
{
    double at = even(l, line, cost);

    if (isfinite(at))
        return arena_format(a, "%.0f", at);
    for (int i = 0; i < l->points; i++) {
        double more = l->line[line].cost[cost][i] - l->line[0].cost[cost][i];

        if (!isnan(more) && more)
            return more > 0 ? "more" : "less";
    }
    return "-";
}

/* ---- writing ---- */

static void put_point(FILE *out, const char *name, const char *what, double N,
                      double seconds, double flops, const struct loss *l)
{
    picture_put_text(out, "", name);
    fprintf(out, "\t%s", what);
    picture_put_number(out, "\t", N);
    picture_put_number(out, "\t", seconds);
    picture_put_number(out, "\t", flops);
    picture_put_number(out, "\t", mean(l));
    picture_put_number(out, "\t", l->seeds ? l->low : NAN);
    picture_put_number(out, "\t", l->seeds ? l->high : NAN);
    fputc('\n', out);
}

static void put_data(FILE *out, const struct lines *l)
{
    static const struct loss none = {.seeds = 0};

    fputs("variant\twhat\tN\tseconds\tflops\tce\tce_low\tce_high\n", out);
    for (int i = 0; i < l->n; i++) {
        const struct line *line = &l->line[i];

        for (int k = 0; k < l->points; k++)
            put_point(out, line->name, "run", l->N[k], line->cost[TIME][k],
                      line->cost[WORK][k], &line->loss[k]);
        for (int k = 0; k < COSTS && i; k++) {
            double N = even(l, i, k), cost = fit_at(
                l->N, l->line[0].cost[k], (size_t)l->points, N);

            if (isfinite(N))
                put_point(out, line->name, "even", N, k == TIME ? cost : NAN,
                          k == WORK ? cost : NAN, &none);
        }
        fputc('\n', out);
    }
}

struct axis { double low, high; };

static const struct axis nothing = {1e-6, 1e-5}; /* if no value is known */

static struct axis axis_of(const struct lines *l, int cost)
{
    struct axis a = {INFINITY, 0};

    for (int i = 0; i < l->n; i++)
        for (int k = 0; k < l->points; k++) {
            a.low = fmin(a.low, l->line[i].cost[cost][k]);
            a.high = fmax(a.high, l->line[i].cost[cost][k]);
        }
    if (!(a.low <= a.high))
        return nothing;
    double pad = pow(a.high / a.low, 0.05) * 1.01;
    return (struct axis){a.low / pad, a.high * pad};
}

/* Returns the axis of the losses, which is not empty even for a single
 * value. */
static struct axis loss_axis(const struct lines *l)
{
    struct axis a = {INFINITY, -INFINITY};

    for (int i = 0; i < l->n; i++)
        for (int k = 0; k < l->points; k++)
            if (l->line[i].loss[k].seeds) {
                a.low = fmin(a.low, l->line[i].loss[k].low);
                a.high = fmax(a.high, l->line[i].loss[k].high);
            }
    if (!(a.low <= a.high)) /* every cell has diverged */
        return (struct axis){0, 1};
    double pad = fmax((a.high - a.low) * 0.05, 1e-3);
    return (struct axis){a.low - pad, a.high + pad};
}

static void put_axes(struct picture *p, const struct lines *l)
{
    struct axis time = axis_of(l, TIME), work = axis_of(l, WORK);
    struct axis loss = loss_axis(l);
    struct unit unit = unit_of(work.low);

    picture_number(p, "time_low", time.low * 1e6);
    picture_number(p, "time_high", time.high * 1e6);
    picture_number(p, "work_low", work.low / unit.of);
    picture_number(p, "work_high", work.high / unit.of);
    picture_number(p, "width", WIDTH);
    picture_number(p, "loss_low", loss.low);
    picture_number(p, "loss_high", loss.high);
    picture_number(p, "unit", unit.of);
    picture_text(p, "work_title", "operations per token%s%s, counted",
                 *unit.word ? ", " : "", unit.word);
    picture_number(p, "least", l->N[0] / 1.1);
    picture_number(p, "most", l->N[l->points - 1] * 1.1);
    picture_number(p, "lengths", l->points);
    for (int i = 0; i < l->points; i++) {
        char variable[24];

        snprintf(variable, sizeof variable, "length%d", i + 1);
        picture_number(p, variable, l->N[i]);
    }
    for (int k = 0; k < PANELS; k++)
        line_labels_frame(p, panel_name[k], &frames[k]);
}

/* Returns the last known value of a line in the panel of operations. */
static double end_of(const struct line *line, int points)
{
    for (int i = points - 1; i >= 0; i--)
        if (!isnan(line->cost[WORK][i]))
            return line->cost[WORK][i];
    return NAN;
}

static void put_ends(struct picture *p, const struct report *r,
                     const struct lines *l, const char *const *name)
{
    const struct style *look = looks_of(name, r->memory);
    struct axis a = axis_of(l, WORK);
    struct end *end = arena_zero(r->memory, ((size_t)l->n + 1) * sizeof *end);

    for (int i = 0; i < l->n; i++) {
        double y = end_of(&l->line[i], l->points);

        end[i] = (struct end){
            &look[i], l->line[i].name,
            i ? arena_format(r->memory, "%s | %s",
                             even_words(l, i, TIME, r->memory),
                             even_words(l, i, WORK, r->memory)) : "",
            isnan(y) ? INFINITY : log(y / a.low) / log(a.high / a.low)};
    }
    line_labels_put(p, end, l->n, &frames[WORK]);
}

static void put_words(struct picture *p, const struct report *r,
                      const char *task, const struct lines *l)
{
    const char *lost = select_absent(r, task, l->lost);

    picture_text(p, "title", "%s",
                 select_title(r, "Loss and cost by length", task));
    picture_text(p, "band", "%s", select_seeds(r, task) > 1
                 ? "mean and range over seeds; texts differ by N"
                 : "one seed; texts differ by N");
    picture_text(p, "told", "a ring, and the N after a name: where it costs "
                 "as much as %s (time | operations); less, more: never",
                 l->line[0].name);
    picture_text(p, "silent", "%s", axis_of(l, TIME).low == nothing.low
                 ? "all speeds are too noisy" : "");
    picture_text(p, "note", "%s%s", l->noisy ? arena_format(
                     r->memory, "omitted, because their speeds are too noisy: "
                     "%d cell%s%s", l->noisy, l->noisy == 1 ? "" : "s",
                     *lost ? ".  " : "") : "", lost);
}

static int draw_length(const struct report *r, const struct output *to,
                       const char *task, const char *const *line)
{
    OWNED(picture_abandon) struct picture p = {0};
    OWNED(free) char *name = str_format("length_%s", task);
    struct lines l = {0};

    PASS(read_lines(&l, r, task, line));
    PASS(picture_begin(&p, to, name));
    put_data(p.data, &l);
    put_words(&p, r, task, &l);
    put_axes(&p, &l);
    put_ends(&p, r, &l, line);
    return picture_end(&p, "length");
}

static int render(const struct report *r, const struct output *to)
{
    return sweep_render(r, to, KEY, draw_length);
}

const struct figure figure_length = {
    .name = "length",
    .title = "Loss, time and operations per token by sequence length",
    .render = render,
};
