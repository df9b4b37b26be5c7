#include "harness/report/view.h"

#include "harness/base/arena.h"
#include "harness/report/layout.h"

#include <math.h>
#include <string.h>

enum { SOURCES = 26, TEXT = 64 };

/* ---- sources ---- */

struct sources { const char *name[SOURCES]; size_t length[SOURCES]; int n; };

/* The number of a name, which is added if it is new. */
static int number(struct sources *all, const char *name, size_t length)
{
    for (int i = 0; i < all->n; i++)
        if (all->length[i] == length && !memcmp(all->name[i], name, length))
            return i;
    if (all->n == SOURCES)
        return SOURCES - 1;
    all->name[all->n] = name;
    all->length[all->n] = length;
    return all->n++;
}

/* Whether the table shows the published value of this cell. */
static int shown(const struct sheet *s, int row, int column)
{
    return s->column[column]->better &&
           !isnan(s->row[row].cell[column].published);
}

/* Adds the sources of a cell; `used` gets a 1 for each of them. */
static void add_sources(struct sources *all, const char *list,
                        char used[SOURCES])
{
    for (const char *next; list; list = next) {
        next = strstr(list, "; ");
        size_t length = next ? (size_t)(next - list) : strlen(list);

        used[number(all, list, length)] = 1;
        next = next ? next + 2 : NULL;
    }
}

static struct sources sources_of(const struct sheet *s)
{
    struct sources all = {.n = 0};
    char used[SOURCES] = {0};

    for (int c = 0; c < s->columns; c++)
        for (int i = 0; i < s->rows; i++)
            if (shown(s, i, c))
                add_sources(&all, s->row[i].cell[c].source, used);
    return all;
}

const char *view_source(const struct sheet *s, int n)
{
    struct sources all = sources_of(s);

    if (n >= all.n)
        return NULL;
    char *name = arena_zero(s->memory, all.length[n] + 1);
    memcpy(name, all.name[n], all.length[n]);
    return name;
}

/* ---- cells ---- */

static const char *value_text(const struct sheet *s, int row, int column)
{
    const struct sheet_cell *cell = &s->row[row].cell[column];
    const struct table_column *c = s->column[column];
    char text[TEXT];

    if (isnan(cell->value)) {
        int quiet = s->row[row].reference || !c->better ||
                    cell->state == CELL_DONE || cell->state == CELL_MISSING;
        return quiet ? "-" : sheet_state(cell->state);
    }
    if (c->better && cell->n < cell->asked)
        snprintf(text, sizeof text, "(%d/%d) %.*f", cell->n, cell->asked,
                 c->decimals, cell->value);
    else if (c->better)
        snprintf(text, sizeof text, "%.*f", c->decimals, cell->value);
    else
        layout_short(cell->value, text);
    return arena_text(s->memory, text);
}

static const char *published_text(const struct sheet *s, int row, int column)
{
    char text[TEXT];

    if (!shown(s, row, column))
        return "";
    snprintf(text, sizeof text, "%.*f", 2,
             s->row[row].cell[column].published);
    return arena_text(s->memory, text);
}

/* "ac!": sources a and c, disputed. */
static const char *source_text(const struct sheet *s, struct sources *all,
                               int row, int column)
{
    const struct sheet_cell *cell = &s->row[row].cell[column];
    char used[SOURCES] = {0}, text[SOURCES + 2], *at = text;

    if (!shown(s, row, column))
        return "";
    add_sources(all, cell->source, used);
    for (int i = 0; i < SOURCES; i++)
        if (used[i])
            *at++ = (char)('a' + i);
    if (cell->dispute)
        *at++ = '!';
    *at = 0;
    return arena_text(s->memory, text);
}

static const char *interval_text(const struct sheet *s, int row, int column)
{
    const struct sheet_cell *cell = &s->row[row].cell[column];
    int decimals = s->column[column]->decimals;
    char text[TEXT];

    if (isnan(cell->between.low))
        return "-";
    snprintf(text, sizeof text, "[%.*f, %.*f]", decimals, cell->between.low,
             decimals, cell->between.high);
    return arena_text(s->memory, text);
}

/* ---- grids ---- */

static struct grid grid_for(const struct sheet *s, int columns)
{
    struct grid g = {.rows = s->rows};
    size_t cells = (size_t)s->rows * (size_t)columns;

    g.column = arena_zero(s->memory, (size_t)columns * sizeof *g.column);
    g.cell = arena_zero(s->memory, (cells + 1) * sizeof *g.cell);
    g.with = arena_zero(s->memory, (size_t)columns * sizeof *g.with);
    for (g.rule = 0; g.rule < s->rows && !s->row[g.rule].reference; g.rule++)
        ;
    g.columns = columns;
    return g;
}

static void put_titles(struct grid *g, const struct sheet *s)
{
    g->column[0] = (struct grid_column){"", "Variant", "", 1};
    for (int i = 0; i < s->rows; i++)
        g->cell[i * g->columns].text = s->row[i].title;
}

static int any_shown(const struct sheet *s, int column)
{
    for (int i = 0; i < s->rows; i++)
        if (shown(s, i, column))
            return 1;
    return 0;
}

static const char *unit_of(const struct table_column *c)
{
    return strcmp(c->unit, "1") ? c->unit : "";
}

static const char *title_of(const struct sheet *s, const struct table_column *c)
{
    char text[TEXT];

    snprintf(text, sizeof text, "%s%s", c->title,
             c->better > 0 ? "\u2191" : c->better < 0 ? "\u2193" : "");
    return arena_text(s->memory, text);
}

struct grid view_values(const struct sheet *s)
{
    struct sources all = {.n = 0};
    int columns = 1, at = 1;

    for (int c = 0; c < s->columns; c++)
        columns += any_shown(s, c) ? 3 : 1;
    struct grid g = grid_for(s, columns);
    put_titles(&g, s);
    for (int c = 0; c < s->columns; c++) {
        const struct table_column *column = s->column[c];
        const char *group = sheet_task_of(s, c)->label;

        g.column[at] = (struct grid_column){group, title_of(s, column),
                                            unit_of(column), 0};
        for (int i = 0; i < s->rows; i++)
            g.cell[i * columns + at] = (struct grid_cell){
                value_text(s, i, c), s->row[i].cell[c].best};
        at++;
        if (!any_shown(s, c))
            continue;
        g.with[at] = g.with[at + 1] = 1;
        g.column[at] = (struct grid_column){group, "paper", "", 0};
        g.column[at + 1] = (struct grid_column){group, "src", "", 1};
        for (int i = 0; i < s->rows; i++) {
            g.cell[i * columns + at].text = published_text(s, i, c);
            g.cell[i * columns + at + 1].text = source_text(s, &all, i, c);
        }
        at += 2;
    }
    return g;
}

static int any_interval(const struct sheet *s, int column)
{
    for (int i = 0; i < s->rows; i++)
        if (!isnan(s->row[i].cell[column].between.low))
            return 1;
    return 0;
}

struct grid view_intervals(const struct sheet *s)
{
    int columns = 1, at = 1;

    for (int c = 0; c < s->columns; c++)
        columns += any_interval(s, c);
    struct grid g = grid_for(s, columns);
    put_titles(&g, s);
    for (int c = 0; c < s->columns; c++) {
        if (!any_interval(s, c))
            continue;
        const struct table_column *column = s->column[c];
        g.column[at] = (struct grid_column){sheet_task_of(s, c)->label,
                                            column->title, unit_of(column), 0};
        for (int i = 0; i < s->rows; i++)
            g.cell[i * columns + at].text = interval_text(s, i, c);
        at++;
    }
    return g;
}
