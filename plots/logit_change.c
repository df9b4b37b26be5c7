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
#include "plots/figure.h"
#include "plots/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GROUP "attention/moves"

static const struct column columns[] = {
    {"variant", NULL, COLUMN(struct band_point, variant)},
    {"seed", NULL, COLUMN(struct band_point, seed)},
    {"step", NULL, COLUMN(struct band_point, step)},
    {"rms", NULL, COLUMN(struct band_point, value)},
    {"low", NULL, COLUMN(struct band_point, low)},
    {"high", NULL, COLUMN(struct band_point, high)},
    {.type = COLUMN_END}};

/* Reads the root mean square change over all self-attentions.  Returns
 * ERR_EMPTY if the cell does not store it. */
static int read_changes(struct trace *out, struct cell_reader *cell,
                        const char *id)
{
    const char **place;
    size_t places;
    int own = 0;

    PASS(cell_get_names(cell, GROUP, &place, &places));
    for (size_t i = 0; i < places; i++) {
        OWNED(free) char *group = str_format(GROUP "/%s", place[i]);
        OWNED(trace_free) struct trace one;

        if (!strncmp(place[i], "cross.", strlen("cross.")))
            continue;
        PASS(trace_read(&one, cell, id, group, "rms"));
        if (own++ && one.n != out->n)
            return err_set(ERR_STORE, "cell %s: %s has %zu steps, not %zu", id,
                           group, one.n, out->n);
        for (size_t k = 0; k < one.n; k++)
            one.value[k] = one.value[k] * one.value[k] +
                           (own > 1 ? out->value[k] : 0);
        trace_free(out);
        *out = one;
        one = (struct trace){0};
    }
    for (size_t k = 0; k < out->n; k++)
        out->value[k] = sqrt(out->value[k] / own);
    return own ? OK : err_set(ERR_EMPTY, "no self-attention");
}

/* A logarithmic axis cannot show 0. */
static int is_positive(double change) { return change > 0; }

static int put_cell(struct picture *p, const struct report *r,
                    const struct report_cell *c, struct band *band)
{
    OWNED(cell_close) struct cell_reader *cell = NULL;
    OWNED(trace_free) struct trace changes = {0};
    OWNED(free) char *seed = str_format("%lld", c->seed);

    PASS(report_read(&cell, r, c->id));
    PASS(read_changes(&changes, cell, c->id));
    band_trace(band, is_positive, p, columns,
               (struct band_point){.variant = c->variant, .seed = seed},
               &changes, 0);
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

        if (!select_finished(c, task, variant) || lost[i])
            continue;
        int rc = put_cell(p, r, c, band);
        PASS(cell_maybe(rc));
        *silent += rc == ERR_EMPTY;
        cells += rc == OK;
    }
    return cells;
}

/* Writes the band of a line, and extends the axes so that they include it.  The
 * line's label is "0" if the band has no points. */
static void put_band(struct picture *p, struct chart_line *l,
                     struct chart_panel *a, struct band *band,
                     struct arena *memory)
{
    double peak = 0;

    l->block[0] = band_put(band, a, 0, p, columns);
    l->value = "0";
    l->end = -INFINITY;
    if (!band->n)
        return;
    for (size_t i = 0; i < band->n; i++)
        peak = fmax(peak, band->point[i].value);
    picture_block(p);
    l->end = band->point[band->n - 1].value;
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
