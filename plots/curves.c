/*
 * Learning curves, one picture a task: training loss (as optimised, so with
 * label smoothing where the task has it) and validation cross-entropy against
 * the step, every variant and seed.
 *
 *   curves_TASK.tsv: curve (train, valid), variant, seed, step, value (nats),
 *   smooth: moving mean of value over 5 % of the curve (train), value (valid)
 *
 * Values that are not finite are NaN there and not drawn; those beyond
 * SELECT_WORST stand there, but neither are drawn nor decide an axis.
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/report/learning.h"
#include "harness/store/cell.h"
#include "plots/figure.h"
#include "plots/legend.h"
#include "plots/picture.h"
#include "plots/select.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { WINDOW = 20 };           /* the moving mean spans 1 / WINDOW          */
static const double EARLY = 0.2; /* of a curve: may run out of the top       */

struct panel { double low, high, last; }; /* of the axes; last step */

/* NAN where y is not finite; beside it such values do not count. */
static double moving_mean(const double *y, size_t n, size_t i, size_t half)
{
    size_t from = i > half ? i - half : 0;
    size_t to = i + half + 1 < n ? i + half + 1 : n;
    double sum = 0, count = 0;

    if (!isfinite(y[i]))
        return NAN;
    for (size_t j = from; j < to; j++) {
        sum += isfinite(y[j]) ? y[j] : 0;
        count += isfinite(y[j]);
    }
    return sum / count;
}

/* Writes a curve and widens the panel by it. */
static void put_curve(FILE *out, const char *curve, const struct report_cell *c,
                      const double *step, const double *y, size_t n,
                      struct panel *p)
{
    size_t half = strcmp(curve, "train") ? 0 : n / WINDOW / 2;

    for (size_t i = 0; i < n; i++) {
        double smooth = moving_mean(y, n, i, half);

        fputs(curve, out);
        picture_put_text(out, "\t", c->variant);
        fprintf(out, "\t%lld\t%.0f", c->seed, step[i]);
        picture_put_number(out, "\t", y[i]);
        picture_put_number(out, "\t", smooth);
        fputc('\n', out);
        p->last = fmax(p->last, step[i]);
        if (!select_sane(smooth))
            continue;
        p->low = fmin(p->low, smooth);
        if (step[i] >= EARLY * step[n - 1])
            p->high = fmax(p->high, smooth);
    }
    fputc('\n', out); /* breaks the line between two seeds */
}

static int check_steps(const struct report_cell *c, const char *path,
                       const double *step, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(step[i] >= 0 && step[i] <= INT_MAX))
            return err_set(ERR_STORE, "cell %s: %s has %g", c->id, path,
                           step[i]);
    return OK;
}

/* *last: NAN for a curve without a point. */
static int read_curve(FILE *out, struct cell_reader *cell, const char *curve,
                      const char *value, const struct report_cell *c,
                      struct panel *p, double *last)
{
    char path[64];
    OWNED(free) double *step = NULL, *y = NULL;
    size_t n, m;

    snprintf(path, sizeof path, "curves/%s/step", curve);
    PASS(cell_get_array(cell, path, &step, &n));
    PASS(check_steps(c, path, step, n));
    snprintf(path, sizeof path, "curves/%s/%s", curve, value);
    PASS(cell_get_array(cell, path, &y, &m));
    if (n != m)
        return err_set(ERR_STORE, "cell %s: %s has %zu values for %zu steps",
                       c->id, path, m, n);
    put_curve(out, curve, c, step, y, n, p);
    *last = !n ? NAN : isnan(y[n - 1]) ? INFINITY : y[n - 1];
    return OK;
}

/* A variant in the legend. */
struct series {
    int    seeds;            /* done, and with a sane last value           */
    int    cells, diverged;  /* done or diverged; diverged                 */
    double last;             /* their sum, then their mean; INFINITY: none */
    struct learning learning; /* of their last validation                  */
};

struct both {
    struct panel   train, valid;
    struct series *series;   /* one a variant                              */
    enum select_lost *lost;  /* one a cell of the report                   */
    int            labels;
    const char    *digest;   /* of the data, and the cell that told it     */
    const char    *first;
};

/* Losses on other data are no comparison. */
static int check_data(struct both *b, const struct report *r,
                      const struct report_cell *c, struct cell_reader *cell)
{
    OWNED(free) char *digest = NULL;

    PASS(cell_maybe(cell_get_text(cell, "provenance", "data_digest",
                                  &digest)));
    if (!digest)
        return OK;
    if (!b->digest) {
        b->digest = arena_text(r->memory, digest);
        b->first = c->id;
    }
    if (strcmp(b->digest, digest))
        return err_set(ERR_STORE, "cells %s and %s were trained on different "
                       "data and cannot stand in one picture: give them the "
                       "same settings of data, or, where the text is another "
                       "since, train them again with `synthbench run --force`",
                       b->first, c->id);
    return OK;
}

static int put_cell(FILE *out, const struct report *r, int i, struct both *b,
                    struct series *s)
{
    const struct report_cell *c = &r->cell[i];
    OWNED(cell_close) struct cell_reader *cell = NULL;
    double train, valid, accuracy, settled, error;

