/*
 * curves: draws learning curves, one picture for each task.  A picture shows
 * the training loss (as optimised, so with label smoothing if the task has it)
 * and the validation cross-entropy against the step: for each variant the mean
 * over its seeds, in a band from their minimum to their maximum.  Both panels
 * share their vertical axis.  Values above the axis in the first fifth of
 * training are cut off, and the picture says so.
 *
 *   curves_TASK.tsv: curve (train, valid), variant, seed (-: mean over seeds),
 *   step, value (nats), smooth (train: moving mean of value over 5 % of the
 *   curve; valid: value), low and high of the band.  The cells come first; each
 *   mean follows after two blank lines
 *
 * Seeds whose loss is not sane (SELECT_WORST) are left out of the mean.
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/report/learning.h"
#include "harness/store/cell.h"
#include "harness/report/dataset_match.h"
#include "plots/band.h"
#include "plots/line_labels.h"
#include "plots/figure.h"
#include "plots/reference_lines.h"
#include "plots/style.h"
#include "plots/picture.h"
#include "plots/select.h"
#include "plots/trace.h"

#include <math.h>
#include <string.h>

enum { TRAIN, VALID, CURVES };
enum { NO_INDEX = 1000000 /* greater than any index */ };
enum { WINDOW = 20, MARKS = 8 }; /* moving mean: 1 / WINDOW of a curve */
static const double EARLY = 0.2; /* first part of a curve, may be cut off    */

static const struct curve { const char *name, *value; } curves[CURVES] = {
    {"train", "loss"}, {"valid", "ce"}};
static const struct frame frames[CURVES] = {{0.065, 0.36, 0.13, 0.85},
                                            {0.425, 0.72, 0.13, 0.85}};

/* Curves of a variant. */
struct row {
    struct band band[CURVES];
    int    index[CURVES];    /* block of the band in the data, or NO_INDEX */
    int    seeds;            /* finished cells with a sane last loss       */
    int    cells, diverged;  /* cells: finished or diverged cells          */
    double last;             /* sum, then mean of the last validation loss of
                                the seeds; INFINITY: no seed               */
    struct learning learning; /* at the last validation                    */
};

struct axes {
    double low, high;       /* of both panels                              */
    double last[CURVES];    /* last step                                   */
    int    cut[CURVES];     /* 1: values above are cut off                 */
};

struct both {
    int               n;
    const char *const *name; /* of the rows                                */
    struct row        *row;
    enum select_lost  *lost; /* one for each cell of the report            */
    int               labels;
    struct dataset_match      alike;
};

static void both_free(struct both *b)
{
    for (int i = 0; i < b->n; i++)
        for (int k = 0; k < CURVES; k++)
            band_free(&b->row[i].band[k]);
}
OWNER_OF_VALUE(both_free, struct both)

/* ---- a cell ---- */

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

/* Writes the points of a curve and, if `band` is not NULL, adds them to
 * `band`. */
static void put_trace(FILE *out, const char *curve, const struct report_cell *c,
                      const struct trace *t, size_t half, struct band *band)
{
    for (size_t i = 0; i < t->n; i++) {
        double smooth = trace_mean(t, i, half);

        fputs(curve, out);
        picture_put_text(out, "\t", c->variant);
        fprintf(out, "\t%lld\t%.0f", c->seed, t->step[i]);
        picture_put_number(out, "\t", t->value[i]);
        picture_put_number(out, "\t", smooth);
        fputs("\tNaN\tNaN\n", out);
        if (band && select_sane(smooth))
            band_add(band, t->step[i], t->value[i], smooth);
    }
}

static enum select_lost lost_by(const struct trace trace[CURVES])
{
    double train = trace_last(&trace[TRAIN]), valid = trace_last(&trace[VALID]);
    enum select_lost lost = isnan(train) ? SELECT_DRAWN : select_loss(train);

    return lost || isnan(valid) ? lost : select_loss(valid);
}

static int put_cell(FILE *out, const struct report *r, int i, struct both *b,
                    struct row *row)
{
    const struct report_cell *c = &r->cell[i];
    OWNED(cell_close) struct cell_reader *cell = NULL;
    OWNED(trace_free) struct trace train = {0}, valid = {0};
    double settled, error, accuracy;

    PASS(report_read(&cell, r, c->id));
    PASS(check_data(b, c, cell));
    PASS(trace_read(&train, cell, c->id, "train", "loss"));
    PASS(trace_read(&valid, cell, c->id, "valid", "ce"));
    b->lost[i] = lost_by((struct trace[]){train, valid});
    int drawn = b->lost[i] == SELECT_DRAWN;
    put_trace(out, "train", c, &train, train.n / WINDOW / 2,
              drawn ? &row->band[TRAIN] : NULL);
    put_trace(out, "valid", c, &valid, 0, drawn ? &row->band[VALID] : NULL);
    row->diverged += b->lost[i] == SELECT_DIVERGED;
    if (drawn && valid.n) {
        row->last += trace_last(&valid);
        row->seeds++;
        PASS(learning_read(&settled, &error, cell));
        learning_add(&row->learning, trace_last(&valid), settled, error);
    }
    b->labels |= cell_get_metric(cell, "accuracy", &accuracy) == OK;
    return OK;
}

