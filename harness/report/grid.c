#include "harness/report/grid.h"

#include "harness/base/err.h"

#include <stdlib.h>
#include <string.h>
#include <uniwidth.h>

enum { WIDTH = 120 }; /* of a part */

static int width_of(const char *s)
{
    return u8_strwidth((const uint8_t *)s, "UTF-8");
}

static int max(int a, int b) { return a > b ? a : b; }

static const struct grid_cell *cell_at(const struct grid *g, int row,
                                       int column)
{
    return &g->cell[row * g->columns + column];
}

static void blanks(FILE *out, int n) { fprintf(out, "%*s", max(n, 0), ""); }

/* ---- text ---- */

static int same_group(const struct grid *g, int a, int b)
{
    return b < g->columns && !strcmp(g->column[a].group, g->column[b].group);
}

/* One blank inside a group, two between groups. */
static int gap(const struct grid *g, int column)
{
    if (column == 0)
        return 0;
    return same_group(g, column - 1, column) ? 1 : 2;
}

static int has_best(const struct grid *g, int column)
{
    for (int i = 0; i < g->rows; i++)
        if (cell_at(g, i, column)->best)
            return 1;
    return 0;
}

static int group_width(const struct grid *g, const int *w, int column)
{
    int sum = w[column];

    for (int c = column + 1; same_group(g, column, c); c++)
        sum += gap(g, c) + w[c];
    return sum;
}

static int starts_group(const struct grid *g, int column)
{
    return column == 0 || !same_group(g, column - 1, column);
}

static int *widths(const struct grid *g)
{
    int *w = calloc((size_t)g->columns + 1, sizeof *w);

    for (int c = 0; c < g->columns; c++) {
        for (int i = 0; i < g->rows; i++)
            w[c] = max(w[c], width_of(cell_at(g, i, c)->text));
        w[c] += has_best(g, c);
        w[c] = max(w[c], width_of(g->column[c].title));
    }
    for (int c = 0; c < g->columns; c++)
        if (starts_group(g, c))
            w[c] += max(0, width_of(g->column[c].group) - group_width(g, w, c));
    return w;
}

/* A group's name over a line as wide as its columns. */
static void text_groups(const struct grid *g, const int *w, FILE *out)
{
    for (int line = 0; line < 2; line++) {
        for (int c = 0, owed = 0; c < g->columns; c++) {
            const char *name = g->column[c].group;
            int all = group_width(g, w, c), n = width_of(name);

            if (!starts_group(g, c))
                continue;
            owed += gap(g, c);
            if (!*name) {
                owed += all;
                continue;
            }
            blanks(out, owed + (line ? 0 : (all - n) / 2));
            if (line == 0)
                fputs(name, out);
            for (int i = 0; line && i < all; i++)
                fputc('-', out);
            owed = line ? 0 : all - n - (all - n) / 2;
        }
        fputc('\n', out);
    }
}

static void text_cell(const struct grid *g, int c, const char *text, int best,
                      int width, int *owed, FILE *out)
{
    int tail = has_best(g, c), room = width - width_of(text) - tail;
    int left = g->column[c].left;

    if (room < 0) { /* a heading as wide as its column, mark and all */
        tail = 0;
        room = width - width_of(text);
    }
    if (!*text) {
        *owed += width;
        return;
    }
    blanks(out, *owed + (left ? 0 : room));
    fputs(text, out);
    if (best)
        fputc('*', out);
    *owed = (left ? room : 0) + tail - best;
}

static void text_rule(const struct grid *g, const int *w, FILE *out)
{
    int all = 0;

    for (int c = 0; c < g->columns; c++)
        all += gap(g, c) + w[c];
    for (int i = 0; i < all; i++)
        fputc('-', out);
    fputc('\n', out);
}

