/*
 * budget: draws the loss against the training budget, for experiments that vary
 * `steps`.  There is one picture for each task, with a line for each variant:
 * test cross-entropy against training steps, and against the processor time of
 * training.  A line is the mean over seeds, and each seed is a dot.  Both
 * panels share their vertical axis.
 *
 *   budget_TASK.tsv: variant (the row's name without the steps), steps, seed
 *   (-: mean over seeds), seconds (processor time of training), ce (nats)
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "plots/line_labels.h"
#include "plots/figure.h"
#include "plots/reference_lines.h"
#include "plots/style.h"
#include "plots/picture.h"
#include "plots/select.h"
#include "plots/sweep.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char KEY[] = ",steps=";

static const struct frame steps_frame = {0.06, 0.38, 0.13, 0.85};
static const struct frame seconds_frame = {0.42, 0.74, 0.13, 0.85};

/* Limits of the axes: `low` and `high` of ce; `least` and `most` of steps (0)
 * and seconds (1). */
struct axes { double low, high, least[2], most[2]; };

struct mean { double seconds, ce; int n; };

static void put_point(FILE *out, const struct sweep_point *p, const char *seed,
                      const struct mean *m, struct axes *a)
{
    double x[2] = {(double)p->value, m->seconds / m->n};

    picture_put_text(out, "", p->line);
    fprintf(out, "\t%ld\t%s", p->value, seed);
    picture_put_number(out, "\t", x[1]);
    picture_put_number(out, "\t", m->ce / m->n);
    fputc('\n', out);
    if (!select_sane(m->ce / m->n))
        return;
    a->low = fmin(a->low, m->ce / m->n);
    a->high = fmax(a->high, m->ce / m->n);
    for (int i = 0; i < 2; i++) {
        a->least[i] = fmin(a->least[i], x[i]);
        a->most[i] = fmax(a->most[i], x[i]);
    }
}

static int put_cell(FILE *out, const struct report *r, int i,
                    const struct sweep_point *p, struct mean *sum,
                    enum select_lost *lost, struct axes *a)
{
    const struct report_cell *c = &r->cell[i];
    OWNED(cell_close) struct cell_reader *cell = NULL;
    struct mean one = {.n = 1};
    char seed[24];

    PASS(report_read(&cell, r, c->id));
    PASS(cell_get_metric(cell, "ce", &one.ce));
    PASS(cell_get_real(cell, "timing", "train_cpu_seconds", &one.seconds));
    lost[i] = select_loss(one.ce);
    if (lost[i] != SELECT_DRAWN)
        return OK;
    snprintf(seed, sizeof seed, "%lld", c->seed);
    put_point(out, p, seed, &one, a);
    sum->ce += one.ce;
    sum->seconds += one.seconds;
    sum->n++;
    return OK;
}

/* Writes the seeds of one point of a line. */
static int put_seeds(FILE *out, const struct report *r, const char *task,
                     const struct sweep_point *p, struct mean *sum,
                     enum select_lost *lost, struct axes *a)
{
    for (int i = 0; i < r->n; i++)
        if (sweep_is(r, i, task, KEY, p))
            PASS(put_cell(out, r, i, p, sum, lost, a));
    return OK;
}

/* Advances p to the next number of steps of its line.  Returns 1, or 0 if there
 * is none. */
static int next(struct sweep_point *p, const struct report *r, const char *task)
{
    p->value = sweep_next(r, task, KEY, p->line, p->value);
    return p->value < LONG_MAX;
}

/* Writes a line from its fewest steps to its most: first all seeds, then the
 * means, because gnuplot joins adjacent records.  Sets *last to the last
 * mean. */
static int put_line(FILE *out, const struct report *r, const char *task,
                    const char *line, enum select_lost *lost, struct axes *a,
                    double *last)
{
    struct mean *mean = arena_zero(r->memory, ((size_t)r->n + 1) *
                                                  sizeof *mean);
    struct sweep_point p = {line, 0};

    for (int k = 0; next(&p, r, task); k++)
        PASS(put_seeds(out, r, task, &p, &mean[k], lost, a));
    p.value = 0;
    for (int k = 0; next(&p, r, task); k++)
        if (mean[k].n) {
            put_point(out, &p, "-", &mean[k], a);
            *last = mean[k].ce / mean[k].n;
        }
    fputc('\n', out);
    return OK;
}