/* ---- a row ---- */

static void put_band(FILE *out, const char *curve, const char *variant,
                     struct band *band)
{
    band_close(band);
    for (size_t i = 0; i < band->n; i++) {
        const struct band_point *p = &band->point[i];

        fputs(curve, out);
        picture_put_text(out, "\t", variant);
        fprintf(out, "\t-\t%.0f", p->step);
        picture_put_number(out, "\t", p->value);
        picture_put_number(out, "\t", p->smooth);
        picture_put_number(out, "\t", p->low);
        picture_put_number(out, "\t", p->high);
        fputc('\n', out);
    }
}

static int put_row(FILE *out, const struct report *r, const char *task,
                   const char *variant, struct both *b, struct row *row)
{
    for (int i = 0; i < r->n; i++) {
        const struct report_cell *c = &r->cell[i];
        int diverged = !strcmp(c->class, "diverged");

        if (!select_is(c, task, variant))
            continue;
        if (c->state == CELL_DONE)
            PASS(put_cell(out, r, i, b, row));
        row->cells += diverged || c->state == CELL_DONE;
        row->diverged += diverged;
    }
    row->last = row->seeds ? row->last / row->seeds : INFINITY;
    return OK;
}

/* Writes the means after the cells, each after two blank lines, so that gnuplot
 * finds a mean by its `index` without parsing the others. */
static void put_bands(FILE *out, struct both *b)
{
    int index = 0; /* the block of the cells */

    for (int i = 0; i < b->n; i++)
        for (int k = 0; k < CURVES; k++) {
            struct row *row = &b->row[i];

            if (row->band[k].n)
                fputs("\n\n", out);
            put_band(out, curves[k].name, b->name[i], &row->band[k]);
            row->index[k] = row->band[k].n ? ++index : NO_INDEX;
        }
}

static int collect(FILE *out, const struct report *r, const char *task,
                   struct both *b)
{
    for (int i = 0; i < b->n; i++)
        PASS(put_row(out, r, task, b->name[i], b, &b->row[i]));
    put_bands(out, b);
    return OK;
}

/* ---- the axes ---- */

static void see_band(struct axes *a, int curve, const struct band *band)
{
    double last = band->n ? band->point[band->n - 1].step : 0;

    a->last[curve] = fmax(a->last[curve], last);
    for (size_t i = 0; i < band->n; i++) {
        a->low = fmin(a->low, band->point[i].low);
        if (band->point[i].step >= EARLY * last)
            a->high = fmax(a->high, band->point[i].high);
    }
}

static int is_cut(const struct both *b, int curve, double high)
{
    for (int i = 0; i < b->n; i++) {
        const struct band *band = &b->row[i].band[curve];

        for (size_t k = 0; k < band->n; k++)
            if (band->point[k].high > high)
                return 1;
    }
    return 0;
}

static struct axes find_axes(const struct both *b,
                             const struct reference_lines *l)
{
    struct axes a = {.low = INFINITY, .high = -INFINITY};

    for (int i = 0; i < b->n; i++)
        for (int k = 0; k < CURVES; k++)
            see_band(&a, k, &b->row[i].band[k]);
    if (a.low > a.high) { /* there are no points */
        a.low = 0;
        a.high = 1;
    }
    reference_lines_widen(l, &a.low, &a.high);
    double pad = fmax((a.high - a.low) * 0.05, 1e-6);
    a.low -= pad;
    a.high += pad;
    for (int k = 0; k < CURVES; k++)
        a.cut[k] = is_cut(b, k, a.high);
    return a;
}

static void put_axes(struct picture *p, const struct axes *a)
{
    char variable[32];

    picture_number(p, "low", a->low);
    picture_number(p, "high", a->high);
    for (int k = 0; k < CURVES; k++) {
        snprintf(variable, sizeof variable, "%s_last", curves[k].name);
        picture_number(p, variable, fmax(a->last[k], 1));
        snprintf(variable, sizeof variable, "%s_cut", curves[k].name);
        picture_number(p, variable, a->cut[k]);
        line_labels_frame(p, curves[k].name, &frames[k]);
    }
}

