/*
 * published: draws measured values next to published values, with one picture
 * for each task, a panel for each column of the paper's tables, and a line for
 * each variant with both values.  Both sides have the same axis: how much
 * better a value is than the Transformer's value on the same side.
 *
 *     metric in %        difference in points            (better: up)
 *     other metrics      difference in percent of the Transformer's value;
 *                        a decrease counts as better if less is better
 *
 * So neither the sizes of the models nor the data need to be alike.  If a
 * variant has a tuned row, its line shows that row.  A value on which the
 * sources disagree is marked with "!".  A variant has no line if the loss of
 * one of its seeds is not sane (SELECT_WORST).
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/report/published.h"
#include "plots/metric_columns.h"
#include "plots/figure.h"
#include "plots/labels.h"
#include "plots/style.h"
#include "plots/picture.h"
#include "plots/select.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PANELS = 16, LINES = 32, ACROSS = 2 };
enum { HEAD = 70, PANEL = 340, AXES = 250, FOOT = 48, LETTER = 15 }; /* px */

static const char BASE[] = "vanilla", TUNED[] = ",tuned";

enum { THEIRS, OURS, SIDES };

/* A line, and a row of the data. */
struct line {
    const char *metric, *row, *variant;
    const char *right, *left; /* texts of the labels                 */
    int         panel, number, seeds, disputed; /* number: of the row; panel,
                                                   number: from 1    */
    double      value[SIDES], better[SIDES];
    double      label[SIDES]; /* heights of the labels               */
};

static const struct column columns[] = {
    {"panel", NULL, COLUMN(struct line, panel)},
    {"metric", NULL, COLUMN(struct line, metric)},
    {"row", NULL, COLUMN(struct line, row)},
    {"published", NULL, COLUMN(struct line, value[THEIRS])},
    {"ours", NULL, COLUMN(struct line, value[OURS])},
    {"seeds", NULL, COLUMN(struct line, seeds)},
    {"disputed", NULL, COLUMN(struct line, disputed)},
    {"published_better", NULL, COLUMN(struct line, better[THEIRS])},
    {"ours_better", NULL, COLUMN(struct line, better[OURS])},
    {"number", NULL, COLUMN(struct line, number)},
    {"left", NULL, COLUMN(struct line, label[THEIRS])},
    {"right", NULL, COLUMN(struct line, label[OURS])},
    {"right_text", NULL, COLUMN(struct line, right)},
    {"left_text", NULL, COLUMN(struct line, left)},
    {.type = COLUMN_END}};

struct panel {
    const struct table_column *column;
    enum withheld              withheld;
    int                        n;
    struct line                line[LINES];
    double                     low, high;
};

struct source {
    const struct result_table  *measured;
    const struct published *published;
    const enum select_lost *lost; /* one for each cell of the report */
};

/* ---- numbers ---- */

/* Returns 1 if row i of the table has a line: if it is a variant, plain or
 * tuned, without other settings, that has a value, and there is no tuned row in
 * its place. */
static int is_shown(const struct result_table *s, int i, int column)
{
    const struct result_row *row = &s->row[i], *tuned;

    if (row->reference || !isfinite(row->cell[column].value))
        return 0;
    if (strchr(row->variant, ','))
        return !strcmp(strchr(row->variant, ','), TUNED);
    OWNED(free) char *name = str_format("%s%s", row->variant, TUNED);
    tuned = result_row_of(s, name);
    return !tuned || !isfinite(tuned->cell[column].value);
}

/* Reads the line of row i.  Returns 1 if it can be drawn: if both values are
 * known, the data are not synthetic and the loss of every seed is sane. */
static int read_line(struct line *out, const struct source *from, int i,
                     int column)
{
    const struct result_table *s = from->measured;
    const struct table_column *c = s->column[column];
    const struct result_row *row = &s->row[i];
    const char *variant = arena_format(
        s->memory, "%.*s", (int)strcspn(row->variant, ","), row->variant);
    struct published_value claim;

    if (!is_shown(s, i, column) || result_task_of(s, column)->synthetic ||
        select_has_lost(s->report, c->task, row->variant, from->lost) ||
        !published_find(from->published, &claim, variant, c->task, c->metric))
        return 0;
    *out = (struct line){.row = row->variant, .variant = variant,
                         .number = i + 1, .seeds = row->cell[column].n,
                         .disputed = claim.dispute != NULL,
                         .value = {claim.value, row->cell[column].value}};
    return 1;
}

/* Returns by how much x is better than `base`, the Transformer's value. */
static double better_by(const struct table_column *c, double x, double base)
{
    return c->better * (strcmp(c->unit, "%") ? 100 * (x / base - 1) : x - base);
}

/* Fills a panel with the lines of all variants.  The panel stays empty if the
 * Transformer has no line. */
static void fill_panel(struct panel *p, const struct source *from, int column)
{
    const struct result_table *s = from->measured;
    struct line one, base = {.row = NULL};

    *p = (struct panel){.column = s->column[column],
                        .withheld = s->withheld[column]};
    for (int i = 0; i < s->rows; i++)
        if (read_line(&one, from, i, column) && !strcmp(one.variant, BASE))
            base = one;
    for (int i = 0; base.row && i < s->rows && p->n < LINES; i++) {
        if (!read_line(&one, from, i, column))
            continue;
        for (int k = 0; k < SIDES; k++)
            one.better[k] = better_by(p->column, one.value[k], base.value[k]);
        if (isfinite(one.better[THEIRS]) && isfinite(one.better[OURS]))
            p->line[p->n++] = one;
    }
}