/* Rounds to six digits, so that an axis does not depend on the last bits of a
 * time. */
static double rounded(double x)
{
    double unit = pow(10, floor(log10(x)) - 5);

    return round(x / unit) * unit;
}

static void put_axes(struct picture *p, struct axes *a,
                     const struct reference_lines *l)
{
    static const char *const name[] = {"steps", "seconds"};
    int any = a->low <= a->high;
    char variable[32];

    a->low = any ? a->low : 0;
    a->high = any ? a->high : 1;
    reference_lines_widen(l, &a->low, &a->high);
    double pad = fmax((a->high - a->low) * 0.05, 1e-6);
    a->low -= pad;
    a->high += pad;
    picture_number(p, "low", a->low);
    picture_number(p, "high", a->high);
    for (int i = 0; i < 2; i++) {
        snprintf(variable, sizeof variable, "%s_least", name[i]);
        picture_number(p, variable,
                       any ? rounded(fmax(a->least[i], 1e-3) / 1.15) : 1);
        snprintf(variable, sizeof variable, "%s_most", name[i]);
        picture_number(p, variable,
                       any ? rounded(fmax(a->most[i], 1e-3) * 1.15) : 10);
        line_labels_frame(p, name[i], i ? &seconds_frame : &steps_frame);
    }
}

/* Puts the names at the ends of the lines. last[i] is the mean of line i at its
 * greatest number of steps, or NAN if no seed of the line has a sane loss. */
static void put_ends(struct picture *p, const struct report *r,
                     const char *const *line, const double *last, int n,
                     const struct axes *a)
{
    const struct style *look = looks_of(line, r->memory);
    struct end *end = arena_zero(r->memory, ((size_t)n + 1) * sizeof *end);

    for (int i = 0; i < n; i++)
        end[i] = (struct end){
            &look[i], line[i],
            isnan(last[i]) ? "-" : arena_format(r->memory, "%.3f", last[i]),
            isnan(last[i]) ? INFINITY
                           : (last[i] - a->low) / (a->high - a->low)};
    line_labels_put(p, end, n, &seconds_frame);
}

static void put_words(struct picture *p, const struct report *r,
                      const char *task, const enum select_lost *lost,
                      const char *beyond)
{
    int seeds = select_seeds(r, task);

    picture_text(p, "title", "%s",
                 select_title(r, "Loss by training budget", task));
    picture_text(p, "told", "%s", seeds > 1 ? "lines: mean over seeds; dots: "
                 "each seed" : "");
    picture_text(p, "order", "with the most steps");
    picture_text(p, "beyond", "%s%s", *beyond ? "beyond the axis: " : "",
                 beyond);
    picture_text(p, "note", "%s", select_absent(r, task, lost));
}

static int draw_budget(const struct report *r, const struct output *to,
                       const char *task, const char *const *line)
{
    struct axes a = {INFINITY, -INFINITY, {INFINITY, INFINITY}, {0, 0}};
    OWNED(picture_abandon) struct picture p = {0};
    OWNED(free) char *name = str_format("budget_%s", task);
    enum select_lost *lost = arena_zero(r->memory,
                                        (size_t)r->n * sizeof *lost);
    struct reference_lines levels;
    int n = 0;

    while (line[n])
        n++;
    double *last = arena_zero(r->memory, ((size_t)n + 1) * sizeof *last);
    PASS(picture_begin(&p, to, name));
    fputs("variant\tsteps\tseed\tseconds\tce\n", p.data);
    for (int i = 0; i < n; i++) {
        last[i] = NAN;
        PASS(put_line(p.data, r, task, line[i], lost, &a, &last[i]));
    }
    PASS(reference_lines_read(&levels, r, task));
    put_axes(&p, &a, &levels);
    put_words(&p, r, task, lost,
              reference_lines_put(&levels, &p, r, a.low, a.high));
    put_ends(&p, r, line, last, n, &a);
    return picture_end(&p, "budget");
}

static int render(const struct report *r, const struct output *to)
{
    return sweep_render(r, to, KEY, draw_budget);
}

const struct figure figure_budget = {
    .name = "budget",
    .title = "Loss by training budget, in steps and processor time",
    .render = render,
};