/* Returns the number of points between two marks on a training curve. */
static double marked(const struct both *b)
{
    size_t most = 0;

    for (int i = 0; i < b->n; i++)
        most = b->row[i].band[TRAIN].n > most ? b->row[i].band[TRAIN].n : most;
    return (double)(most / MARKS + 1);
}

/* ---- the words ---- */

static const struct row *row_of(const struct both *b, const char *variant)
{
    int i = 0;

    while (strcmp(b->name[i], variant))
        i++;
    return &b->row[i];
}

/* Sets the gnuplot variables trainI and validI, where I is `i`, to the blocks
 * of the row's curves in the data. */
static void put_indices(struct picture *p, int i, const struct row *row)
{
    char variable[32];

    for (int k = 0; k < CURVES; k++) {
        snprintf(variable, sizeof variable, "%s%d", curves[k].name, i);
        picture_number(p, variable, row->index[k]);
    }
}

/* Puts the names of the variants that have finished or diverged cells. */
static void put_ends(struct picture *p, const struct report *r,
                     const struct both *b, const struct axes *a)
{
    const struct style *look = looks_of(b->name, r->memory);
    struct end *end = arena_zero(r->memory, ((size_t)b->n + 1) * sizeof *end);
    int n = 0;

    for (int i = 0; i < b->n; i++) {
        const struct row *row = &b->row[i];

        if (row->cells == 0)
            continue;
        end[n++] = (struct end){
            &look[i], b->name[i],
            row->seeds      ? arena_format(r->memory, "%.3f", row->last)
            : row->diverged ? "diverged"
                            : "-", (row->last - a->low) / (a->high - a->low)};
    }
    line_labels_put(p, end, n, &frames[VALID]);
    for (int i = 0; i < n; i++)
        put_indices(p, i + 1, row_of(b, end[i].name));
}

static int are_unsettled(const struct both *b)
{
    for (int i = 0; i < b->n; i++)
        for (int k = 0; k < i; k++)
            if (learning_unsettled(&b->row[i].learning, &b->row[k].learning))
                return 1;
    return 0;
}

static void put_words(struct picture *p, const struct report *r,
                      const char *task, const struct both *b,
                      const char *beyond)
{
    int seeds = select_seeds(r, task);

    picture_text(p, "title", "%s", select_title(r, "Learning curves", task));
    picture_text(p, "unit", "%s", b->labels ? "nats/example" : "nats/token");
    picture_text(p, "told", "training: moving mean over %d %% of the steps%s%s",
                 100 / WINDOW, seeds > 1 ? "; " : "", select_band(seeds));
    picture_text(p, "order", "at the end%s%s",
                 seeds > 1 ? "" : ", one seed",
                 are_unsettled(b) ? "; not converged" : "");
    picture_text(p, "beyond", "%s%s", *beyond ? "beyond the axis, on the test "
                 "set: " : "", beyond);
    picture_text(p, "note", "%s%s", b->alike.sets > 1
                 ? "Lines with other varied settings have different data.  "
                 : "",
                 select_absent(r, task, b->lost));
}

static int draw_curves(const struct report *r, const struct output *to,
                       const char *task)
{
    OWNED(both_free) struct both b = {.name = select_variants(r),
                                        .alike = {.memory = r->memory}};
    OWNED(picture_abandon) struct picture p = {0};
    OWNED(free) char *name = str_format("curves_%s", task);
    struct reference_lines levels = {0};
    int n = 0;

    while (b.name[n])
        n++;
    b.row = arena_zero(r->memory, ((size_t)n + 1) * sizeof *b.row);
    b.lost = arena_zero(r->memory, (size_t)r->n * sizeof *b.lost);
    b.n = n;
    PASS(picture_begin(&p, to, name));
    fputs("curve\tvariant\tseed\tstep\tvalue\tsmooth\tlow\thigh\n", p.data);
    PASS(collect(p.data, r, task, &b));
    if (b.alike.sets < 2) /* else each data set has its own lines */
        PASS(reference_lines_read(&levels, r, task));
    struct axes a = find_axes(&b, &levels);
    put_axes(&p, &a);
    picture_number(&p, "marked", marked(&b));
    put_words(&p, r, task, &b,
              reference_lines_put(&levels, &p, r, a.low, a.high));
    put_ends(&p, r, &b, &a);
    return picture_end(&p, "curves");
}

static int render(const struct report *r, const struct output *to)
{
    int drawn = 0;

    for (const char *const *task = select_tasks(r); *task; task++) {
        if (!select_done(r, *task))
            continue;
        PASS(draw_curves(r, to, *task));
        drawn++;
    }
    return drawn ? OK : err_set(ERR_EMPTY, "%s: no cell is done, so there is "
                                "nothing to plot", r->store);
}

const struct figure figure_curves = {
    .name = "curves",
    .title = "Learning curves: training loss and validation cross-entropy",
    .render = render,
};
