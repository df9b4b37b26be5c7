/*
 * logit_change: draws the change of the attention logits per training step
 * (train/watch.h) against the step, on logarithmic axes, with one picture for
 * each task.  A picture shows for each variant the mean over its seeds, in a
 * band from their minimum to their maximum.
 *
 *   logit_change_TASK.tsv: variant, seed (-: mean over seeds), step, rms (root
 *   mean square change over all self-attentions), low and high of the band.
 *   The means of a variant are a block, which follows its cells
 *
 * A variant whose logits do not change at all is named but has no line.  Cells
 * whose loss is not sane (SELECT_WORST) are left out.
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "plots/band.h"
#include "plots/chart.h"
#include "plots/figure.h"
#include "plots/select.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GROUP "attention/moves"

struct row { const char *variant, *seed; int step; double rms, low, high; };

static const struct column columns[] = {
    {"variant", NULL, COLUMN(struct row, variant)},
    {"seed", NULL, COLUMN(struct row, seed)},
    {"step", NULL, COLUMN(struct row, step)},
    {"rms", NULL, COLUMN(struct row, rms)},
    {"low", NULL, COLUMN(struct row, low)},
    {"high", NULL, COLUMN(struct row, high)},
    {.type = COLUMN_END}};

/* Adds the squared changes of the attention at `place` to *square.  The first
 * call also sets *step and *n. */
static int add_place(double **step, double **square, size_t *n,
                     struct cell_reader *cell, const char *place)
{
    OWNED(free) char *at = str_format(GROUP "/%s/step", place);
    OWNED(free) char *of = str_format(GROUP "/%s/rms", place);
    OWNED(free) double *t = NULL, *rms = NULL;
    size_t steps, m;

    PASS(cell_get_array(cell, at, &t, &steps));
    PASS(cell_get_array(cell, of, &rms, &m));
    if (m != steps || (*step && steps != *n))
        return err_set(ERR_STORE, "%s has %zu values for %zu steps", of, m,
                       *step ? *n : steps);
    if (!*square)
        *square = calloc(steps + 1, sizeof **square);
    for (size_t i = 0; i < steps; i++) {
        if (!(t[i] >= 1 && t[i] <= INT_MAX))
            return err_set(ERR_STORE, "%s has %g", at, t[i]);
        (*square)[i] += rms[i] * rms[i];
    }
    *n = steps;
    return *step ? OK : MOVE_OUT(step, t);
}

/* Reads the root mean square change over all self-attentions: (*rms)[i] at step
 * (*step)[i], for i < *n.  Returns ERR_EMPTY if the cell does not store it. */
static int read_changes(double **step, double **rms, size_t *n,
                        struct cell_reader *cell)
{
    const char **place;
    size_t places;
    int own = 0;

    PASS(cell_get_names(cell, GROUP, &place, &places));
    for (size_t i = 0; i < places; i++) {
        if (!strncmp(place[i], "cross.", strlen("cross.")))
            continue;
        PASS(add_place(step, rms, n, cell, place[i]));
        own++;
    }
    for (size_t i = 0; own && i < *n; i++)
        (*rms)[i] = sqrt((*rms)[i] / own);
    return own ? OK : err_set(ERR_EMPTY, "no self-attention");
}

/* Writes the curve of a cell and adds it to the band, except for changes of 0,
 * which a logarithmic axis cannot show. */
static int put_cell(struct picture *p, const struct report *r,
                    const struct report_cell *c, struct band *band)
{
    OWNED(cell_close) struct cell_reader *cell = NULL;
    OWNED(free) double *step = NULL, *rms = NULL;
    OWNED(free) char *seed = str_format("%lld", c->seed);
    size_t n = 0;

    PASS(report_read(&cell, r, c->id));
    int rc = read_changes(&step, &rms, &n, cell);
    if (rc < 0)
        return rc == ERR_EMPTY ? rc : err_wrap(rc, "cell %s", c->id);
    for (size_t i = 0; i < n; i++) {
        picture_row(p, columns, &(struct row){c->variant, seed, (int)step[i],
                                              rms[i], NAN, NAN});
        if (rms[i] > 0)
            band_add(band, step[i], rms[i], rms[i]);
    }
    return OK;
}

