#include "plots/scatter.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/report/result_table.h"
#include "plots/front.h"
#include "plots/reference_lines.h"
#include "plots/style.h"
#include "plots/picture.h"
#include "plots/select.h"
#include "plots/pareto_steps.h"
#include "plots/unit.h"

#include <math.h>
#include <string.h>

enum { COST, ACCURACY, CE, COLUMNS };
enum { POINTS = 64 }; /* there is no room for more names */

/* The edges of the panel, in fractions of the picture, for scatter.gp. */
static const double LEFT = 0.09, BOTTOM = 0.145, TOP = 0.88;
static const double RIGHT = 0.97, BESIDE_LEVELS = 0.835;
static const double LINE = 19;     /* height of a name, pixels       */
static const double KEY_LINE = 22; /* line of the key, pixels        */
static const double TOLD = 0.91;   /* height of the note at the top  */
static const double LOGARITHMS = 4; /* if the greatest cost is more than this
                                       times the least, the axis of costs is
                                       logarithmic */

struct points {
    const struct scatter  *scatter;
    const struct result_table *measured;
    int           n, quality;      /* quality: column of `measured`   */
    int           left_out;        /* variants without a known cost   */
    int           both;            /* 1: intervals over seeds and examples */
    int           logarithms;      /* 1: logarithmic axis of costs    */
    struct unit   unit;            /* of costs                        */
    const char   *name[POINTS + 1]; /* variants; ends with NULL       */
    struct style   look[POINTS];
    double        x[POINTS], y[POINTS], low[POINTS], high[POINTS];
    int           set[POINTS];     /* test set                        */
    int           front[POINTS];   /* 1: on the front of its set      */
    double        x0, x1, y0, y1;  /* limits of the axes              */
    double        right, top;      /* edges of the panel              */
    double        across[POINTS], up[POINTS]; /* x and y in fractions of
                                                 the panel            */
    struct reference_lines levels;
    struct label  label[POINTS];
    const enum select_lost *lost;  /* for select_absent               */
};

static int sane(int quality, double y)
{
    return quality == CE ? select_sane(y) : y >= 0 && y <= 100;
}

/* Returns the interval of a value, or an empty interval if the interval is
 * unknown or not sane.  The interval of an accuracy, which may exceed 0 to 100
 * if there are few seeds, is cut to this range. */
static struct interval bar_of(int quality, const struct result_cell *y)
{
    struct interval b = y->between, none = {y->value, y->value};

    if (!isfinite(b.low) || !isfinite(b.high))
        return none;
    if (quality == ACCURACY)
        return (struct interval){fmax(b.low, 0), fmin(b.high, 100)};
    return sane(quality, b.low) && sane(quality, b.high) ? b : none;
}

static void add_point(struct points *p, const struct result_row *row,
                      double cost)
{
    const struct result_cell *y = &row->cell[p->quality];
    struct interval bar = bar_of(p->quality, y);
    int k = p->n++;

    p->both |= y->over == OVER_BOTH;
    p->name[k] = row->variant;
    p->x[k] = cost;
    p->y[k] = y->value;
    p->set[k] = y->set;
    p->low[k] = bar.low;
    p->high[k] = bar.high;
}

/* Collects the points of rows with a sane quality and a known cost, and the
 * reference lines. */
static void collect(struct points *p, const char *task)
{
    const struct result_table *s = p->measured;

    p->quality = CE;
    for (int i = 0; i < s->rows; i++)
        if (!s->row[i].reference && isfinite(s->row[i].cell[ACCURACY].value))
            p->quality = ACCURACY;
    p->levels.decimals = p->quality == CE ? 3 : 1;
    p->levels.beside = 1;
    for (int i = 0; i < s->rows; i++) {
        const struct result_row *row = &s->row[i];
        double x = row->cell[COST].value, y = row->cell[p->quality].value;

        if (row->reference)
            reference_lines_add(&p->levels, row->title, y);
        if (row->reference || !sane(p->quality, y) ||
            select_has_lost(s->report, task, row->variant, p->lost))
            continue;
        p->left_out += !(x > 0);
        if (x > 0)
            add_point(p, row, x);
    }
}

static void dress(struct points *p)
{
    const struct report *r = p->measured->report;
    const char *const *row = select_variants(r);
    const struct style *look = looks_of(row, r->memory);

    for (int i = 0; i < p->n; i++)
        p->look[i] = look[names_index(row, p->name[i])];
}

/* Adds a margin of a tenth to an axis.  If all points coincide, the margin is
 * large enough that the numbers at the axis stay short. */
static void widen(double *low, double *high)
{
    double pad = *high - *low > 1e-6 * fabs(*high)
                     ? fmax(0.1 * (*high - *low), 1e-3 * fabs(*high))
                     : 0.05 * fabs(*high) + 1e-9;

    *low -= pad;
    *high += pad;
}