static void write_part(const struct grid *g, FILE *out)
{
    int *w = widths(g), grouped = 0;

    for (int c = 0; c < g->columns; c++)
        grouped |= *g->column[c].group;
    if (grouped)
        text_groups(g, w, out);
    for (int i = -1; i < g->rows; i++) {
        int owed = 0; /* blanks are held back, so that no line ends in one */

        if (i == 0 || (i > 0 && i == g->rule))
            text_rule(g, w, out);
        for (int c = 0; c < g->columns; c++) {
            owed += gap(g, c);
            text_cell(g, c, i < 0 ? g->column[c].title : cell_at(g, i, c)->text,
                      i >= 0 && cell_at(g, i, c)->best, w[c], &owed, out);
        }
        fputc('\n', out);
    }
    free(w);
}

/* The first column and those from `from` to before `to`; part_free. */
static struct grid part_of(const struct grid *g, int from, int to)
{
    struct grid part = {.rows = g->rows, .columns = 1 + to - from,
                        .rule = g->rule};
    size_t n = (size_t)part.columns;

    part.column = malloc(n * sizeof *part.column);
    part.cell = malloc(((size_t)g->rows * n + 1) * sizeof *part.cell);
    for (int c = 0; c < part.columns; c++) {
        int whole = c ? from + c - 1 : 0;

        part.column[c] = g->column[whole];
        for (int i = 0; i < g->rows; i++)
            part.cell[i * part.columns + c] = *cell_at(g, i, whole);
    }
    return part;
}

static void part_free(struct grid *part)
{
    free(part->column);
    free(part->cell);
}

static int part_width(const struct grid *g, int from, int to)
{
    struct grid part = part_of(g, from, to);
    int *w = widths(&part), all = 0;

    for (int c = 0; c < part.columns; c++)
        all += gap(&part, c) + w[c];
    free(w);
    part_free(&part);
    return all;
}

/* Where a part may end: 2 between groups, 1 elsewhere, 0 not there. */
static int seam(const struct grid *g, int column)
{
    if (column == g->columns || starts_group(g, column))
        return 2;
    return !g->with || !g->with[column];
}

/* The part that begins at `from`: all that fits, as many whole groups as fit,
 * or what fits of one group; one column in any case. */
static int part_end(const struct grid *g, int from)
{
    int end[3] = {0};

    for (int to = from + 1; to <= g->columns; to++) {
        if (seam(g, to) == 0)
            continue;
        if (end[1] && part_width(g, from, to) > WIDTH)
            break;
        end[1] = to;
        if (seam(g, to) == 2)
            end[2] = to;
    }
    return end[2] ? end[2] : end[1];
}

void grid_text(const struct grid *g, FILE *out)
{
    for (int from = 1, to = from; from < g->columns || from == 1; from = to) {
        to = g->columns > 1 ? part_end(g, from) : from;
        struct grid part = part_of(g, from, to);
        if (from > 1)
            fputc('\n', out);
        write_part(&part, out);
        part_free(&part);
        if (to == from)
            break;
    }
}

/* ---- Markdown ---- */

static void escaped(const char *s, FILE *out)
{
    for (; *s; s++) {
        if (*s == '|' || *s == '*' || *s == '_' || *s == '\\')
            fputc('\\', out);
        fputc(*s, out);
    }
}

void grid_markdown(const struct grid *g, FILE *out)
{
    for (int c = 0; c < g->columns; c++) {
        const struct grid_column *h = &g->column[c];

        fputs(c ? " | " : "| ", out);
        escaped(h->group, out);
        fputs(*h->group && *h->title ? " " : "", out);
        escaped(h->title, out);
        if (*h->unit)
            fprintf(out, " (%s)", h->unit);
    }
    fputs(" |\n", out);
    for (int c = 0; c < g->columns; c++)
        fputs(g->column[c].left ? "|:---" : "|---:", out);
    fputs("|\n", out);
    for (int i = 0; i < g->rows; i++) {
        for (int c = 0; c < g->columns; c++) {
            const struct grid_cell *cell = cell_at(g, i, c);

            fputs(c ? " | " : "| ", out);
            fputs(cell->best ? "**" : "", out);
            escaped(cell->text, out);
            fputs(cell->best ? "**" : "", out);
        }
        fputs(" |\n", out);
    }
}
