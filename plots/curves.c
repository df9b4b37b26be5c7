/*
 * Learning curves, one picture a task: training loss (as optimised, so with
 * label smoothing where the task has it) and validation cross-entropy against
 * the step, every variant and seed.
 *
 *   curves_TASK.tsv: curve (train, valid), variant, seed, step, value (nats),
 *   smooth: moving mean of value over 5 % of the curve (train), value (valid)
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/store/cell.h"
#include "plots/figure.h"
#include "plots/picture.h"
#include "plots/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 20 };           /* the moving mean spans 1 / WINDOW          */
static const double EARLY = 0.2; /* of a curve: may run out of the top       */

struct panel { double low, high, last; }; /* of the axes; last step */

static double moving_mean(const double *y, size_t n, size_t i, size_t half)
{
    size_t from = i > half ? i - half : 0;
    size_t to = i + half + 1 < n ? i + half + 1 : n;
    double sum = 0;

    for (size_t j = from; j < to; j++)
        sum += y[j];
    return sum / (double)(to - from);
}

/* Writes a curve and widens the panel by it. */
static void put_curve(FILE *out, const char *curve, const struct report_cell *c,
                      const double *step, const double *y, size_t n,
                      struct panel *p)
{
    size_t half = strcmp(curve, "train") ? 0 : n / WINDOW / 2;

    for (size_t i = 0; i < n; i++) {
        double smooth = moving_mean(y, n, i, half);

        fprintf(out, "%s\t%s\t%lld\t%.0f\t%.9g\t%.9g\n", curve, c->variant,
                c->seed, step[i], y[i], smooth);
        p->low = fmin(p->low, smooth);
        if (step[i] >= EARLY * step[n - 1])
            p->high = fmax(p->high, smooth);
        p->last = fmax(p->last, step[i]);
    }
    fputc('\n', out); /* breaks the line between two seeds */
}

static int read_curve(FILE *out, struct cell_reader *cell, const char *curve,
                      const char *value, const struct report_cell *c,
                      struct panel *p, double *last)
{
    char path[64];
    double *step = NULL, *y = NULL;
    size_t n, m;
    int rc = OK;

    snprintf(path, sizeof path, "curves/%s/step", curve);
    TRY(cell_get_array(cell, path, &step, &n));
    snprintf(path, sizeof path, "curves/%s/%s", curve, value);
    TRY(cell_get_array(cell, path, &y, &m));
    if (n != m)
        TRY(err_set(ERR_STORE, "cell %s: %s has %zu values for %zu steps",
                    c->id, path, m, n));
    put_curve(out, curve, c, step, y, n, p);
    *last = n ? y[n - 1] : NAN;
out:
    free(step);
    free(y);
    return rc;
}

struct both { struct panel train, valid; double *last; int *seeds, labels; };

static int put_cell(FILE *out, const struct report *r,
                    const struct report_cell *c, struct both *b, int variant)
{
    struct cell_reader *cell = NULL;
    double last, accuracy;
    int rc = OK;

    TRY(cell_open(&cell, r->store, c->id));
    TRY(read_curve(out, cell, "train", "loss", c, &b->train, &last));
    TRY(read_curve(out, cell, "valid", "ce", c, &b->valid, &last));
    b->last[variant] += last;
    b->seeds[variant]++;
    b->labels |= cell_get_metric(cell, "accuracy", &accuracy) == OK;
out:
    cell_close(cell);
    return rc;
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

/* order: the variants with a curve, the best first; returns how many. */
static int rank(int *order, const struct both *b, int n)
{
    int ranked = 0;

    for (int i = 0; i < n; i++) {
        int at = ranked;

        if (b->seeds[i] == 0)
            continue;
        for (; at > 0 && b->last[i] < b->last[order[at - 1]]; at--)
            order[at] = order[at - 1];
        order[at] = i;
        ranked++;
    }
    return ranked;
}

/* The legend; a number keeps each series its colour in every picture. */
static void put_legend(FILE *script, const char *const *variant,
                       const struct both *b, const int *order, int n)
{
    fputs("variants = '", script);
    for (int i = 0; i < n; i++)
        fprintf(script, "%s ", variant[order[i]]);
    fputs("'\nends = '", script);
    for (int i = 0; i < n; i++)
        fprintf(script, "%.3f ", b->last[order[i]]);
    fputs("'\nnumbers = '", script);
    for (int i = 0; i < n; i++)
        fprintf(script, "%d ", order[i] + 1);
    fputs("'\n", script);
}

static int draw(const struct report *r, const char *folder, const char *task)
{
    const char *const *variant = select_variants(r);
    struct panel empty = {INFINITY, -INFINITY, 0};
    struct both b = {empty, empty, NULL, NULL, 0};
    struct picture p = {0};
    char name[128];
    int n = 0, *order, rc = OK;

    while (variant[n])
        n++;
    b.last = arena_zero(r->memory, (size_t)n * sizeof *b.last);
    b.seeds = arena_zero(r->memory, (size_t)n * sizeof *b.seeds);
    order = arena_zero(r->memory, (size_t)n * sizeof *order);
    snprintf(name, sizeof name, "curves_%s", task);
    TRY(picture_begin(&p, folder, name));
    fputs("curve\tvariant\tseed\tstep\tvalue\tsmooth\n", p.data);
    for (int v = 0; v < n; v++)
        for (int i = 0; i < r->n; i++) {
            const struct report_cell *c = &r->cell[i];

            if (c->state == CELL_DONE && !strcmp(c->task, task) &&
                !strcmp(c->variant, variant[v]))
                TRY(put_cell(p.data, r, c, &b, v));
        }
    for (int v = 0; v < n; v++)
        b.last[v] /= b.seeds[v];
    picture_text(&p, "title", "%s", select_title(r, "Learning curves", task));
    picture_text(&p, "unit", "%s", b.labels ? "nats/example" : "nats/token");
    put_panel(&p, "train", &b.train);
    put_panel(&p, "valid", &b.valid);
    put_legend(p.script, variant, &b, order, rank(order, &b, n));
    TRY(picture_end(&p, "curves"));
out:
    picture_abandon(&p);
    return rc;
}

static int render(const struct report *r, const char *folder)
{
    int drawn = 0, rc = OK;

    for (const char *const *task = select_tasks(r); *task; task++) {
        if (!select_done(r, *task))
            continue;
        TRY(draw(r, folder, *task));
        drawn++;
    }
    if (!drawn)
        rc = err_set(ERR_EMPTY, "%s: no cell is done, there is nothing to plot",
                     r->store);
out:
    return rc;
}

const struct figure figure_curves = {
    .name = "curves",
    .title = "Learning curves: training loss and validation cross-entropy",
    .render = render,
};
