/*
 * overview: draws every variant on every task, in one picture.  A field shows
 * the value of the first metric that the paper's tables have for the task
 * (plots/metric_columns.h).  If the rules of tables (report/result_table.h)
 * allow a rank, the field also shows the rank, which determines its colour.
 * Values that are not ranked are grey, and the reason is above their column.
 * Missing values are blank.
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/store/store.h"
#include "plots/metric_columns.h"
#include "plots/figure.h"
#include "plots/picture.h"
#include "plots/select.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEFT = 257, FIELD = 124, HEAD = 160, LINE = 32, FOOT = 50 }; /* px */

struct field {
    const char *variant, *task, *metric;
    int         seeds;
    double      value, rank;
    int         of;          /* number of variants that are compared       */
    const char *kind, *says; /* kind: ranked, withheld, unranked, missing,
                                failed, ...; says: text of the field       */
    int         column, row; /* from 1                                     */
};

static const struct column columns[] = {
    {"variant", NULL, COLUMN(struct field, variant)},
    {"task", NULL, COLUMN(struct field, task)},
    {"metric", NULL, COLUMN(struct field, metric)},
    {"seeds", NULL, COLUMN(struct field, seeds)},
    {"value", NULL, COLUMN(struct field, value)},
    {"rank", NULL, COLUMN(struct field, rank)},
    {"of", NULL, COLUMN(struct field, of)},
    {"kind", NULL, COLUMN(struct field, kind)},
    {"says", NULL, COLUMN(struct field, says)},
    {"column", NULL, COLUMN(struct field, column)},
    {"row", NULL, COLUMN(struct field, row)},
    {.type = COLUMN_END}};

/* Returns the first metric of each task that has a finished cell, or NULL if no
 * cell is finished. */
static const struct table_column *columns_of(const struct report *r)
{
    const char *const *task = select_tasks(r);
    int n = 0;

    while (task[n])
        n++;
    struct table_column *out = arena_zero(r->memory, ((size_t)n + 1) *
                                                         sizeof *out);
    n = 0;
    for (int i = 0; task[i]; i++)
        if (select_done(r, task[i]))
            out[n++] = metric_column_all(r, task[i])[0];
    return n ? out : NULL;
}

/* ---- a field ---- */

static const char *kind_of(const struct result_table *s,
                           const struct result_cell *x, int column)
{
    if (isnan(x->value))
        return cell_state_text[x->state];
    if (isfinite(x->rank))
        return "ranked";
    return s->withheld[column] ? "withheld" : "unranked";
}

static int compared(const struct result_table *s, int column)
{
    int n = 0;

    for (int i = 0; i < s->rows; i++)
        n += result_compared(&s->row[i], column);
    return n;
}

/* Returns a value with `decimals` decimals, or with fewer if the field has no
 * room for them. */
static const char *says(double x, int decimals, struct arena *a)
{
    enum { LETTERS = 7 };

    while (decimals && snprintf(NULL, 0, "%.*f", decimals, x) > LETTERS)
        decimals--;
    return fabs(x) < 1e6 ? arena_format(a, "%.*f", decimals, x)
                         : arena_format(a, "%.2g", x);
}

static void put_field(struct picture *p, const struct result_table *s, int row,
                      int at, int column)
{
    const struct result_cell *x = &s->row[row].cell[column];
    const struct table_column *c = s->column[column];
    const char *kind = kind_of(s, x, column);

    picture_row(p, columns, &(struct field){
        s->row[row].variant, c->task, c->metric, x->n, x->value, x->rank,
        compared(s, column), kind,
        !isnan(x->value)           ? says(x->value, c->decimals, s->memory)
        : x->state == CELL_MISSING ? " " : kind,
        column + 1, at});
}

/* ---- the picture ---- */

/* Puts the heading of a column: the task, the metric, the reason why it has no
 * ranks, and whether the data are synthetic. */
static void put_heading(struct picture *p, const struct result_table *s,
                        int column)
{
    const struct table_column *c = s->column[column];
    const struct result_task *t = result_task_of(s, column);

    picture_text_i(p, "task", column + 1, "%s", t->title);
    picture_text_i(p, "metric", column + 1, "%s (%s)", c->title,
                 c->better > 0 ? "higher" : "lower");
    picture_text_i(p, "why", column + 1, "%s",
                   withheld_text[s->withheld[column]]);
    picture_text_i(p, "source", column + 1, "%s",
                   t->synthetic ? "SYNTHETIC DATA" : "");
}

static int variants_of(const struct result_table *s)
{
    int n = 0;

    for (int i = 0; i < s->rows; i++)
        n += !s->row[i].reference;
    return n;
}

static void put_rows(struct picture *p, const struct result_table *s)
{
    int n = 0;

    for (int i = 0; i < s->rows; i++) {
        if (s->row[i].reference)
            continue;
        picture_text_i(p, "variant", ++n, "%s", s->row[i].variant);
        for (int c = 0; c < s->columns; c++)
            put_field(p, s, i, n, c);
    }
}

static int draw_overview(const struct result_table *s, const struct output *to)
{
    OWNED(picture_abandon) struct picture p = {0};
    int rows = variants_of(s);

    PASS(picture_begin(&p, to, "overview"));
    picture_number(&p, "width", fmax(PICTURE_WIDTH, LEFT +
                                     FIELD * s->columns));
    picture_number(&p, "height", HEAD + LINE * rows + FOOT);
    picture_number(&p, "head", HEAD);
    picture_number(&p, "foot", FOOT);
    picture_number(&p, "rows", rows);
    picture_number(&p, "columns", s->columns);
    picture_head(&p, columns);
    put_rows(&p, s);
    for (int c = 0; c < s->columns; c++)
        put_heading(&p, s, c);
    picture_text(&p, "title", "Every variant on every task, scale %s, %d "
                 "seed%s", s->scale, s->seeds, s->seeds == 1 ? "" : "s");
    return picture_end(&p, "overview");
}

static int draw(const struct figure *f, const struct report *r,
                const char *task, const struct output *to)
{
    OWNED(result_close) struct result_table *s = NULL;
    const struct table_column *column = columns_of(r);

    (void)f;
    (void)task;
    if (!column)
        return FIGURE_NONE;
    PASS(metric_column_measure(&s, r, column));
    return draw_overview(s, to);
}

const struct figure figure_overview = {
    .name = "overview",
    .title = "Every variant on every task, coloured by rank",
    .none = "no cell is done",
    .draw = draw,
    .together = 1,
};