static void frame_cost(struct points *p)
{
    p->x0 = INFINITY;
    p->x1 = -INFINITY;
    for (int i = 0; i < p->n; i++) {
        p->x0 = fmin(p->x0, p->x[i]);
        p->x1 = fmax(p->x1, p->x[i]);
    }
    p->unit = unit_of(p->x0);
    p->logarithms = p->x1 > LOGARITHMS * p->x0;
    if (p->logarithms) {
        double pad = pow(p->x1 / p->x0, 0.1);

        p->x0 /= pad;
        p->x1 *= pad;
    } else {
        widen(&p->x0, &p->x1);
    }
}

static void frame_quality(struct points *p)
{
    p->y0 = INFINITY;
    p->y1 = -INFINITY;
    for (int i = 0; i < p->n; i++) {
        p->y0 = fmin(p->y0, p->low[i]);
        p->y1 = fmax(p->y1, p->high[i]);
    }
    reference_lines_widen(&p->levels, &p->y0, &p->y1);
    widen(&p->y0, &p->y1);
    p->right = RIGHT;
    for (int i = 0; i < p->levels.n; i++)
        if (p->levels.of[i].value >= p->y0 && p->levels.of[i].value <= p->y1)
            p->right = BESIDE_LEVELS;
}

static double wide(const struct points *p)
{
    return (p->right - LEFT) * PICTURE_WIDTH;
}

static double tall(const struct points *p)
{
    return (p->top - BOTTOM) * PICTURE_HEIGHT;
}

/* across and up return the place of x and y, in fractions of the panel. */
static double across(const struct points *p, double x)
{
    return p->logarithms ? log(x / p->x0) / log(p->x1 / p->x0)
                         : (x - p->x0) / (p->x1 - p->x0);
}

static double up(const struct points *p, double y)
{
    return (y - p->y0) / (p->y1 - p->y0);
}

static struct pareto stairs_of(const struct points *p)
{
    return (struct pareto){.n = p->n, .x = p->across, .y = p->up,
                           .set = p->set, .front = p->front, .row = p->name,
                           .better = p->scatter->better,
                           .worst = p->quality == CE};
}

static void place(struct points *p)
{
    for (int i = 0; i < p->n; i++) {
        p->across[i] = across(p, p->x[i]);
        p->up[i] = up(p, p->y[i]);
    }
    struct pareto s = stairs_of(p);
    p->top = TOP - pareto_lines(&s, LEFT, p->measured->report->memory) *
                       KEY_LINE / PICTURE_HEIGHT;
    for (int i = 0; i < p->n; i++)
        p->label[i] = (struct label){.x = p->across[i] * wide(p),
                                     .y = p->up[i] * tall(p),
                                     .low = up(p, p->low[i]) * tall(p),
                                     .high = up(p, p->high[i]) * tall(p),
                                     .width = label_width(p->name[i]),
                                     .height = LINE};
    label_place(p->label, p->n, wide(p), tall(p));
}

/* ---- writing ---- */

static void put_numbers(FILE *out, const double *x, int n)
{
    for (int i = 0; i < n; i++)
        picture_put_number(out, "\t", x[i]);
}

static void write_points(const struct points *p, FILE *out)
{
    fprintf(out, "variant\t%s\t%s\tlow\thigh\tfront\tlabel_x\tlabel_y\t"
            "line_x\tline_y\tline_dx\tline_dy\ttest_set\n", p->scatter->cost,
            p->quality == CE ? "ce" : "accuracy");
    for (int i = 0; i < p->n; i++) {
        const struct label *l = &p->label[i];
        const double value[] = {p->x[i], p->y[i], p->low[i], p->high[i],
                                p->front[i]};
        const double at[] = {
            (l->left + l->width / 2) / wide(p), l->middle / tall(p),
            l->from_x / wide(p), l->from_y / tall(p),
            (l->to_x - l->from_x) / wide(p), (l->to_y - l->from_y) / tall(p)};

        picture_put_text(out, "", p->name[i]);
        put_numbers(out, value, 5);
        put_numbers(out, at, 6);
        fprintf(out, "\t%d\n", p->set[i] + 1);
    }
}

static void put_note(struct picture *pic, const struct points *p,
                     const char *beyond)
{
    const char *over = p->both                  ? "seeds and test examples"
                       : p->measured->seeds > 1 ? "seeds"
                                                : "test examples";

    picture_text(pic, "told", "bars: 95 %% intervals over the %s; stepped "
                 "line: %s", over,
                 p->measured->task[0].apart
                     ? "one Pareto front per test set; different test sets are "
                       "not compared"
                     : "Pareto front (no other variant is better in both)");
    OWNED(text_free) struct text note = {0};
    text_put(&note, "");
    if (p->left_out)
        text_format(&note, "omitted, because their cost is unknown or too "
                    "noisy: %d", p->left_out);
    if (*beyond)
        text_format(&note, "%sbeyond the axis: %s", note.n ? "; " : "", beyond);
    picture_text(pic, "note", "%s", note.s);
}