/* Writes the cells of a variant that are drawn, and collects their band.
 * Returns their number; adds the cells without changes to *silent. */
static int put_cells(struct picture *p, const struct report *r,
                     const char *task, const char *variant, struct band *band,
                     const enum select_lost *lost, int *silent)
{
    int cells = 0;

    for (int i = 0; i < r->n; i++) {
        const struct report_cell *c = &r->cell[i];

        if (c->state != CELL_DONE || !select_is(c, task, variant) || lost[i])
            continue;
        int rc = put_cell(p, r, c, band);
        PASS(cell_maybe(rc));
        *silent += rc == ERR_EMPTY;
        cells += rc == OK;
    }
    return cells;
}

/* Writes the band of a line, and extends the axes so that they include it. */
static void put_band(struct picture *p, struct chart_line *l,
                     struct chart_panel *a, struct band *band,
                     struct arena *memory)
{
    double peak = 0;

    l->block[0] = CHART_NO_BLOCK;
    l->value = "0";
    band_close(band);
    if (!band->n) {
        l->end = -INFINITY;
        return;
    }
    l->block[0] = picture_block(p);
    for (size_t i = 0; i < band->n; i++) {
        const struct band_point *x = &band->point[i];

        picture_row(p, columns, &(struct row){l->name, "-", (int)x->step,
                                              x->value, x->low, x->high});
        peak = fmax(peak, x->value);
        l->end = x->value;
        a->low = fmin(a->low, x->low);
        a->high = fmax(a->high, x->high);
        a->most = fmax(a->most, x->step);
    }
    picture_block(p);
    l->value = arena_format(memory, "%.2g", peak);
}

static int put_lines(struct picture *p, struct chart *c, const struct report *r,
                     const char *task, const enum select_lost *lost,
                     int *silent)
{
    const char *const *variant = select_variants(r);
    const struct style *look = looks_of(variant, r->memory);

    c->line = arena_zero(r->memory, (size_t)r->n * sizeof *c->line);
    for (int i = 0; variant[i]; i++) {
        OWNED(band_free) struct band band = {0};
        int cells = put_cells(p, r, task, variant[i], &band, lost, silent);

        PASS(cells);
        if (!cells)
            continue;
        c->line[c->n] = (struct chart_line){variant[i], NULL, look[i], NAN,
                                            {0}};
        put_band(p, &c->line[c->n++], c->panel, &band, r->memory);
    }
    return OK;
}

static int draw(const struct figure *f, const struct report *r,
                const char *task, const struct output *to)
{
    OWNED(picture_abandon) struct picture p = {0};
    OWNED(free) char *name = str_format("%s_%s", f->name, task);
    struct chart c = {.panels = 1};
    int seeds = select_seeds(r, task), silent = 0;
    enum select_lost *lost;

    c.panel[0] = (struct chart_panel){
        .x_title = "step", .left = 0.11, .right = 0.73, .least = 1, .most = 2,
        .y_title = "RMS change of an unmasked logit per step", .low = INFINITY,
        .high = -INFINITY, .log_x = 1, .log_y = 1, .x = 3, .y = 4, .band = 5,
        .every = 1};
    PASS(picture_begin(&p, to, name));
    picture_head(&p, columns);
    PASS(select_losses(&lost, r, task));
    PASS(put_lines(&p, &c, r, task, lost, &silent));
    if (!c.n)
        return FIGURE_NONE;
    chart_pad_log(&c.panel[0].low, &c.panel[0].high, 1.3);
    c.title = select_title(r, "Change of the logits per step", task);
    c.subtitle = select_band(seeds);
    c.order = seeds > 1 ? "maximum of each curve"
                        : "maximum of each curve, one seed";
    c.note = select_note(r, select_silent(r, silent),
                         select_absent(r, task, lost));
    return chart_end(&p, &c, r);
}

const struct figure figure_logit_change = {
    .name = "logit_change",
    .title = "Change of the attention logits per training step",
    .none = "no cell has the change of its logits per step",
    .draw = draw,
};
