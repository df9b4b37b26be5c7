#include "plots/scatter.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/report/measured.h"
#include "harness/store/cell.h"
#include "plots/picture.h"
#include "plots/select.h"

#include <math.h>
#include <string.h>

enum { COST, ACCURACY, CE, COLUMNS };
enum { POINTS = 64 }; /* more names have no room */

/* The axes in pixels; scatter.gp puts them there. */
static const double LEFT = 0.09, RIGHT = 0.97, BOTTOM = 0.125, TOP = 0.90;
static const double EM = 13 * 96 / 72.0, LINE = 19; /* of a name, pixels */

struct points {
    const struct measured *measured;
    int           n, quality;      /* column                          */
    int           left_out;        /* variants whose cost is unknown  */
    int           both;            /* 1: bars over seeds x examples   */
    const char   *name[POINTS];        /* of variants                     */
    int           number[POINTS];      /* in the experiment, from 1       */
    double        x[POINTS], y[POINTS], low[POINTS], high[POINTS];
    double        x0, x1, y0, y1;  /* of the axes                     */
    struct label  label[POINTS];
    const enum select_lost *lost;  /* select_absent                   */
};

/* *out, one a cell of the report: of done ones, by cross-entropy. */
static int find_lost(enum select_lost **out, const struct report *r,
                     const char *task)
{
    *out = arena_zero(r->memory, (size_t)r->n * sizeof **out);
    for (int i = 0; i < r->n; i++) {
        OWNED(cell_close) struct cell_reader *cell = NULL;
        double ce;

        if (r->cell[i].state != CELL_DONE || strcmp(r->cell[i].task, task))
            continue;
        PASS(cell_open(&cell, r->store, r->cell[i].id));
        if (cell_get_metric(cell, "ce", &ce) == OK)
            (*out)[i] = select_loss(ce);
    }
    return OK;
}

/* One such seed makes every mean of the variant meaningless. */
static int has_lost(const enum select_lost *lost, const struct report *r,
                    const char *task, const char *variant)
{
    for (int i = 0; i < r->n; i++)
        if (lost[i] && select_is(&r->cell[i], task, variant))
            return 1;
    return 0;
}

static int sane(int quality, double y)
{
    return quality == CE ? select_sane(y) : y >= 0 && y <= 100;
}

/* None where it is unknown or beside all measure; that of few seeds may reach
 * beyond what an accuracy can be. */
static struct interval bar_of(int quality, const struct measured_cell *y)
{
    struct interval b = y->between, none = {y->value, y->value};

    if (!isfinite(b.low) || !isfinite(b.high))
        return none;
    if (quality == ACCURACY)
        return (struct interval){fmax(b.low, 0), fmin(b.high, 100)};
    return sane(quality, b.low) && sane(quality, b.high) ? b : none;
}

static void collect(struct points *p, const struct measured *s, double scale,
                    const char *task, const enum select_lost *lost)
{
    *p = (struct points){.measured = s, .quality = CE, .lost = lost};
    for (int i = 0; i < s->rows; i++)
        if (!s->row[i].reference && isfinite(s->row[i].cell[ACCURACY].value))
            p->quality = ACCURACY;
    for (int i = 0; i < s->rows; i++) {
        const struct measured_row *row = &s->row[i];
        const struct measured_cell *y = &row->cell[p->quality];
        double x = row->cell[COST].value / scale;

        if (row->reference || !sane(p->quality, y->value) ||
            has_lost(lost, s->report, task, row->variant))
            continue;
        p->left_out += !isfinite(x);
        if (!isfinite(x))
            continue;
        struct interval bar = bar_of(p->quality, y);
        p->both |= y->over == OVER_BOTH;
        int k = p->n++;

        p->name[k] = row->variant;
        p->number[k] = i + 1;
        p->x[k] = x;
        p->y[k] = y->value;
        p->low[k] = bar.low;
        p->high[k] = bar.high;
    }
}

/* Axes with air round the points: a tenth; where all are one, enough that the
 * numbers at the axis stay short. */
static void widen(double *low, double *high)
{
    double pad = *high - *low > 1e-6 * fabs(*high)
                     ? fmax(0.1 * (*high - *low), 1e-3 * fabs(*high))
                     : 0.05 * fabs(*high) + 1e-9;

    *low -= pad;
    *high += pad;
}

static void frame(struct points *p)
{
    p->x0 = p->y0 = INFINITY;
    p->x1 = p->y1 = -INFINITY;
    for (int i = 0; i < p->n; i++) {
        p->x0 = fmin(p->x0, p->x[i]);
        p->x1 = fmax(p->x1, p->x[i]);
        p->y0 = fmin(p->y0, p->low[i]);
        p->y1 = fmax(p->y1, p->high[i]);
    }
    widen(&p->x0, &p->x1);
    widen(&p->y0, &p->y1);
}

static double wide(void) { return (RIGHT - LEFT) * PICTURE_WIDTH; }
static double tall(void) { return (TOP - BOTTOM) * PICTURE_HEIGHT; }

/* Near enough for the letters of the font in style.gp. */
static double width_of(const char *name)
{
    double em = 0;

    for (; *name; name++)
        em += strchr("fijlrt-", *name) ? 0.36 : strchr("mw+", *name) ? 0.9
                                                                     : 0.62;
    return em * EM;
}