static void put_axes(struct picture *pic, const struct points *p)
{
    const struct scatter *s = p->scatter;

    picture_text(pic, "xtitle", "%s%s%s (%s is better)", s->axis,
                 *p->unit.word ? ", " : "", p->unit.word,
                 s->better > 0 ? "higher" : "lower");
    picture_text(pic, "ytitle", "%s",
                 p->quality == CE
                     ? "test cross-entropy, nats/token (lower is better)"
                     : "test accuracy, % (higher is better)");
    picture_number(pic, "unit", p->unit.of);
    picture_number(pic, "logarithms", p->logarithms);
    picture_number(pic, "x0", p->x0 / p->unit.of);
    picture_number(pic, "x1", p->x1 / p->unit.of);
    picture_number(pic, "y0", p->y0);
    picture_number(pic, "y1", p->y1);
    picture_number(pic, "left", LEFT);
    picture_number(pic, "right", p->right);
    picture_number(pic, "bottom", BOTTOM);
    picture_number(pic, "top", p->top);
    picture_number(pic, "told_at", TOLD);
}

static int draw_scatter(const struct points *p, const char *task,
                        const struct output *to)
{
    const struct report *r = p->measured->report;
    OWNED(free) char *name = str_format("%s_%s", p->scatter->name, task);
    OWNED(picture_abandon) struct picture pic = {0};

    PASS(picture_begin(&pic, to, name));
    write_points(p, pic.data);
    picture_text(&pic, "title", "%s", select_title(r, p->scatter->title, task));
    picture_text(&pic, "absent", "%s", select_absent(r, task, p->lost));
    put_axes(&pic, p);
    put_note(&pic, p, reference_lines_put(&p->levels, &pic, r, p->y0, p->y1));
    struct pareto stairs = stairs_of(p);
    pareto_put(&pic, &stairs,
               &(struct pareto_key){LEFT, TOLD - KEY_LINE / PICTURE_HEIGHT,
                                    KEY_LINE / PICTURE_HEIGHT}, r->memory);
    picture_number(&pic, "n", p->n);
    for (int i = 0; i < p->n; i++)
        style_put(&pic, i + 1, &p->look[i]);
    return picture_end(&pic, "scatter");
}

static struct points points_of(const struct scatter *s,
                               const struct result_table *measured,
                               const char *task, const enum select_lost *lost)
{
    struct points p = {.scatter = s, .measured = measured, .lost = lost};

    collect(&p, task);
    if (p.n == 0)
        return p;
    dress(&p);
    frame_cost(&p);
    frame_quality(&p);
    front_find(&(struct front){s->better, p.quality == CE ? -1 : 1}, p.x, p.y,
               p.set, p.n, p.front);
    place(&p);
    return p;
}

static int task_picture(const struct scatter *s, const struct report *r,
                        const char *task, const struct output *to)
{
    const struct table_task tasks[] = {{task, task, NULL}, {0}};
    const struct table_column columns[] = {
        [COST] = {task, s->cost, s->cost, s->cost, "1", 0, 0, NULL},
        [ACCURACY] = {task, "accuracy", "", "", "%", 1, 1, NULL},
        [CE] = {task, "ce", "", "", "nats/token", -1, 3, NULL},
        [COLUMNS] = {0}};
    const struct table table = {.name = "", .title = s->title, .cite = "",
                                .task = tasks, .column = columns};
    OWNED(result_close) struct result_table *measured = NULL;
    enum select_lost *lost;

    PASS(result_fill(&measured, &table, r, NULL));
    if (measured->rows > POINTS)
        return err_set(ERR_USAGE,
                       "%s: %d variants do not fit in one picture (at most %d)",
                       r->store, measured->rows, POINTS);
    PASS(select_losses(&lost, r, task));
    struct points p = points_of(s, measured, task, lost);
    if (p.n == 0)
        return err_set(ERR_EMPTY, "plot %s: %s: %s: no figure, because %s",
                       s->name, r->store, task, p.left_out
                           ? "all costs were unknown or too noisy"
                           : "no cell has a loss to draw");
    return draw_scatter(&p, task, to);
}

int scatter_render(const struct scatter *s, const struct report *r,
                   const struct output *to)
{
    int drawn = 0;

    for (const char *const *task = select_tasks(r); *task; task++) {
        if (!select_done(r, *task))
            continue;
        int rc = task_picture(s, r, *task, to);
        if (rc == ERR_EMPTY) /* costs too noisy, or all cells diverged */
            say("%s", err_last());
        else
            PASS(rc);
        drawn += rc == OK;
    }
    return drawn ? OK : err_set(ERR_EMPTY, "%s: no finished cell has a value "
                                "to plot", r->store);
}
