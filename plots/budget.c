/*
 * What more training gives: the test cross-entropy against the steps and
 * against the processor time of training, a line a variant, of experiments that
 * vary `steps`; one picture a task.  A mean over seeds is drawn, and each seed
 * as a dot.
 *
 *   budget_TASK.tsv: variant (its row without the steps), steps, seed (-: the
 *   mean over them), seconds (of processors, in training), ce (nats)
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "plots/figure.h"
#include "plots/picture.h"
#include "plots/select.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char KEY[] = ",steps=";

struct axes { double low, high, least[2], most[2]; }; /* ce; steps, seconds */

struct point { const char *line; long steps; }; /* of a row */

struct mean { double seconds, ce; int n; };

/* "random,init=glorot" and 700 of random,steps=700,init=glorot; 0: it says no
 * steps. */
static int read_row(struct point *out, const char *row, struct arena *a)
{
    const char *at = strstr(row, KEY);
    char *rest;

    if (!at)
        return 0;
    out->steps = strtol(at + strlen(KEY), &rest, 10);
    out->line = arena_format(a, "%.*s%s", (int)(at - row), row, rest);
    return out->steps > 0;
}

/* Each once, in the order of the experiment; ends with NULL. */
static const char **lines_of(const struct report *r, const char *task)
{
    const char **line = arena_zero(r->memory,
                                   ((size_t)r->n + 1) * sizeof *line);
    int n = 0;

    for (int i = 0; i < r->n; i++) {
        struct point p;
        int k = 0;

        if (strcmp(r->cell[i].task, task) || r->cell[i].state != CELL_DONE ||
            !read_row(&p, r->cell[i].variant, r->memory))
            continue;
        while (k < n && strcmp(line[k], p.line))
            k++;
        if (k == n)
            line[n++] = p.line;
    }
    return line;
}

static void put_point(FILE *out, const struct point *p, const char *seed,
                      const struct mean *m, struct axes *a)
{
    double x[2] = {(double)p->steps, m->seconds / m->n};

    picture_put_text(out, "", p->line);
    fprintf(out, "\t%ld\t%s", p->steps, seed);
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
                    const struct point *p, struct mean *sum,
                    enum select_lost *lost, struct axes *a)
{
    const struct report_cell *c = &r->cell[i];
    OWNED(cell_close) struct cell_reader *cell = NULL;
    struct mean one = {.n = 1};
    char seed[24];

    PASS(cell_open(&cell, r->store, c->id));
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

/* The next steps of a line after those; LONG_MAX: there are none. */
static long next_steps(const struct report *r, const char *task,
                       const char *line, long after)
{
    long next = LONG_MAX;

    for (int i = 0; i < r->n; i++) {
        struct point p;

        if (!strcmp(r->cell[i].task, task) &&
            read_row(&p, r->cell[i].variant, r->memory) &&
            !strcmp(p.line, line) && p.steps > after && p.steps < next)
            next = p.steps;
    }
    return next;
}

/* The seeds of one point of a line. */
static int put_seeds(FILE *out, const struct report *r, const char *task,
                     const struct point *p, struct mean *sum,
                     enum select_lost *lost, struct axes *a)
{
    for (int i = 0; i < r->n; i++) {
        struct point of;

        if (!strcmp(r->cell[i].task, task) && r->cell[i].state == CELL_DONE &&
            read_row(&of, r->cell[i].variant, r->memory) &&
            !strcmp(of.line, p->line) && of.steps == p->steps)
            PASS(put_cell(out, r, i, p, sum, lost, a));
    }
    return OK;
}

/* A line from its fewest steps to its most, all seeds and then the means, for a
 * curve is drawn through neighbours; *last: the last mean. */
static int put_line(FILE *out, const struct report *r, const char *task,
                    const char *line, enum select_lost *lost, struct axes *a,
                    double *last)
{
    struct mean *mean = arena_zero(r->memory, ((size_t)r->n + 1) *
                                                  sizeof *mean);
    struct point p = {line, 0};

    for (int k = 0; (p.steps = next_steps(r, task, line, p.steps)) < LONG_MAX;
         k++)
        PASS(put_seeds(out, r, task, &p, &mean[k], lost, a));
    p.steps = 0;
    for (int k = 0; (p.steps = next_steps(r, task, line, p.steps)) < LONG_MAX;
         k++)
        if (mean[k].n) {
            put_point(out, &p, "-", &mean[k], a);
            *last = mean[k].ce / mean[k].n;
        }
    fputc('\n', out);
    return OK;
}

/* Six digits: an axis does not follow the last bit of a time. */
static double rounded(double x)
{
    double unit = pow(10, floor(log10(x)) - 5);

    return round(x / unit) * unit;
}

static void put_axes(struct picture *p, const struct axes *a)
{
    static const char *const name[] = {"steps", "seconds"};
    int any = a->low <= a->high;
    double pad = any ? fmax((a->high - a->low) * 0.05, 1e-6) : 1;
    char variable[32];

    picture_number(p, "low", (any ? a->low : 0) - pad);
    picture_number(p, "high", (any ? a->high : 1) + pad);
    for (int i = 0; i < 2; i++) {
        snprintf(variable, sizeof variable, "%s_least", name[i]);
        picture_number(p, variable,
                       any ? rounded(fmax(a->least[i], 1e-3) / 1.15) : 1);
        snprintf(variable, sizeof variable, "%s_most", name[i]);
        picture_number(p, variable,
                       any ? rounded(fmax(a->most[i], 1e-3) * 1.15) : 10);
    }
}

static int draw(const struct report *r, const char *folder, const char *task,
                const char *const *line)
{
    struct axes a = {INFINITY, -INFINITY, {INFINITY, INFINITY}, {0, 0}};
    OWNED(picture_abandon) struct picture p = {0};
    OWNED(free) char *name = str_format("budget_%s", task);
    enum select_lost *lost = arena_zero(r->memory,
                                        (size_t)r->n * sizeof *lost);
    int n = 0;

    PASS(picture_begin(&p, folder, name));
    fputs("variant\tsteps\tseed\tseconds\tce\n", p.data);
    for (; line[n]; n++) {
        double last = NAN;
        char variable[32];

        PASS(put_line(p.data, r, task, line[n], lost, &a, &last));
        snprintf(variable, sizeof variable, "variant%d", n + 1);
        picture_text(&p, variable, "%s", line[n]);
        snprintf(variable, sizeof variable, "entry%d", n + 1);
        if (isnan(last))
            picture_text(&p, variable, "%s  -", line[n]);
        else
            picture_text(&p, variable, "%s  %.3f", line[n], last);
    }
    picture_number(&p, "n", n);
    picture_text(&p, "title", "%s",
                 select_title(r, "What more training gives", task));
    picture_text(&p, "note", "%s", select_absent(r, task, lost));
    put_axes(&p, &a);
    return picture_end(&p, "budget");
}

static int render(const struct report *r, const char *folder)
{
    int drawn = 0;

    for (const char *const *task = select_tasks(r); *task; task++) {
        const char **line = lines_of(r, *task);

        if (!line[0])
            continue;
        PASS(draw(r, folder, *task, line));
        drawn++;
    }
    return drawn ? OK : err_set(ERR_EMPTY, "%s: its experiment varies no steps",
                                r->store);
}

const struct figure figure_budget = {
    .name = "budget",
    .title = "What more training gives: loss against steps and processor time",
    .render = render,
};
