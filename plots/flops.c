/*
 * flops: draws quality against the floating-point operations of a training
 * step (train/cost.c), with one picture for each task and one point for each
 * variant.  Quality is the accuracy on the test set if the task has an
 * accuracy, or else the cross-entropy per token, with its 95 % interval.
 * Stepped lines are the Pareto fronts, one for each test set that rows were
 * tested on.  Horizontal lines are input-blind baselines and bounds.
 *
 *   flops_TASK.tsv has the columns variant, flops_per_step, quality, low, high,
 *   front (1: on the front of its test set); the place of the name (label_x,
 *   label_y) and of the line from name to point (line_x, line_y, line_dx,
 *   line_dy), in fractions of the panel; test_set (from 1).  Then it has a
 *   block for each front: x and y of its corners, in fractions of the panel
 */

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/report/result_table.h"
#include "plots/figure.h"
#include "plots/labels.h"
#include "plots/picture.h"
#include "plots/reference_lines.h"
#include "plots/select.h"
#include "plots/style.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COST, ACCURACY, CE, COLUMNS };
enum { POINTS = 64 }; /* there is no room for more names */

/* The edges of the panel, in fractions of the picture, for flops.gp. */
static const double LEFT = 0.09, BOTTOM = 0.145, TOP = 0.88;
static const double RIGHT = 0.97, BESIDE_LEVELS = 0.835;
static const double LINE = 19;     /* height of a name, pixels       */
static const double LOGARITHMS = 4; /* if the greatest cost is more than this
                                       times the least, the axis of costs is
                                       logarithmic */
static const char FLOPS[] = "flops_per_step";

struct unit { double of; const char *word; }; /* 1e6, "millions" */

struct point {
    const char  *name;               /* the row                      */
    struct style look;
    double       x, y, low, high;
    int          set, front;         /* set: test set, from 1; front: 1: on the
                                        front of its set             */
    double       across, up;         /* x and y in fractions of the panel */
    double       label_x, label_y, line_x, line_y, line_dx, line_dy;
};

struct points {
    const struct result_table *measured;
    int           n, quality;      /* quality: column of `measured`   */
    int           unknown;         /* variants whose cost is unknown  */
    int           both;            /* 1: intervals over seeds and examples */
    int           logarithms;      /* 1: logarithmic axis of costs    */
    struct unit   unit;            /* of costs                        */
    struct point  point[POINTS];
    double        x0, x1, y0, y1;  /* limits of the axes              */
    double        right;           /* right edge of the panel         */
    int           sets;            /* fronts that are drawn           */
    struct reference_lines levels;
    const enum select_lost *lost;  /* for select_absent               */
    const char *const   *rows;     /* all variants                    */
    const struct style  *look;     /* [rows]                          */
};

/* ---- points ---- */

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

    p->both |= y->over == OVER_BOTH;
    p->point[p->n++] = (struct point){
        .name = row->variant, .x = cost, .y = y->value, .low = bar.low,
        .high = bar.high, .set = y->set + 1,
        .look = p->look[names_index(p->rows, row->variant)]};
}

/* Collects the points of rows with a sane quality and a known cost, and the
 * reference lines. */
static void collect(struct points *p, const char *task)
{
    const struct result_table *s = p->measured;

    p->rows = select_variants(s->report);
    p->look = looks_of(p->rows, s->report->memory);
    p->quality = CE;
    for (int i = 0; i < s->rows; i++)
        if (!s->row[i].reference && isfinite(s->row[i].cell[ACCURACY].value))
            p->quality = ACCURACY;
    p->levels.decimals = p->quality == CE ? 3 : 1;
    p->levels.right = 1;
    for (int i = 0; i < s->rows; i++) {
        const struct result_row *row = &s->row[i];
        double x = row->cell[COST].value, y = row->cell[p->quality].value;

        if (row->reference)
            reference_lines_add(&p->levels, row->title, y);
        if (row->reference || !sane(p->quality, y) ||
            select_has_lost(s->report, task, row->variant, p->lost))
            continue;
        p->unknown += !(x > 0);
        if (x > 0)
            add_point(p, row, x);
    }
}

/* ---- axes ---- */

/* Returns the largest unit that is not greater than `least`, the smallest
 * number on the axis, or the unit 1, which has no word. */
static struct unit unit_of(double least)
{
    static const struct unit units[] = {
        {1e15, "quadrillions"}, {1e12, "trillions"}, {1e9, "billions"},
        {1e6, "millions"}, {1e3, "thousands"}, {1, ""}};
    const struct unit *u = units;

