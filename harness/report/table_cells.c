#include "harness/report/result_table.h"

#include "harness/base/names.h"
#include "harness/base/text.h"
#include "harness/print/sheet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SOURCES = 26 };

/* ---- sources ---- */

struct sources { const char *name[SOURCES + 1]; int n; };

/* Returns 1 if the table shows the published value of this cell. */
static int shown(const struct result_table *s, int row, int column)
{
    return s->column[column]->better &&
           !isnan(s->row[row].cell[column].published);
}

/* Adds the sources in `list` ("A; B") to `all`, and sets used[i] to 1 for each
 * of these sources, where i is its index in `all`. */
static void add_sources(const struct result_table *s, struct sources *all,
                        const char *list, char used[SOURCES])
{
    for (const char *next; list; list = next) {
        next = strstr(list, "; ");
        const char *name = arena_format(s->memory, "%.*s", (int)(
            next ? (size_t)(next - list) : strlen(list)), list);
        int i = names_index(all->name, name);

        if (i < 0 && all->n < SOURCES)
            all->name[i = all->n++] = name;
        used[i < 0 ? SOURCES - 1 : i] = 1;
        next = next ? next + 2 : NULL;
    }
}

static struct sources sources_of(const struct result_table *s)
{
    struct sources all = {.n = 0};
    char used[SOURCES] = {0};

    for (int c = 0; c < s->columns; c++)
        for (int i = 0; i < s->rows; i++)
            if (shown(s, i, c))
                add_sources(s, &all, s->row[i].cell[c].source, used);
    return all;
}

const char *view_sources(const struct result_table *s)
{
    struct sources all = sources_of(s);
    struct text t = {0};

    for (int i = 0; i < all.n; i++)
        text_format(&t, "%s%c = %s", i ? ", " : "", 'a' + i, all.name[i]);
    return text_keep(&t, s->memory);
}

/* ---- cells ---- */

static void whose(struct grid *g, const struct result_table *s, int row,
                  int column)
{
    if (!s->row[row].reference)
        grid_whose(g, s->row[row].variant,
                column < 0 ? NULL : s->column[column]->task);
}

const char *result_value(char out[32], const struct table_column *c, double x)
{
    if (!c->better && !isnan(x))
        return grid_count(x, NULL, out);
    snprintf(out, 32, isnan(x) ? "-" : "%.*f", c->decimals, x);
    return out;
}

static void value(struct grid *g, const struct result_table *s, int row,
                  int column)
{
    const struct result_cell *cell = &s->row[row].cell[column];
    const struct table_column *c = s->column[column];
    char text[32];

    if (isnan(cell->value)) {
        grid_add(g, "%s", reason_mark(s, &s->row[row], column));
        return;
    }
    result_value(text, c, cell->value);
    if (c->better && cell->n < cell->asked)
        grid_add(g, "(%d/%d) %s", cell->n, cell->asked, text);
    else
        grid_add(g, "%s", text);
    whose(g, s, row, column);
    if (cell->best)
        grid_best(g);
}

/* Adds the published value and the letters of its sources: "ac!" if sources a
 * and c have the value and other sources dispute it. */
static void published(struct grid *g, const struct result_table *s,
                      struct sources *all, int row, int column)
{
    const struct result_cell *cell = &s->row[row].cell[column];
    char used[SOURCES] = {0}, text[SOURCES + 2], *at = text;

    if (!shown(s, row, column)) {
        grid_add(g, "\t");
        return;
    }
    add_sources(s, all, cell->source, used);
    for (int i = 0; i < SOURCES; i++)
        if (used[i])
            *at++ = (char)('a' + i);
    if (cell->dispute)
        *at++ = '!';
    *at = 0;
    grid_add(g, "%.2f\t%s", cell->published, text);
}

/* ---- grids ---- */

static struct grid *grid_of(struct sheet *to, const struct result_table *s,
                            const struct grid_column *column, int columns)
{
    struct grid *g = sheet_grid(to, column, columns);

    while (g->rule < s->rows && !s->row[g->rule].reference)
        g->rule++;
    return g;
}

static const struct grid_column variant = {"", "Variant", "", 1, 0};

static const char *unit_of(const struct table_column *c)
{
    return strcmp(c->unit, "1") ? c->unit : "";
}

const char *result_heading(const struct table_column *c, struct arena *a)
{
    return arena_format(a, "%s%s", c->title,
                        c->better > 0   ? "\u2191"
                        : c->better < 0 ? "\u2193" : "");
}

static const char *title_of(struct sheet *to, const struct result_table *s,
                            int column)
{
    return arena_format(to->memory, "%s%s",
                        result_heading(s->column[column], to->memory),
                        s->withheld[column] == WITHHELD_UNINFORMATIVE
                            ? " uninformative" : "");
}

