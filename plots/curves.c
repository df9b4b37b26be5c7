/*
 * curves: draws learning curves, one picture for each task.  A picture shows
 * the training loss (as optimised, so with label smoothing if the task has it)
 * and the validation cross-entropy against the step: for each variant the mean
 * over its seeds, in a band from their minimum to their maximum.  Both panels
 * share their vertical axis.  Values above the axis in the first fifth of
 * training are cut off, and the picture says so.
 *
 * In the data, the cells come first; each mean is a block of its own.
 * Seeds whose loss is not sane (SELECT_WORST) are left out of the mean.
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/report/dataset_match.h"
#include "harness/report/learning.h"
#include "harness/store/cell.h"
#include "plots/band.h"
#include "plots/chart.h"
#include "plots/figure.h"
#include "plots/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALID, TRAIN, CURVES };
enum { WINDOW = 20, MARKS = 8 }; /* moving mean over 1 / WINDOW of a curve;
                                    about MARKS marks per curve        */
static const double EARLY = 0.2; /* the first fifth of a curve may be cut off */

/* For "train", smooth is the moving mean of the values over 5 % of the
 * curve. */
static const struct column columns[] = {
    {"curve", NULL, COLUMN(struct band_point, curve)},
    {"variant", NULL, COLUMN(struct band_point, variant)},
    {"seed", NULL, COLUMN(struct band_point, seed)},
    {"step", NULL, COLUMN(struct band_point, step)},
    {"value", NULL, COLUMN(struct band_point, value)},
    {"smooth", NULL, COLUMN(struct band_point, smooth)},
    {"low", NULL, COLUMN(struct band_point, low)},
    {"high", NULL, COLUMN(struct band_point, high)},
    {.type = COLUMN_END}};

/* Curves of a variant. */
struct line {
    const char *name;
    struct band band[CURVES];
    int    cells, diverged;   /* cells: finished or diverged cells         */
    struct learning learning; /* of the cells with a sane last loss, at the
                                 last validation                           */
};

struct both {
    const struct report *r;
    const char          *task;
    struct picture       p;
    int                  n;
    struct line         *line;
    enum select_lost    *lost; /* one for each cell of the report */
    struct dataset_match alike;
};

static void both_free(struct both *b)
{
    for (int i = 0; i < b->n; i++)
        for (int k = 0; k < CURVES; k++)
            band_free(&b->line[i].band[k]);
    picture_abandon(&b->p);
}
OWNER_OF_VALUE(both_free, struct both)

/* ---- a cell ---- */

/* Returns the last value of the curve, or INFINITY if this value is NaN.
 * Returns NAN if there are no points. */
static double trace_last(const struct trace *t)
{
    double last = t->n ? t->value[t->n - 1] : NAN;

    return t->n && isnan(last) ? INFINITY : last;
}

/* Returns ERR_STORE if the cell was trained on different data from the cells
 * that it is compared with. */
static int check_data(struct both *b, const struct report_cell *c,
                      struct cell_reader *cell)
{
    OWNED(free) char *digest = NULL;
    int set;

    PASS(cell_maybe(cell_get_text(cell, "provenance", "data_digest",
                                  &digest)));
    return digest ? dataset_match_add(
                        &set, &b->alike,
                        &(struct dataset_cell){c->id, c->variant, digest, 0},
                        "picture")
                  : OK;
}

static enum select_lost lost_by(const struct trace *train,
                                const struct trace *valid)
{
    double last = trace_last(train);
    enum select_lost lost = isnan(last) ? SELECT_DRAWN : select_loss(last);

    last = trace_last(valid);
    return lost || isnan(last) ? lost : select_loss(last);
}

static int put_cell(struct both *b, int i, struct line *line)
{
    const struct report_cell *c = &b->r->cell[i];
    OWNED(cell_close) struct cell_reader *cell = NULL;
    OWNED(trace_free) struct trace train = {0}, valid = {0};
    OWNED(free) char *seed = str_format("%lld", c->seed);
    struct band_point row = {.curve = "train", .variant = c->variant,
                             .seed = seed};
    double settled, error;

    PASS(report_read(&cell, b->r, c->id));
    PASS(check_data(b, c, cell));
    PASS(trace_read(&train, cell, c->id, "curves/train", "loss"));
    PASS(trace_read(&valid, cell, c->id, "curves/valid", "ce"));
    b->lost[i] = lost_by(&train, &valid);
    int drawn = b->lost[i] == SELECT_DRAWN;
    band_trace(drawn ? &line->band[TRAIN] : NULL, select_sane, &b->p, columns,
               row, &train, train.n / WINDOW / 2);
    row.curve = "valid";
    band_trace(drawn ? &line->band[VALID] : NULL, select_sane, &b->p, columns,
               row, &valid, 0);
    line->diverged += b->lost[i] == SELECT_DIVERGED;
    if (!drawn || !valid.n)
        return OK;
    PASS(learning_read(&settled, &error, cell));
    learning_add(&line->learning, trace_last(&valid), settled, error);
    return OK;
}

/* ---- the lines ---- */

static int put_cells(struct both *b, struct line *line)
{
    for (int i = 0; i < b->r->n; i++) {
        const struct report_cell *c = &b->r->cell[i];
        int diverged = !strcmp(c->class, "diverged");

        if (!select_is(c, b->task, line->name))
            continue;
        if (c->state == CELL_DONE)
            PASS(put_cell(b, i, line));
        line->cells += diverged || c->state == CELL_DONE;
        line->diverged += diverged;
    }
    return OK;
}

