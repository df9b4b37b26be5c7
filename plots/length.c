/*
 * What length costs: the time and the floating-point operations of training, a
 * token, against N, a line a variant, of experiments that vary `N`; one picture
 * a task.  Time is that of the fastest seed whose speed is not too noisy,
 * operations are the program's own count.  Rings mark where a variant breaks
 * even with the experiment's first: as dear, between lengths that were run.
 *
 *   length_TASK.tsv: variant (its row without N), what (run; even: a
 *   break-even), N, seconds, flops; of a break-even only the one that is even
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/stats/fit.h"
#include "harness/store/cell.h"
#include "plots/ends.h"
#include "plots/figure.h"
#include "plots/look.h"
#include "plots/picture.h"
#include "plots/select.h"
#include "plots/unit.h"
#include "plots/varied.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char KEY[] = ",N=";

enum { TIME, WORK, COSTS };
enum { POINTS = 32 };

static const char *const panel_name[COSTS] = {"time", "work"};
static const struct frame frames[COSTS] = {{0.07, 0.37, 0.13, 0.85},
                                           {0.435, 0.735, 0.13, 0.85}};

struct line { const char *name; double cost[COSTS][POINTS]; }; /* NAN: none */

struct lines {
    int          n, points;
    double       N[POINTS];
    struct line *line;
    int          noisy; /* cells whose speed is */
};

/* ---- reading ---- */

/* Every length of any line, the least first. */
static int find_lengths(struct lines *l, const struct report *r,
                        const char *task, const char *const *line)
{
    long last = 0, next;

    do {
        next = LONG_MAX;
        for (int i = 0; line[i]; i++) {
            long n = varied_next(r, task, KEY, line[i], last);

            next = n < next ? n : next;
        }
        if (next < LONG_MAX && l->points == POINTS)
            return err_set(ERR_USAGE, "%s: more than %d lengths of %s are too "
                           "many for one picture", r->store, POINTS, task);
        if (next < LONG_MAX)
            l->N[l->points++] = (double)next;
        last = next;
    } while (next < LONG_MAX);
    return OK;
}

/* Seconds and operations a token; NAN where they are unknown. */
static int read_cell(double cost[COSTS], const struct report *r, const char *id,
                     int *noisy)
{
    OWNED(cell_close) struct cell_reader *cell = NULL;
    double tokens = NAN, steps = NAN, flops = NAN;
    long long is_noisy = 0;

    PASS(cell_open(&cell, r->store, id));
    PASS(cell_maybe(cell_get_real(cell, "timing", "tokens_per_s", &tokens)));
    PASS(cell_maybe(cell_get_real(cell, "timing", "steps_per_s", &steps)));
    PASS(cell_maybe(cell_get_real(cell, "timing", "flops_per_step", &flops)));
    PASS(cell_maybe(cell_get_int(cell, "timing", "too_noisy", &is_noisy)));
    *noisy += is_noisy != 0;
    cost[TIME] = is_noisy ? NAN : 1 / tokens;
    cost[WORK] = flops * steps / tokens;
    return OK;
}

/* The least of its seeds. */
static int read_point(struct line *l, int point, struct lines *all,
                      const struct report *r, const char *task)
{
    const struct varied of = {l->name, (long)all->N[point]};

    for (int k = 0; k < COSTS; k++)
        l->cost[k][point] = NAN;
    for (int i = 0; i < r->n; i++) {
        double cost[COSTS];

        if (!varied_is(r, i, task, KEY, &of))
            continue;
        PASS(read_cell(cost, r, r->cell[i].id, &all->noisy));
        for (int k = 0; k < COSTS; k++)
            l->cost[k][point] = fmin(l->cost[k][point], cost[k]);
    }
    return OK;
}

static int read_lines(struct lines *l, const struct report *r, const char *task,
                      const char *const *line)
{
    PASS(find_lengths(l, r, task, line));
    while (line[l->n])
        l->n++;
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

/* "47"; without one, whether it is more or less throughout. */
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
                      double seconds, double flops)
{
    picture_put_text(out, "", name);
    fprintf(out, "\t%s", what);
    picture_put_number(out, "\t", N);
    picture_put_number(out, "\t", seconds);
    picture_put_number(out, "\t", flops);
    fputc('\n', out);
}