void view_values(struct sheet *to, const struct result_table *s)
{
    struct sources all = sources_of(s);
    struct grid_column *head = arena_take(
        to->memory, (3 * (size_t)s->columns + 1) * sizeof *head);
    int n = 0;

    head[n++] = variant;
    for (int c = 0; c < s->columns; c++) {
        const char *group = result_task_of(s, c)->label;

        head[n++] = (struct grid_column){group, title_of(to, s, c),
                                         unit_of(s->column[c]), 0, 0};
        if (!result_count(s, c, shown))
            continue;
        head[n++] = (struct grid_column){group, "paper", "", 0, 1};
        head[n++] = (struct grid_column){group, "src", "", 1, 1};
    }
    struct grid *g = grid_of(to, s, head, n);
    for (int i = 0; i < s->rows; i++) {
        grid_add(g, "%s", s->row[i].title);
        whose(g, s, i, -1);
        for (int c = 0; c < s->columns; c++) {
            value(g, s, i, c);
            if (result_count(s, c, shown))
                published(g, s, &all, i, c);
        }
    }
}

int view_interval(const struct result_table *s, int row, int column)
{
    return !isnan(s->row[row].cell[column].between.low);
}

int view_lacks_interval(const struct result_table *s, int row, int column)
{
    return s->column[column]->better &&
           !isnan(s->row[row].cell[column].value) &&
           !view_interval(s, row, column);
}

/* Returns 1 if the column is in the grid of intervals. */
static int in_intervals(const struct result_table *s, int column)
{
    return result_count(s, column, view_interval) ||
           result_count(s, column, view_lacks_interval);
}

static void interval(struct grid *g, const struct result_cell *x,
                     int decimals)
{
    char text[64];

    grid_add(g, "%s", *result_interval(text, x, decimals) ? text : "-");
}

void view_intervals(struct sheet *to, const struct result_table *s)
{
    struct grid_column *head = arena_take(
        to->memory, ((size_t)s->columns + 1) * sizeof *head);
    int n = 0;

    head[n++] = variant;
    for (int c = 0; c < s->columns; c++)
        if (in_intervals(s, c))
            head[n++] = (struct grid_column){
                result_task_of(s, c)->label, s->column[c]->title,
                unit_of(s->column[c]), 0, 0};
    struct grid *g = grid_of(to, s, head, n);
    for (int i = 0; i < s->rows; i++) {
        grid_add(g, "%s", s->row[i].title);
        whose(g, s, i, -1);
        for (int c = 0; c < s->columns; c++)
            if (in_intervals(s, c))
                interval(g, &s->row[i].cell[c], s->column[c]->decimals);
    }
}

/* ---- the grid of one column ---- */

static const struct grid_column detail[] = {
    {"", "Variant", "", 1, 0},     {"ours", "mean", "", 0, 0},
    {"ours", "95 % CI", "", 0, 0}, {"ours", "seeds", "", 0, 0},
    {"ours", "by seed", "", 1, 0}, {"ours", "rank", "", 0, 0},
    {"paper", "value", "", 0, 0},  {"paper", "src", "", 1, 1},
    {"paper", "rank", "", 0, 0}};

/* Adds the values by seed, "2.44 2.51", if there are two seeds or more. */
static void by_seed(struct grid *g, const struct result_cell *x, int decimals)
{
    OWNED(text_free) struct text all = {0};

    for (int i = 0; x->by_seed && x->n > 1 && i < x->n; i++)
        text_format(&all, "%s%.*f", i ? " " : "", decimals, x->by_seed[i]);
    grid_add(g, "%s", all.n ? all.s : "");
}

static void detail_row(struct grid *g, const struct result_table *s,
                       struct sources *all, int row, int column)
{
    const struct result_cell *x = &s->row[row].cell[column];

    grid_add(g, "%s", s->row[row].title);
    whose(g, s, row, -1);
    value(g, s, row, column);
    interval(g, x, s->column[column]->decimals);
    grid_add(g, "%d/%d", x->n, x->asked);
    by_seed(g, x, s->column[column]->decimals);
    grid_number(g, "%g", x->rank, "");
    published(g, s, all, row, column);
    grid_number(g, "%g", x->rank_published, "");
}

void view_detail(struct sheet *to, const struct result_table *s)
{
    struct sources all = sources_of(s);

    for (int c = 0; c < s->columns; c++) {
        const struct table_column *column = s->column[c];

        if (!column->better)
            continue;
        sheet_put(to, PART_HEADING, "%s, %s: %s", result_task_of(s, c)->label,
                  column->title, table_column_says(column));
        struct grid *g = grid_of(to, s, detail,
                                 sizeof detail / sizeof *detail);
        for (int i = 0; i < s->rows; i++)
            detail_row(g, s, &all, i, c);
    }
}