    while (u->of > 1 && u->of > least)
        u++;
    return *u;
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

static void find_axes(struct points *p)
{
    p->x0 = p->y0 = INFINITY;
    p->x1 = p->y1 = -INFINITY;
    for (int i = 0; i < p->n; i++) {
        p->x0 = fmin(p->x0, p->point[i].x);
        p->x1 = fmax(p->x1, p->point[i].x);
        p->y0 = fmin(p->y0, p->point[i].low);
        p->y1 = fmax(p->y1, p->point[i].high);
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
    reference_lines_widen(&p->levels, &p->y0, &p->y1);
    widen(&p->y0, &p->y1);
    p->right = RIGHT;
    for (int i = 0; i < p->levels.n; i++)
        if (p->levels.of[i].value >= p->y0 && p->levels.of[i].value <= p->y1)
            p->right = BESIDE_LEVELS;
}

static double up(const struct points *p, double y)
{
    return (y - p->y0) / (p->y1 - p->y0);
}

static void find_places(struct points *p)
{
    for (int i = 0; i < p->n; i++) {
        struct point *x = &p->point[i];

        x->across = p->logarithms ? log(x->x / p->x0) / log(p->x1 / p->x0)
                                  : (x->x - p->x0) / (p->x1 - p->x0);
        x->up = up(p, x->y);
    }
}

/* ---- Pareto fronts ---- */

/* Returns 1 if point b is on the same test set as point a, at least as good in
 * cost and quality, and better in one of them. */
static int beats(const struct points *p, const struct point *b,
                 const struct point *a)
{
    double in_x = a->x - b->x;
    double in_y = (p->quality == CE ? -1 : 1) * (b->y - a->y);

    return b->set == a->set && in_x >= 0 && in_y >= 0 &&
           (in_x > 0 || in_y > 0);
}

static void find_fronts(struct points *p)
{
    for (int i = 0; i < p->n; i++) {
        p->point[i].front = 1;
        for (int j = 0; j < p->n; j++)
            p->point[i].front &= !beats(p, &p->point[j], &p->point[i]);
    }
}

static int last_set(const struct points *p)
{
    int set = 0;

    for (int i = 0; i < p->n; i++)
        set = p->point[i].set > set ? p->point[i].set : set;
    return set;
}

/* Orders points by x, the least first. */
static int by_x(const void *a, const void *b)
{
    const struct point *x = *(const struct point *const *)a;
    const struct point *y = *(const struct point *const *)b;

    return (x->across > y->across) - (x->across < y->across);
}

static void put_corner(FILE *out, double x, double y)
{
    picture_put_number(out, "", x);
    picture_put_number(out, "\t", y);
    fputc('\n', out);
}

/* If the picture has points of a set, writes the Pareto front of the set as a
 * staircase: from the worst quality of the picture to the cheapest point,
 * through the points of the front, and from the best point to the greatest cost
 * of the picture. */
static void put_front(struct picture *pic, struct points *p, int set)
{
    const struct point *on[POINTS];
    double y = p->quality == CE;
    int n = 0;

    for (int i = 0; i < p->n; i++)
        if (p->point[i].front && p->point[i].set == set)
            on[n++] = &p->point[i];
    if (!n)
        return;
    qsort(on, (size_t)n, sizeof *on, by_x);
    picture_block(pic);
    p->sets++;
    for (int i = 0; i < n; i++) {
        put_corner(pic->data, on[i]->across, y);
        put_corner(pic->data, on[i]->across, y = on[i]->up);
    }
    put_corner(pic->data, 1, y);
}

/* ---- names ---- */

static void place_names(struct points *p)
{
    struct label label[POINTS];
    double wide = (p->right - LEFT) * PICTURE_WIDTH;
    double tall = (TOP - BOTTOM) * PICTURE_HEIGHT;

    for (int i = 0; i < p->n; i++) {
        const struct point *x = &p->point[i];

        label[i] = (struct label){.x = x->across * wide, .y = x->up * tall,
                                  .low = up(p, x->low) * tall,
                                  .high = up(p, x->high) * tall,
                                  .width = label_width(x->name),
                                  .height = LINE};
    }
    label_place(label, p->n, wide, tall);
    for (int i = 0; i < p->n; i++) {
        const struct label *l = &label[i];
        struct point *x = &p->point[i];

        x->label_x = (l->left + l->width / 2) / wide;
        x->label_y = l->middle / tall;
        x->line_x = l->from_x / wide;
        x->line_y = l->from_y / tall;
        x->line_dx = (l->to_x - l->from_x) / wide;
        x->line_dy = (l->to_y - l->from_y) / tall;
    }
}

/* ---- writing ---- */

static void put_points(struct picture *pic, const struct points *p)
{
    const struct column columns[] = {
        {"variant", NULL, COLUMN(struct point, name)},
        {FLOPS, NULL, COLUMN(struct point, x)},
        {p->quality == CE ? "ce" : "accuracy", NULL, COLUMN(struct point, y)},
        {"low", NULL, COLUMN(struct point, low)},
        {"high", NULL, COLUMN(struct point, high)},
        {"front", NULL, COLUMN(struct point, front)},
        {"label_x", NULL, COLUMN(struct point, label_x)},
        {"label_y", NULL, COLUMN(struct point, label_y)},
        {"line_x", NULL, COLUMN(struct point, line_x)},
        {"line_y", NULL, COLUMN(struct point, line_y)},
        {"line_dx", NULL, COLUMN(struct point, line_dx)},
        {"line_dy", NULL, COLUMN(struct point, line_dy)},
        {"test_set", NULL, COLUMN(struct point, set)},
        {.type = COLUMN_END}};

    picture_head(pic, columns);
    picture_number(pic, "n", p->n);
    for (int i = 0; i < p->n; i++) {
        picture_row(pic, columns, &p->point[i]);
        style_put(pic, i + 1, &p->point[i].look);
    }
}

static void put_note(struct picture *pic, const struct points *p,
                     const char *beyond)
{
    const char *over = p->both                  ? "seeds and test examples"
                       : p->measured->seeds > 1 ? "seeds"
                                                : "test examples";

    picture_text(pic, "subtitle", "bars: 95 %% intervals over the %s; stepped "
                 "line: %s", over,
                 p->measured->task[0].apart
                     ? "one Pareto front per test set; different test sets are "
                       "not compared"
                     : "Pareto front (no other variant is better in both)");
    OWNED(text_free) struct text note = {0};
    text_put(&note, "");
    if (p->unknown)
        text_format(&note, "omitted, because their operations are unknown: %d",
                    p->unknown);
    if (*beyond)
        text_format(&note, "%sbeyond the axis: %s", note.n ? "; " : "", beyond);
    picture_text(pic, "note", "%s", note.s);
}

static void put_axes(struct picture *pic, const struct points *p)
{
    picture_text(pic, "xtitle", "floating-point operations per training "
                 "step%s%s (lower is better)", *p->unit.word ? ", " : "",
                 p->unit.word);
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
    picture_number(pic, "top", TOP);
}

static int draw_points(struct points *p, const char *task,
                       const struct output *to)
{
    const struct report *r = p->measured->report;
    OWNED(free) char *name = str_format("flops_%s", task);
    OWNED(picture_abandon) struct picture pic = {0};

    find_axes(p);
    find_places(p);
    find_fronts(p);
    place_names(p);
    PASS(picture_begin(&pic, to, name));
    put_points(&pic, p);
    for (int set = 1; set <= last_set(p); set++)
        put_front(&pic, p, set);
    picture_number(&pic, "sets", p->sets);
    picture_text(&pic, "title", "%s",
                 select_title(r, "Quality against operations", task));
    picture_text(&pic, "absent", "%s", select_absent(r, task, p->lost));
    put_axes(&pic, p);
    put_note(&pic, p, reference_lines_put(&p->levels, &pic, r, p->y0, p->y1));
    return picture_end(&pic, "flops");
}

static int draw(const struct figure *f, const struct report *r,
                const char *task, const struct output *to)
{
    const struct table_task tasks[] = {{task, task, NULL}, {0}};
    const struct table_column columns[] = {
        [COST] = {task, FLOPS, FLOPS, FLOPS, "1", 0, 0, NULL},
        [ACCURACY] = {task, "accuracy", "", "", "%", 1, 1, NULL},
        [CE] = {task, "ce", "", "", "nats/token", -1, 3, NULL},
        [COLUMNS] = {0}};
    const struct table table = {.name = "", .title = f->title, .cite = "",
                                .task = tasks, .column = columns};
    OWNED(result_close) struct result_table *measured = NULL;
    OWNED(free) struct points *p = calloc(1, sizeof *p);
    enum select_lost *lost;

    PASS(result_fill(&measured, &table, r, NULL));
    if (measured->rows > POINTS)
        return err_set(ERR_USAGE,
                       "%s: %d variants do not fit in one picture (at most %d)",
                       r->store, measured->rows, POINTS);
    PASS(select_losses(&lost, r, task));
    p->measured = measured;
    p->lost = lost;
    collect(p, task);
    if (p->n)
        return draw_points(p, task, to);
    say("plot flops: %s: %s: no figure, because %s", r->store, task,
        p->unknown ? "the operations of all cells are unknown"
                   : "no cell has a loss to draw");
    return FIGURE_NONE;
}

const struct figure figure_flops = {
    .name = "flops",
    .title = "Test quality against floating-point operations of training",
    .none = "no finished cell has a value to plot",
    .draw = draw,
};