static void place(struct points *p)
{
    double sx = wide() / (p->x1 - p->x0), sy = tall() / (p->y1 - p->y0);

    for (int i = 0; i < p->n; i++)
        p->label[i] = (struct label){.x = (p->x[i] - p->x0) * sx,
                                     .y = (p->y[i] - p->y0) * sy,
                                     .low = (p->low[i] - p->y0) * sy,
                                     .high = (p->high[i] - p->y0) * sy,
                                     .width = width_of(p->name[i]),
                                     .height = LINE};
    label_place(p->label, p->n, wide(), tall());
}

static void write_points(const struct points *p, const struct scatter *s,
                         FILE *out)
{
    double sx = wide() / (p->x1 - p->x0), sy = tall() / (p->y1 - p->y0);

    fprintf(out, "variant\t%s\t%s\tlow\thigh\tlabel_x\tlabel_y\tline_x\t"
            "line_y\tline_dx\tline_dy\n", s->cost,
            p->quality == CE ? "ce" : "accuracy");
    for (int i = 0; i < p->n; i++) {
        const struct label *l = &p->label[i];

        picture_put_text(out, "", p->name[i]);
        fprintf(out, "\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t"
                "%.9g\t%.9g\n", p->x[i], p->y[i], p->low[i],
                p->high[i], p->x0 + (l->left + l->width / 2) / sx,
                p->y0 + l->middle / sy, p->x0 + l->from_x / sx,
                p->y0 + l->from_y / sy, (l->to_x - l->from_x) / sx,
                (l->to_y - l->from_y) / sy);
    }
}

static int draw(const struct points *p, const struct scatter *s,
                const char *task, const char *folder)
{
    const struct report *r = p->measured->report;
    OWNED(free) char *name = str_format("%s_%s", s->name, task);
    char numbers[256] = "";
    OWNED(picture_abandon) struct picture pic = {0};
    int at = 0;

    for (int i = 0; i < p->n; i++)
        at += snprintf(numbers + at, sizeof numbers - (size_t)at, "%d ",
                       p->number[i]);
    PASS(picture_begin(&pic, folder, name));
    write_points(p, s, pic.data);
    picture_text(&pic, "title", "%s", select_title(r, s->title, task));
    picture_text(&pic, "xtitle", "%s", s->axis);
    picture_text(&pic, "ytitle", "%s",
                 p->quality == CE
                     ? "test cross-entropy, nats/token (lower is better)"
                     : "test accuracy, % (higher is better)");
    const char *over = p->both                 ? "seeds and test examples"
                       : p->measured->seeds > 1 ? "seeds"
                                                : "test examples";
    if (p->left_out)
        picture_text(&pic, "note", "bars: 95 %% intervals over the %s; left "
                     "out, as their speeds are too noisy: %d", over,
                     p->left_out);
    else
        picture_text(&pic, "note", "bars: 95 %% intervals over the %s", over);
    picture_text(&pic, "absent", "%s", select_absent(r, task, p->lost));
    picture_text(&pic, "numbers", "%s", numbers);
    picture_number(&pic, "x0", p->x0);
    picture_number(&pic, "x1", p->x1);
    picture_number(&pic, "y0", p->y0);
    picture_number(&pic, "y1", p->y1);
    picture_number(&pic, "left", LEFT);
    picture_number(&pic, "right", RIGHT);
    picture_number(&pic, "bottom", BOTTOM);
    picture_number(&pic, "top", TOP);
    return picture_end(&pic, "scatter");
}

static int task_picture(const struct scatter *s, const struct report *r,
                        const char *task, const char *folder)
{
    const struct table_task tasks[] = {{task, task, NULL}, {0}};
    const struct table_column columns[] = {
        [COST] = {task, s->cost, s->cost, s->cost, "1", 0, 0, NULL},
        [ACCURACY] = {task, "accuracy", "", "", "%", 1, 1, NULL},
        [CE] = {task, "ce", "", "", "nats/token", -1, 3, NULL},
        [COLUMNS] = {0}};
    const struct table table = {.name = "", .title = s->title, .cite = "",
                                .task = tasks, .column = columns};
    OWNED(measured_close) struct measured *measured = NULL;
    struct points p;
    enum select_lost *lost;

    PASS(measured_fill(&measured, &table, r, NULL));
    if (measured->rows > POINTS)
        return err_set(ERR_USAGE,
                       "%s: %d variants are too many for one picture, "
                       "which holds %d", r->store, measured->rows, POINTS);
    PASS(find_lost(&lost, r, task));
    collect(&p, measured, s->scale, task, lost);
    if (p.n == 0)
        return err_set(ERR_EMPTY, "plot %s: %s: %s: %s", s->name, r->store,
                       task, p.left_out ? "all speeds are too noisy" :
                       "no cell has a sane loss");
    frame(&p);
    place(&p);
    return draw(&p, s, task, folder);
}

int scatter_render(const struct scatter *s, const struct report *r,
                   const char *folder)
{
    int drawn = 0;

    for (const char *const *task = select_tasks(r); *task; task++) {
        if (!select_done(r, *task))
            continue;
        int rc = task_picture(s, r, *task, folder);
        if (rc == ERR_EMPTY) /* all of a task may be noise, or diverged */
            say("%s", err_last());
        else
            PASS(rc);
        drawn += rc == OK;
    }
    return drawn ? OK : err_set(ERR_EMPTY, "%s: no cell is done and has a "
                                "number to show, there is nothing to plot",
                                r->store);
}
