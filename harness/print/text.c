/*
 * text: writes a sheet as text for a terminal.  Prose is wrapped at the width
 * of the sheet (80 by default), but at most at 100 columns.  Grids are aligned
 * by display width, with `*` after the best values.  A grid wider than the
 * sheet is divided, between groups if possible, and each part repeats the first
 * column.  If the sheet has no width, a list is printed in full width, one line
 * per row, for other programs to read.  Otherwise, text is wrapped inside the
 * columns of the list and, if this is not enough, the list is divided like a
 * grid.  No line ends with a blank.
 */
#include "harness/print/strip.h"

#include "harness/base/str.h"

#include <limits.h>
#include <string.h>
#include <uniwidth.h>

enum { PROSE = 100, USUAL = 80 };

static void blanks(FILE *out, int n)
{
    fprintf(out, "%*s", n > 0 ? n : 0, "");
}

/* ---- grids ---- */

static void repeat(char c, int n, FILE *out)
{
    for (int i = 0; i < n; i++)
        fputc(c, out);
}

/* Writes the names of the groups, and below each name a line that is as wide as
 * the columns of the group. */
static void groups(const struct strip *p, FILE *out)
{
    for (int line = 0; line < 2; line++) {
        for (int k = 0, owed = 0; k < p->columns; k++) {
            const char *name = strip_column(p, k)->group;
            int all = strip_group(p, k), n = strip_text(name);

            if (!strip_starts_group(p, k))
                continue;
            owed += strip_gap(p, k);
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

/* Writes a field.  *owed is the number of blanks that the next field writes
 * before its text; they are delayed so that no line ends with a blank. */
static void field(const struct strip *p, int k, const char *text, int best,
                  int *owed, FILE *out)
{
    int tail = p->best[k], room = p->width[k] - strip_text(text) - tail;
    int left = strip_column(p, k)->left;

    *owed += strip_gap(p, k);
    if (room < 0) { /* a heading that uses the space of the mark */
        tail = 0;
        room = p->width[k] - strip_text(text);
    }
    if (!*text) {
        *owed += p->width[k];
        return;
    }
    blanks(out, *owed + (left ? 0 : room));
    fprintf(out, "%s%s", text, best ? "*" : "");
    *owed = (left ? room : 0) + tail - best;
}

static const char *text_at(const struct strip *p, int i, int k)
{
    return i < 0 ? strip_column(p, k)->title : strip_cell(p, i, k)->text;
}

/* Writes one line of row i (-1: the head).  rest[k], the text of column k that
 * is not written yet, is advanced.  Returns 1 if any text remains. */
static int line(const struct strip *p, int i, const char *rest[], FILE *out)
{
    int owed = 0, more = 0;

    for (int k = 0; k < p->columns; k++) {
        int best = i >= 0 && rest[k] == text_at(p, i, k) &&
                   strip_cell(p, i, k)->best;
        size_t n = strip_line(rest[k], p->width[k] - (i < 0 ? 0 : p->best[k]));
        OWNED(free) char *text = str_format("%.*s", (int)n, rest[k]);

        field(p, k, text, best, &owed, out);
        rest[k] += n;
        rest[k] += strspn(rest[k], " ");
        more |= *rest[k] != 0;
    }
    fputc('\n', out);
    return more;
}

/* ---- prose ---- */

struct prose { const char *first, *rest; int most; };

static void wrapped(const char *s, const struct prose *p, FILE *out)
{
    const char *first = p->first, *rest = p->rest;
    int at = (int)strlen(first);

    fputs(first, out);
    for (int words = 0; *s; words++) {
        size_t n = strcspn(s, " ");
        int width = u8_width((const uint8_t *)s, n, "UTF-8");

        if (words && at + 1 + width > p->most) {
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

/* ---- rows and notes ---- */

/* Returns 1 if the last column of a list is written as a note below each row:
 * the column has no title and does not fit into `most` characters. */
static int has_notes(const struct grid *g, int most)
{
    const struct grid_column *last = &g->column[g->columns - 1];

    if (!g->listing || g->columns < 3 || !last->left || *last->title)
        return 0;
    return strip_next(g, 1, g->columns, most).to < g->columns;
}

static void strip(const struct strip *p, int notes, int most, FILE *out)
{
    const char **rest = arena_zero(p->g->memory,
                                   (size_t)p->columns * sizeof *rest);
    int last = p->g->columns - 1;

    if (strip_has_groups(p))
        groups(p, out);
    for (int i = -strip_has_titles(p); i < grid_rows(p->g); i++) {
        if ((i == 0 && !p->g->listing) || (i > 0 && i == p->g->rule)) {
            repeat('-', strip_width(p), out);
            fputc('\n', out);
        }
        for (int k = 0; k < p->columns; k++)
            rest[k] = text_at(p, i, k);
        while (line(p, i, rest, out))
            ;
        if (notes && i >= 0 && p->to == last &&
            *grid_at(p->g, i, last)->text)
            wrapped(grid_at(p->g, i, last)->text,
                    &(struct prose){"    ", "    ", most}, out);
    }
}

static void grid(const struct grid *g, int most, FILE *out)
{
    int notes = has_notes(g, most), from = 1;
    struct strip p;

    do {
        p = strip_next(g, from, g->columns - notes, most);
        if (from > 1)
            fputc('\n', out);
        strip(&p, notes, most, out);
        from = p.to;
    } while (from < g->columns - notes);
}

/* ---- a sheet ---- */

static void part(const struct part *p, int width, FILE *out)
{
    int all = width ? width : USUAL, most = all < PROSE ? all : PROSE;
    const struct prose plain = {"", "", most}, loud = {"*** ", "*** ", most},
                       item = {"  ", "    ", most}, best = {"  *: ", "    ",
                                                            most};

    switch (p->kind) {
    case PART_TITLE:
    case PART_PARAGRAPH: wrapped(p->text, &plain, out); break;
    case PART_WARNING: wrapped(p->text, &loud, out); break;
    case PART_ITEM: wrapped(p->text, &item, out); break;
    case PART_BEST: wrapped(p->text, &best, out); break;
    case PART_HEADING:
    case PART_LINE: fprintf(out, "%s\n", p->text); break;
    case PART_CODE: fprintf(out, "  %s\n", p->text); break;
    case PART_GAP: break;
    case PART_GRID:
        grid(p->grid, width || !p->grid->listing ? all : INT_MAX, out);
        break;
    }
}

static void write_parts(const struct sheet *s, FILE *out)
{
    for (int i = 0; i < s->parts; i++) {
        enum part_kind p = s->part[i].kind;
        enum part_kind before = i ? s->part[i - 1].kind : PART_GAP;

        /* A blank line is before and after a grid, before a heading, and at a
         * gap. */
        if (before != PART_GAP && (before == PART_GRID || p == PART_GRID ||
                                   p == PART_HEADING || p == PART_GAP))
            fputc('\n', out);
        part(&s->part[i], s->width, out);
    }
}

static void write_sheet(const struct sheet *s, FILE *out)
{
    OWNED(free) char *text = NULL;
    size_t bytes;

    if (!s->ascii) {
        write_parts(s, out);
        return;
    }
    FILE *memory = open_memstream(&text, &bytes);
    write_parts(s, memory);
    fclose(memory);
    /* Arrows become ^ and v.  All other text that the program produces is
     * ASCII. */
    for (const char *c = text; *c; c++)
        if (!strncmp(c, "\u2191", 3) || !strncmp(c, "\u2193", 3)) {
            fputc(c[2] == "\u2191"[2] ? '^' : 'v', out);
            c += 2;
        } else {
            fputc(*c, out);
        }
}

const struct format format_text = {"text", write_sheet};
