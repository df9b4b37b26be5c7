/*
 * moves: draws the change of the attention logits per training step
 * (train/watch.h) against the step, on logarithmic axes, with one picture for
 * each task.  A picture shows for each variant the mean over its seeds, in a
 * band from their minimum to their maximum.
 *
 *   moves_TASK.tsv: variant, seed (-: mean over seeds), step, rms (root mean
 *   square change over all self-attentions), low and high of the band
 *
 * A variant whose logits do not change at all is named but has no line.  Cells
 * whose loss is not sane (SELECT_WORST) are left out.
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "plots/band.h"
#include "plots/line_labels.h"
#include "plots/figure.h"
#include "plots/style.h"
#include "plots/picture.h"
#include "plots/select.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define GROUP "attention/moves"

static const struct frame panel = {0.11, 0.73, 0.13, 0.87};

/* The curve of a variant, and the limits of all curves. */
struct row { struct band band; int cells; double peak, last; };
struct axes { double low, high, last; };

/* Cells that are not drawn.  `lost` has the reason for each cell of the report;
 * `silent` is the number of cells that do not store the change. */
struct absent { enum select_lost *lost; int silent; };

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
static int read_moves(double **step, double **rms, size_t *n,
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
static int put_cell(FILE *out, const struct report *r,
                    const struct report_cell *c, struct row *row)
{
    OWNED(cell_close) struct cell_reader *cell = NULL;
    OWNED(free) double *step = NULL, *rms = NULL;
    size_t n = 0;

    PASS(report_read(&cell, r, c->id));
    int rc = read_moves(&step, &rms, &n, cell);
    if (rc < 0)
        return rc == ERR_EMPTY ? rc : err_wrap(rc, "cell %s", c->id);
    for (size_t i = 0; i < n; i++) {
        picture_put_text(out, "", c->variant);
        fprintf(out, "\t%lld\t%.0f", c->seed, step[i]);
        picture_put_number(out, "\t", rms[i]);
        fputs("\tNaN\tNaN\n", out);
        if (rms[i] > 0)
            band_add(&row->band, step[i], rms[i], rms[i]);
    }
    row->cells++;
    return OK;
}

static void put_band(FILE *out, const char *variant, struct row *row,
                     struct axes *a)
{
    band_close(&row->band);
    for (size_t i = 0; i < row->band.n; i++) {
        const struct band_point *p = &row->band.point[i];

        picture_put_text(out, "", variant);
        fprintf(out, "\t-\t%.0f", p->step);
        picture_put_number(out, "\t", p->value);
        picture_put_number(out, "\t", p->low);
        picture_put_number(out, "\t", p->high);
        fputc('\n', out);
        row->peak = fmax(row->peak, p->value);
        row->last = p->value;
        a->low = fmin(a->low, p->low);
        a->high = fmax(a->high, p->high);
        a->last = fmax(a->last, p->step);
    }
    fputc('\n', out); /* breaks the line between two variants */
}

/* Writes all cells of a variant that are drawn, and its band. */
static int put_row(FILE *out, const struct report *r, const char *task,
                   const char *variant, struct row *row, struct axes *a,
                   struct absent *absent)
{
    for (int i = 0; i < r->n; i++) {
        const struct report_cell *c = &r->cell[i];

        if (c->state != CELL_DONE || !select_is(c, task, variant) ||
            absent->lost[i])
            continue;
        int rc = put_cell(out, r, c, row);
        PASS(cell_maybe(rc));
        absent->silent += rc == ERR_EMPTY;
    }
    put_band(out, variant, row, a);
    return OK;
}

static int put_rows(FILE *out, const struct report *r, const char *task,
                    struct row *row, struct axes *a, struct absent *absent)
{
    const char *const *variant = select_variants(r);
    int cells = 0;

    for (int i = 0; variant[i]; i++) {
        int rc = put_row(out, r, task, variant[i], &row[i], a, absent);

        band_free(&row[i].band);
        PASS(rc);
        cells += row[i].cells;
    }
    return cells;
}

/* Puts the names of the variants with at least one curve. */
static void put_ends(struct picture *p, const struct report *r,
                     const struct row *row, int n, const struct axes *a)
{
    const char *const *variant = select_variants(r);
    const struct style *look = looks_of(variant, r->memory);
    struct end *end = arena_zero(r->memory, ((size_t)n + 1) * sizeof *end);
    int ends = 0;

    for (int i = 0; i < n; i++)
        if (row[i].cells)
            end[ends++] = (struct end){
                &look[i], variant[i],
                arena_format(r->memory, "%.2g", row[i].peak),
                log(row[i].last / a->low) / log(a->high / a->low)};
    line_labels_put(p, end, ends, &panel);
}

static void put_axes(struct picture *p, struct axes *a)
{
    int any = a->low <= a->high; /* 0 if nothing changes */

    a->low = (any ? a->low : 0.1) / 1.3;
    a->high = (any ? a->high : 1) * 1.3;
    picture_number(p, "low", a->low);
    picture_number(p, "high", a->high);
    picture_number(p, "last", fmax(a->last, 2));
    line_labels_frame(p, "panel", &panel);
}

static void put_words(struct picture *p, const struct report *r,
                      const char *task, const struct absent *absent)
{
    int seeds = select_seeds(r, task);
    const char *lost = select_absent(r, task, absent->lost);

    picture_text(p, "title", "%s",
                 select_title(r, "Change of the logits per step", task));
    picture_text(p, "told", "%s", select_band(seeds));
    picture_text(p, "order", "maximum of each curve%s",
                 seeds > 1 ? "" : ", one seed");
    picture_text(p, "note", "%s%s", absent->silent ? arena_format(
                     r->memory, "omitted: %d cell%s without this measurement, "
                     "trained by an earlier version or another program%s",
                     absent->silent, absent->silent == 1 ? "" : "s",
                     *lost ? ".  " : "") : "",
                 lost);
}

static int draw_moves(const struct report *r, const struct output *to,
                      const char *task, int *drawn)
{
    const char *const *variant = select_variants(r);
    OWNED(picture_abandon) struct picture p = {0};
    OWNED(free) char *name = str_format("moves_%s", task);
    struct axes a = {INFINITY, -INFINITY, 1};
    struct absent absent = {0};
    int n = 0, cells;

    while (variant[n])
        n++;
    struct row *row = arena_zero(r->memory, ((size_t)n + 1) * sizeof *row);
    PASS(select_losses(&absent.lost, r, task));
    PASS(picture_begin(&p, to, name));
    fputs("variant\tseed\tstep\trms\tlow\thigh\n", p.data);
    PASS(cells = put_rows(p.data, r, task, row, &a, &absent));
    if (!cells)
        return OK;
    (*drawn)++;
    put_axes(&p, &a);
    put_words(&p, r, task, &absent);
    put_ends(&p, r, row, n, &a);
    return picture_end(&p, "moves");
}

static int render(const struct report *r, const struct output *to)
{
    int drawn = 0;

    for (const char *const *task = select_tasks(r); *task; task++)
        PASS(draw_moves(r, to, *task, &drawn));
    return drawn ? OK : err_set(ERR_EMPTY, "%s: no cell has the change of its "
                                "logits per step", r->store);
}

const struct figure figure_moves = {
    .name = "moves",
    .title = "Change of the attention logits per training step",
    .render = render,
};
