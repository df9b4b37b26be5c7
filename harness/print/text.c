/*
 * text: for a terminal.  Prose is wrapped at 100 columns; a grid is aligned by
 * display width, `*` behind the best.  One of over 120 columns is parted,
 * between groups where it can be, and its first column stands before each
 * part.  No line ends in a blank.
 */
#include "harness/print/sheet.h"

#include <string.h>
#include <uniwidth.h>

enum { PROSE = 100, GRID = 120 };

static int width_of(const char *s)
{
    return u8_strwidth((const uint8_t *)s, "UTF-8");
}

static int max(int a, int b) { return a > b ? a : b; }

static void blanks(FILE *out, int n) { fprintf(out, "%*s", max(n, 0), ""); }

/* ---- grids ---- */

/* The first column and those from `from` to before `to`, side by side; what
 * follows numbers them from 0. */
struct strip {
    const struct grid *g;
    int from, to, columns;
    int *width, *best; /* (columns); best: 1 where a cell is */
};

static const struct grid_column *column(const struct strip *p, int k)
{
    return &p->g->column[k ? p->from + k - 1 : 0];
}

static const struct grid_cell *cell(const struct strip *p, int row, int k)
{
    return grid_at(p->g, row, k ? p->from + k - 1 : 0);
}

static int starts_group(const struct strip *p, int k)
{
    return k == 0 || strcmp(column(p, k - 1)->group, column(p, k)->group);
}

/* One blank inside a group, two elsewhere. */
static int gap(const struct strip *p, int k)
{
    if (k == 0)
        return 0;
    return starts_group(p, k) || !*column(p, k)->group ? 2 : 1;
}

static int group_width(const struct strip *p, int k)
{
    int sum = p->width[k];

    for (k++; k < p->columns && !starts_group(p, k); k++)
        sum += gap(p, k) + p->width[k];
    return sum;
}

static struct strip strip_new(const struct grid *g, int from, int to)
{
    struct strip p = {g, from, to, 1 + to - from, NULL, NULL};

    p.width = arena_zero(g->memory, (size_t)p.columns * sizeof *p.width);
    p.best = arena_zero(g->memory, (size_t)p.columns * sizeof *p.best);
    for (int k = 0; k < p.columns; k++) {
        for (int i = 0; i < grid_rows(g); i++) {
            const struct grid_cell *c = cell(&p, i, k);

            p.width[k] = max(p.width[k], width_of(c->text));
            p.best[k] |= c->best;
        }
        p.width[k] = max(p.width[k] + p.best[k],
                         width_of(column(&p, k)->title));
    }
    for (int k = 0; k < p.columns; k++)
        if (starts_group(&p, k))
            p.width[k] += max(0, width_of(column(&p, k)->group) -
                                     group_width(&p, k));
    return p;
}

static int strip_width(const struct strip *p)
{
    int all = 0;

    for (int k = 0; k < p->columns; k++)
        all += gap(p, k) + p->width[k];
    return all;
}

static void repeat(char c, int n, FILE *out)
{
    for (int i = 0; i < n; i++)
        fputc(c, out);
}

/* A group's name over a line as wide as its columns. */
static void groups(const struct strip *p, FILE *out)
{
    for (int line = 0; line < 2; line++) {
        for (int k = 0, owed = 0; k < p->columns; k++) {
            const char *name = column(p, k)->group;
            int all = group_width(p, k), n = width_of(name);

            if (!starts_group(p, k))
                continue;
            owed += gap(p, k);
            if (!*name) {
                owed += all;
                continue;
            }
            blanks(out, owed + (line ? 0 : (all - n) / 2));
            if (line)
                repeat('-', all, out);
            else
                fputs(name, out);
            owed = line ? 0 : all - n - (all - n) / 2;
        }
        fputc('\n', out);
    }
}

/* Blanks are held back, so that no line ends in one. */
static void field(const struct strip *p, int k, const char *text, int best,
                  int *owed, FILE *out)
{
    int tail = p->best[k], room = p->width[k] - width_of(text) - tail;
    int left = column(p, k)->left;

    *owed += gap(p, k);
    if (room < 0) { /* a heading as wide as its column, mark and all */
        tail = 0;
        room = p->width[k] - width_of(text);
    }
    if (!*text) {
        *owed += p->width[k];
        return;
    }
    blanks(out, *owed + (left ? 0 : room));
    fprintf(out, "%s%s", text, best ? "*" : "");
    *owed = (left ? room : 0) + tail - best;
}