    PASS(cell_open(&cell, r->store, c->id));
    PASS(check_data(b, r, c, cell));
    PASS(read_curve(out, cell, "train", "loss", c, &b->train, &train));
    PASS(read_curve(out, cell, "valid", "ce", c, &b->valid, &valid));
    if (!isnan(train))
        b->lost[i] = select_loss(train);
    if (b->lost[i] == SELECT_DRAWN && !isnan(valid))
        b->lost[i] = select_loss(valid);
    s->diverged += b->lost[i] == SELECT_DIVERGED;
    if (b->lost[i] == SELECT_DRAWN && !isnan(valid)) {
        s->last += valid;
        s->seeds++;
        PASS(learning_read(&settled, &error, cell));
        learning_add(&s->learning, valid, settled, error);
    }
    b->labels |= cell_get_metric(cell, "accuracy", &accuracy) == OK;
    return OK;
}

static void put_panel(struct picture *p, const char *name,
                      const struct panel *panel)
{
    int any = panel->low <= panel->high; /* not so for a run of no steps */
    double low = any ? panel->low : 0, high = any ? panel->high : 1;
    double pad = fmax((high - low) * 0.05, 1e-6);
    char variable[32];

    snprintf(variable, sizeof variable, "%s_low", name);
    picture_number(p, variable, low - pad);
    snprintf(variable, sizeof variable, "%s_high", name);
    picture_number(p, variable, high + pad);
    snprintf(variable, sizeof variable, "%s_last", name);
    picture_number(p, variable, fmax(panel->last, 1));
}

/* The variants with a curve, those that have a sane end before the others. */
static void put_legend(struct picture *p, const struct report *r,
                       const char *const *variant, const struct series *s,
                       int n)
{
    struct legend_line *line = arena_zero(r->memory,
                                          (size_t)n * sizeof *line);
    int lines = 0, sane = 0;

    for (int i = 0; i < n; i++) {
        if (s[i].cells == 0)
            continue;
        line[lines++] = (struct legend_line){
            i + 1, variant[i],
            s[i].seeds      ? arena_format(r->memory, "%.3f", s[i].last)
            : s[i].diverged ? "diverged"
                            : "-", s[i].last};
        sane += s[i].seeds > 0;
    }
    legend_put(p, line, lines);
    picture_number(p, "sane", sane);
}

static int are_unsettled(const struct series *s, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            if (learning_unsettled(&s[i].learning, &s[k].learning))
                return 1;
    return 0;
}

/* Every cell of the task into the data and the legend. */
static int collect(FILE *out, const struct report *r, const char *task,
                   const char *const *variant, struct both *b)
{
    for (int v = 0; variant[v]; v++) {
        struct series *s = &b->series[v];

        for (int i = 0; i < r->n; i++) {
            const struct report_cell *c = &r->cell[i];
            int diverged = !strcmp(c->class, "diverged");

            if (!select_is(c, task, variant[v]))
                continue;
            if (c->state == CELL_DONE)
                PASS(put_cell(out, r, i, b, s));
            s->cells += diverged || c->state == CELL_DONE;
            s->diverged += diverged;
        }
        s->last = s->seeds ? s->last / s->seeds : INFINITY;
    }
    return OK;
}

static int draw(const struct report *r, const char *folder, const char *task)
{
    const char *const *variant = select_variants(r);
    struct panel empty = {INFINITY, -INFINITY, 0};
    struct both b = {.train = empty, .valid = empty};
    OWNED(picture_abandon) struct picture p = {0};
    OWNED(free) char *name = str_format("curves_%s", task);
    size_t n = 0;

    while (variant[n])
        n++;
    b.series = arena_zero(r->memory, n * sizeof *b.series);
    b.lost = arena_zero(r->memory, (size_t)r->n * sizeof *b.lost);
    PASS(picture_begin(&p, folder, name));
    fputs("curve\tvariant\tseed\tstep\tvalue\tsmooth\n", p.data);
    PASS(collect(p.data, r, task, variant, &b));
    picture_text(&p, "title", "%s", select_title(r, "Learning curves", task));
    picture_text(&p, "unit", "%s", b.labels ? "nats/example" : "nats/token");
    picture_text(&p, "note", "%s", select_absent(r, task, b.lost));
    picture_number(&p, "worst", SELECT_WORST);
    put_panel(&p, "train", &b.train);
    put_panel(&p, "valid", &b.valid);
    put_legend(&p, r, variant, b.series, (int)n);
    legend_say(&p, "lowest first", select_seeds(r, task),
               are_unsettled(b.series, (int)n));
    return picture_end(&p, "curves");
}

static int render(const struct report *r, const char *folder)
{
    int drawn = 0;

    for (const char *const *task = select_tasks(r); *task; task++) {
        if (!select_done(r, *task))
            continue;
        PASS(draw(r, folder, *task));
        drawn++;
    }
    return drawn ? OK : err_set(ERR_EMPTY, "%s: no cell is done, there is "
                                "nothing to plot", r->store);
}

const struct figure figure_curves = {
    .name = "curves",
    .title = "Learning curves: training loss and validation cross-entropy",
    .render = render,
};