/* Writes the bands of all variants, and adds to the chart a line for each
 * variant that has finished or diverged cells. */
static void put_lines(struct chart *c, struct both *b)
{
    const struct style *look = looks_of(select_variants(b->r), b->r->memory);

    c->line = arena_zero(b->r->memory, (size_t)b->n * sizeof *c->line);
    for (int i = 0; i < b->n; i++) {
        struct line *line = &b->line[i];
        struct chart_line *l = &c->line[c->n];

        if (!line->cells)
            continue;
        c->n++;
        *l = (struct chart_line){line->name, line->diverged ? "diverged" : "-",
                                 look[i], INFINITY, {0}};
        if (line->learning.cells) {
            l->end = line->learning.ce / line->learning.cells;
            l->value = arena_format(b->r->memory, "%.3f", l->end);
        }
        for (int k = CURVES - 1; k >= 0; k--)
            l->block[k] = band_put(&line->band[k], &c->panel[k], EARLY, &b->p,
                                   columns);
    }
}

/* ---- the panels ---- */

static int is_cut(const struct both *b, int curve, double high)
{
    for (int i = 0; i < b->n; i++) {
        const struct band *band = &b->line[i].band[curve];

        for (size_t k = 0; k < band->n; k++)
            if (band->point[k].high > high)
                return 1;
    }
    return 0;
}

/* Both panels have the same limits, which include the reference lines that are
 * near. */
static void share_axis(struct chart *c, const struct both *b)
{
    struct chart_panel *a = c->panel;
    double low = fmin(a[0].low, a[1].low), high = fmax(a[0].high, a[1].high);

    reference_lines_widen(&c->levels, &low, &high);
    for (int k = 0; k < CURVES; k++) {
        a[k].low = low;
        a[k].high = high;
        chart_pad(&a[k], 1e-6);
        a[k].cut = is_cut(b, k, a[k].high);
        a[k].most = fmax(a[k].most, 1);
    }
}

/* Returns the number of points between two marks on a training curve. */
static int marked(const struct both *b)
{
    size_t most = 0;

    for (int i = 0; i < b->n; i++)
        if (b->line[i].band[TRAIN].n > most)
            most = b->line[i].band[TRAIN].n;
    return (int)most / MARKS + 1;
}

static int are_unsettled(const struct both *b)
{
    for (int i = 0; i < b->n; i++)
        for (int k = 0; k < i; k++)
            if (learning_unsettled(&b->line[i].learning, &b->line[k].learning))
                return 1;
    return 0;
}

static int put_words(struct chart *c, const struct both *b)
{
    struct arena *a = b->r->memory;
    int seeds = select_seeds(b->r, b->task);
    const char *unit;

    PASS(select_loss_unit(&unit, b->r, b->task));
    c->panel[VALID].title = arena_format(a, "validation cross-entropy, %s",
                                         unit);
    c->panel[TRAIN].title = arena_format(a, "training loss, %s", unit);
    c->title = select_title(b->r, "Learning curves", b->task);
    c->subtitle = arena_format(a, "training: moving mean over %d %% of the "
                               "steps%s%s", 100 / WINDOW,
                               seeds > 1 ? "; " : "", select_band(seeds));
    c->order = arena_format(a, "at the end%s%s", seeds > 1 ? "" : ", one seed",
                            are_unsettled(b) ? "; not converged" : "");
    c->beyond = "beyond the axis, on the test set: ";
    c->note = select_note(b->r, b->alike.sets > 1
                          ? "Lines with other varied settings have different "
                            "data" : "", select_absent(b->r, b->task, b->lost));
    return OK;
}

static int draw(const struct figure *f, const struct report *r,
                const char *task, const struct output *to)
{
    OWNED(both_free) struct both b = {.r = r, .task = task,
                                      .alike = {.memory = r->memory}};
    OWNED(free) char *name = str_format("%s_%s", f->name, task);
    const char *const *variant = select_variants(r);
    struct chart_panel panel = {.x_title = "step", .low = INFINITY,
                                .high = -INFINITY, .x = 4, .y = 6, .band = 7};
    struct chart c = {.panels = CURVES, .panel = {panel, panel}};

    b.line = arena_zero(r->memory, ((size_t)r->n + 1) * sizeof *b.line);
    b.lost = arena_zero(r->memory, (size_t)r->n * sizeof *b.lost);
    PASS(picture_begin(&b.p, to, name));
    picture_head(&b.p, columns);
    for (; variant[b.n]; b.n++)
        b.line[b.n].name = variant[b.n];
    for (int i = 0; i < b.n; i++)
        PASS(put_cells(&b, &b.line[i]));
    put_lines(&c, &b);
    if (b.alike.sets < 2) /* else each data set has its own lines */
        PASS(reference_lines_read(&c.levels, r, task));
    share_axis(&c, &b);
    c.panel[VALID].left = 0.425;
    c.panel[VALID].right = 0.72;
    c.panel[VALID].levels = c.panel[VALID].every = 1;
    c.panel[TRAIN].left = 0.065;
    c.panel[TRAIN].right = 0.36;
    c.panel[TRAIN].every = marked(&b);
    PASS(put_words(&c, &b));
    return chart_end(&b.p, &c, r);
}

const struct figure figure_curves = {
    .name = "curves",
    .title = "Learning curves: training loss and validation cross-entropy",
    .none = "no cell is done, so there is nothing to plot",
    .draw = draw,
};