/* ---- labels at both ends ---- */

static void frame(struct panel *p)
{
    p->low = p->high = 0;
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < SIDES; k++) {
            p->low = fmin(p->low, p->line[i].better[k]);
            p->high = fmax(p->high, p->line[i].better[k]);
        }
    double pad = fmax(0.08 * (p->high - p->low), 1e-6);
    p->low -= pad;
    p->high += pad;
}

/* Places the labels of one side. */
static void place_names(struct panel *p, int side)
{
    double gap = LETTER * (p->high - p->low) / AXES, place[LINES];
    int order[LINES];

    for (int i = 0; i < p->n; i++) {
        int at = i;

        for (; at > 0 && p->line[order[at - 1]].better[side] >
                             p->line[i].better[side]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (int i = 0; i < p->n; i++)
        place[i] = p->line[order[i]].better[side];
    labels_spread(place, p->n, gap, p->low + gap / 2, p->high - gap / 2);
    for (int i = 0; i < p->n; i++)
        p->line[order[i]].label[side] = place[i];
}

/* ---- the picture ---- */

static void put_panel(struct picture *pic, struct panel *p, int panel,
                      struct arena *a)
{
    const struct table_column *c = p->column;

    frame(p);
    for (int k = 0; k < SIDES; k++)
        place_names(p, k);
    for (int i = 0; i < p->n; i++) {
        struct line *l = &p->line[i];

        l->panel = panel;
        l->metric = c->metric;
        l->right = arena_format(a, "%s  %.*f", l->row, c->decimals,
                                l->value[OURS]);
        l->left = arena_format(a, "%.*f%s", c->decimals, l->value[THEIRS],
                               l->disputed ? " !" : "");
        picture_row(pic, columns, l);
    }
    picture_number_i(pic, "low", panel, p->low);
    picture_number_i(pic, "high", panel, p->high);
    picture_text_i(pic, "column", panel, "%s (%s better)", c->what,
                   c->better > 0 ? "higher is" : "lower is");
    picture_text_i(pic, "why", panel, "%s%s",
                   p->withheld ? "not ranked: " : "",
                   withheld_text[p->withheld]);
    picture_text_i(pic, "axis", panel, "%s better than the Transformer",
                   strcmp(c->unit, "%") ? "%" : "points");
}

/* Puts the styles of all rows that may have a line, by their number. */
static void put_looks(struct picture *pic, const struct result_table *s)
{
    const char **row = arena_zero(s->memory, ((size_t)s->rows + 1) *
                                                 sizeof *row);
    int n = 0;

    while (n < s->rows && !s->row[n].reference) {
        row[n] = s->row[n].variant;
        n++;
    }
    const struct style *look = looks_of(row, s->memory);
    for (int i = 0; i < n; i++)
        style_put(pic, i + 1, &look[i]);
}

static void put_words(struct picture *pic, const struct source *from,
                      int panels)
{
    const struct result_table *s = from->measured;
    const char *task = s->task[0].task;
    int down = (panels + ACROSS - 1) / ACROSS;

    picture_number(pic, "panels", panels);
    picture_number(pic, "across", ACROSS);
    picture_number(pic, "panel", PANEL);
    picture_number(pic, "axes", AXES);
    picture_number(pic, "head", HEAD);
    picture_number(pic, "height", HEAD + PANEL * down + FOOT);
    picture_text(pic, "title", "%s",
                 select_title(s->report, "Published and measured values",
                              task));
    picture_text(pic, "absent", "%s",
                 select_absent(s->report, task, from->lost));
    picture_text(pic, "note", "%s", "left: published, full scale; right: ours, "
                 "on this store's data; both relative to the Transformer on "
                 "the same side.  !: other sources give another number");
}

static int draw_published(const struct source *from, const struct output *to)
{
    const struct result_table *s = from->measured;
    OWNED(picture_abandon) struct picture pic = {0};
    OWNED(free) char *name = str_format("published_%s", s->task[0].task);
    OWNED(free) struct panel *p = malloc(sizeof *p);
    int panels = 0;

    PASS(picture_begin(&pic, to, name));
    picture_head(&pic, columns);
    for (int c = 0; c < s->columns && panels < PANELS; c++) {
        fill_panel(p, from, c);
        if (p->n > 1)
            put_panel(&pic, p, ++panels, s->memory);
    }
    if (!panels)
        return FIGURE_NONE;
    put_looks(&pic, s);
    put_words(&pic, from, panels);
    return picture_end(&pic, "published");
}

static int draw(const struct figure *f, const struct report *r,
                const char *task, const struct output *to)
{
    OWNED(published_close) struct published *published = NULL;
    OWNED(result_close) struct result_table *s = NULL;
    enum select_lost *lost;

    (void)f;
    PASS(published_open(&published));
    PASS(metric_column_measure(&s, r, task));
    PASS(select_losses(&lost, r, task));
    return draw_published(&(struct source){s, published, lost}, to);
}

const struct figure figure_published = {
    .name = "published",
    .title = "Published and measured values, as slopes",
    .none = "no task on real data has both measured and published values for "
            "the Transformer and another variant",
    .draw = draw,
};