static void row(const struct strip *p, int i, FILE *out)
{
    int owed = 0;

    for (int k = 0; k < p->columns; k++)
        if (i < 0)
            field(p, k, column(p, k)->title, 0, &owed, out);
        else
            field(p, k, cell(p, i, k)->text, cell(p, i, k)->best, &owed, out);
    fputc('\n', out);
}

static void strip(const struct strip *p, FILE *out)
{
    int grouped = 0, titled = 0;

    for (int k = 0; k < p->columns; k++) {
        grouped |= *column(p, k)->group;
        titled |= *column(p, k)->title;
    }
    if (grouped)
        groups(p, out);
    for (int i = titled ? -1 : 0; i < grid_rows(p->g); i++) {
        if ((i == 0 && !p->g->listing) || (i > 0 && i == p->g->rule)) {
            repeat('-', strip_width(p), out);
            fputc('\n', out);
        }
        row(p, i, out);
    }
}

/* Where a strip may end: 2 between groups, 1 elsewhere, 0 not there. */
static int seam(const struct grid *g, int c)
{
    if (c == g->columns || strcmp(g->column[c - 1].group, g->column[c].group))
        return 2;
    return !g->column[c].with;
}

/* The strip that begins at `from`: all that fits, as many whole groups as fit,
 * or what fits of one group; one column in any case. */
static int strip_end(const struct grid *g, int from)
{
    int end[3] = {0};

    for (int to = from + 1; to <= g->columns; to++) {
        if (seam(g, to) == 0)
            continue;
        struct strip p = strip_new(g, from, to);

        if (end[1] && strip_width(&p) > GRID)
            break;
        end[1] = to;
        if (seam(g, to) == 2)
            end[2] = to;
    }
    return end[2] ? end[2] : end[1];
}

static void grid(const struct grid *g, FILE *out)
{
    int from = 1;

    do {
        int to = g->listing || g->columns == 1 ? g->columns
                                               : strip_end(g, from);
        struct strip p = strip_new(g, from, to);

        if (from > 1)
            fputc('\n', out);
        strip(&p, out);
        from = to;
    } while (from < g->columns);
}

/* ---- prose ---- */

static void wrapped(const char *s, const char *first, const char *rest,
                    int most, FILE *out)
{
    int at = (int)strlen(first);

    fputs(first, out);
    for (int words = 0; *s; words++) {
        size_t n = strcspn(s, " ");
        int width = u8_width((const uint8_t *)s, n, "UTF-8");

        if (words && at + 1 + width > most) {
            fprintf(out, "\n%s", rest);
            at = (int)strlen(rest);
        } else if (words) {
            fputc(' ', out);
            at++;
        }
        fprintf(out, "%.*s", (int)n, s);
        at += width;
        s += n;
        s += *s == ' ';
    }
    fputc('\n', out);
}

static void part(const struct part *p, int most, FILE *out)
{
    switch (p->kind) {
    case PART_TITLE:
    case PART_PARAGRAPH: wrapped(p->text, "", "", most, out); break;
    case PART_WARNING: wrapped(p->text, "*** ", "*** ", most, out); break;
    case PART_ITEM: wrapped(p->text, "  ", "    ", most, out); break;
    case PART_BEST: wrapped(p->text, "  *: ", "    ", most, out); break;
    case PART_HEADING:
    case PART_LINE: fprintf(out, "%s\n", p->text); break;
    case PART_CODE: fprintf(out, "  %s\n", p->text); break;
    case PART_GAP: break;
    case PART_GRID: grid(p->grid, out); break;
    }
}

/* A blank line stands around a grid, before a heading, and where one is asked
 * for. */
static int apart(enum part_kind before, enum part_kind p)
{
    return before != PART_GAP && (before == PART_GRID || p == PART_GRID ||
                                  p == PART_HEADING || p == PART_GAP);
}

static void write_sheet(const struct sheet *s, FILE *out)
{
    int most = s->width ? s->width : PROSE;

    for (int i = 0; i < s->parts; i++) {
        if (i && apart(s->part[i - 1].kind, s->part[i].kind))
            fputc('\n', out);
        part(&s->part[i], most, out);
    }
}

const struct format format_text = {"text", write_sheet};