static void put_data(FILE *out, const struct lines *l)
{
    fputs("variant\twhat\tN\tseconds\tflops\n", out);
    for (int i = 0; i < l->n; i++) {
        const struct line *line = &l->line[i];

        for (int k = 0; k < l->points; k++)
            put_point(out, line->name, "run", l->N[k], line->cost[TIME][k],
                      line->cost[WORK][k]);
        for (int k = 0; k < COSTS && i; k++) {
            double N = even(l, i, k), cost = fit_at(
                l->N, l->line[0].cost[k], (size_t)l->points, N);

            if (isfinite(N))
                put_point(out, line->name, "even", N, k == TIME ? cost : NAN,
                          k == WORK ? cost : NAN);
        }
        fputc('\n', out);
    }
}

struct axis { double low, high; };

static struct axis axis_of(const struct lines *l, int cost)
{
    struct axis a = {INFINITY, 0};

    for (int i = 0; i < l->n; i++)
        for (int k = 0; k < l->points; k++) {
            a.low = fmin(a.low, l->line[i].cost[cost][k]);
            a.high = fmax(a.high, l->line[i].cost[cost][k]);
        }
    if (!(a.low <= a.high)) /* all is too noisy */
        return (struct axis){1e-6, 1e-5};
    double pad = pow(a.high / a.low, 0.05) * 1.01;
    return (struct axis){a.low / pad, a.high * pad};
}

static void put_axes(struct picture *p, const struct lines *l)
{
    struct axis time = axis_of(l, TIME), work = axis_of(l, WORK);
    struct unit unit = unit_of(work.low);

    picture_number(p, "time_low", time.low * 1e6);
    picture_number(p, "time_high", time.high * 1e6);
    picture_number(p, "work_low", work.low / unit.of);
    picture_number(p, "work_high", work.high / unit.of);
    picture_number(p, "unit", unit.of);
    picture_text(p, "work_title", "operations a token%s%s, counted",
                 *unit.word ? ", " : "", unit.word);
    picture_number(p, "least", l->N[0] / 1.1);
    picture_number(p, "most", l->N[l->points - 1] * 1.1);
    picture_number(p, "lengths", l->points);
    for (int i = 0; i < l->points; i++) {
        char variable[16];

        snprintf(variable, sizeof variable, "length%d", i + 1);
        picture_number(p, variable, l->N[i]);
    }
    for (int k = 0; k < COSTS; k++)
        ends_frame(p, panel_name[k], &frames[k]);
}

/* Where a line ends in the panel of operations. */
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
    const struct look *look = looks_of(name, r->memory);
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
    ends_put(p, end, l->n, &frames[WORK]);
}

static int draw(const struct report *r, const char *folder, const char *task,
                const char *const *line)
{
    OWNED(picture_abandon) struct picture p = {0};
    OWNED(free) char *name = str_format("length_%s", task);
    struct lines l = {0};

    PASS(read_lines(&l, r, task, line));
    PASS(picture_begin(&p, folder, name));
    put_data(p.data, &l);
    picture_text(&p, "title", "%s", select_title(r, "What length costs", task));
    picture_text(&p, "told", "rings, and the N behind each name: as dear as "
                 "%s, by time | by operations; else: less or more throughout",
                 l.line[0].name);
    if (l.noisy)
        picture_text(&p, "note", "left out, as their speeds are too noisy: %d "
                     "cell%s", l.noisy, l.noisy == 1 ? "" : "s");
    else
        picture_text(&p, "note", "%s", "");
    put_axes(&p, &l);
    put_ends(&p, r, &l, line);
    return picture_end(&p, "length");
}

static int render(const struct report *r, const char *folder)
{
    int drawn = 0;

    for (const char *const *task = select_tasks(r); *task; task++) {
        const char *const *line = varied_lines(r, *task, KEY);

        if (!line[0])
            continue;
        PASS(draw(r, folder, *task, line));
        drawn++;
    }
    return drawn ? OK : err_set(ERR_EMPTY, "%s: its experiment varies no N",
                                r->store);
}

const struct figure figure_length = {
    .name = "length",
    .title = "What length costs: time and operations a token, break-even",
    .render = render,
};
