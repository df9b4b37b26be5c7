/* A small chart of the training loss and the validation cross-entropy of cells,
 * for the pages of cells and variants.  It is drawn here, because gnuplot,
 * which draws the figures, would take minutes for the charts of all cells. */
#include "harness/site/page.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/report/trace.h"
#include "harness/store/cell.h"
#include "plots/select.h"

#include <math.h>

/* Size of the chart, its margins, and the greatest number of points of a line.
 * If a curve has more, each point of the line is the mean of several points of
 * the curve. */
enum { WIDTH = 480, HEIGHT = 220, LEFT = 52, RIGHT = 12, TOP = 12, BOTTOM = 40,
       POINTS = 120 };

struct line {
    const char *class; /* of the style sheet: "train" or "valid" */
    int         n;
    double      x[POINTS], y[POINTS];
};

struct chart { struct line *line; int lines; double last, low, high; };

/* Adds the points of a curve of the cell, except for insane losses. */
static int add_line(struct chart *c, struct cell_reader *r, const char *id,
                    const char *class, const char *name)
{
    OWNED(free) char *group = str_format("curves/%s", class);
    OWNED(trace_free) struct trace t = {0};
    struct line *l = &c->line[c->lines++];

    *l = (struct line){.class = class};
    PASS(cell_maybe(trace_read(&t, r, id, group, name)));
    for (size_t i = 0, each = (t.n + POINTS - 1) / POINTS; i < t.n; i += each) {
        size_t n = i + each < t.n ? each : t.n - i;
        double loss = 0, x = t.step[i + n - 1];

        for (size_t k = i; k < i + n; k++)
            loss += t.value[k] / (double)n;
        if (!select_sane(loss))
            continue;
        l->x[l->n] = x;
        l->y[l->n++] = loss;
        c->last = fmax(c->last, x);
        c->low = fmin(c->low, loss);
        c->high = fmax(c->high, loss);
    }
    return OK;
}

static double across(const struct chart *c, double x)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * x / c->last;
}

static double down(const struct chart *c, double y)
{
    return HEIGHT - BOTTOM -
           (HEIGHT - TOP - BOTTOM) * (y - c->low) / (c->high - c->low);
}

static void put_path(struct page *p, const struct chart *c,
                     const struct line *l)
{
    OWNED(text_free) struct text d = {0};

    if (!l->n)
        return;
    for (int i = 0; i < l->n; i++)
        text_format(&d, "%s%.1f %.1f", i ? "L" : "M", across(c, l->x[i]),
                    down(c, l->y[i]));
    markup_open(p->to, "path");
    markup_attribute(p->to, "class", "%s", l->class);
    markup_attribute(p->to, "d", "%s", d.s);
    markup_shut(p->to);
}

static void put_word(struct page *p, double x, double y, const char *anchor,
                     const char *text)
{
    markup_open(p->to, "text");
    markup_attribute(p->to, "x", "%.1f", x);
    markup_attribute(p->to, "y", "%.1f", y);
    markup_attribute(p->to, "text-anchor", "%s", anchor);
    markup_text(p->to, text);
    markup_shut(p->to);
}

static void put_axes(struct page *p, const struct chart *c)
{
    enum { TICKS = 4, MOST = 4 /* decimals */ };
    struct arena *a = p->site->memory;
    double digits = 2 - floor(log10(c->high - c->low));
    int decimals = (int)fmin(fmax(digits, 0), MOST);

    markup_open(p->to, "path");
    markup_attribute(p->to, "class", "axis");
    markup_attribute(p->to, "d", "M%d %dV%dH%d", LEFT, TOP, HEIGHT - BOTTOM,
                     WIDTH - RIGHT);
    markup_shut(p->to);
    for (int i = 0; i < TICKS; i++) {
        double y = c->low + (c->high - c->low) * i / (TICKS - 1);

        put_word(p, LEFT - 6, down(c, y) + 4, "end",
                 arena_format(a, "%.*f", decimals, y));
    }
    put_word(p, LEFT, HEIGHT - 22, "start", "0");
    put_word(p, WIDTH - RIGHT, HEIGHT - 22, "end",
             arena_format(a, "step %.0f", c->last));
    put_word(p, LEFT, HEIGHT - 5, "start",
             "thin: training loss; thick: validation; nats");
}

int page_curve(struct page *p, const char *variant, const char *task,
               const long long *seed, const char *title)
{
    const struct report *r = p->site->report;
    struct chart c = {.low = INFINITY, .high = -INFINITY};
    struct arena *a = p->site->memory;
    const struct report_cell *one;
    int seeds = site_done(p->site, variant, task, &one);

    c.line = arena_take(a, (2 * (size_t)seeds + 1) * sizeof *c.line);
    for (int i = 0; i < r->n; i++) {
        OWNED(cell_close) struct cell_reader *cell = NULL;

        if (!select_finished(&r->cell[i], task, variant) ||
            (seed && r->cell[i].seed != *seed))
            continue;
        PASS(report_read(&cell, r, r->cell[i].id));
        PASS(add_line(&c, cell, r->cell[i].id, "train", "loss"));
        PASS(add_line(&c, cell, r->cell[i].id, "valid", "ce"));
    }
    if (!(c.low < c.high && c.last > 0))
        return OK;
    page_figure(p, title);
    markup_svg(p->to, "curve", arena_format(a, "0 0 %d %d", WIDTH, HEIGHT),
               arena_format(a, "curve-%s-", page_name(p->site, task)), title,
               "Loss against the training step: training and validation");
    put_axes(p, &c);
    for (int i = 0; i < c.lines; i++)
        put_path(p, &c, &c.line[i]);
    markup_shut(p->to);
    page_figure_shut(p, title);
    return OK;
}
