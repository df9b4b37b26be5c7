/*
 * text: for a terminal.  Prose is wrapped at 100 columns; a grid is aligned by
 * display width, `*` behind the best.  One of over 120 columns, or of what the
 * sheet says, is parted, between groups where it can be, and its first column
 * stands before each part.  No line ends in a blank.
 */
#include "harness/print/strip.h"

#include <string.h>
#include <uniwidth.h>

enum { PROSE = 100, GRID = 120 };

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

/* A group's name over a line as wide as its columns. */
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

/* Blanks are held back, so that no line ends in one. */
static void field(const struct strip *p, int k, const char *text, int best,
                  int *owed, FILE *out)
{
    int tail = p->best[k], room = p->width[k] - strip_text(text) - tail;
    int left = strip_column(p, k)->left;

    *owed += strip_gap(p, k);
    if (room < 0) { /* a heading as wide as its column, mark and all */
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

static void row(const struct strip *p, int i, FILE *out)
{
    int owed = 0;

    for (int k = 0; k < p->columns; k++)
        if (i < 0)
            field(p, k, strip_column(p, k)->title, 0, &owed, out);
        else
            field(p, k, strip_cell(p, i, k)->text,
                  strip_cell(p, i, k)->best, &owed, out);
    fputc('\n', out);
}

static void strip(const struct strip *p, FILE *out)
{
    if (strip_has_groups(p))
        groups(p, out);
    for (int i = -strip_has_titles(p); i < grid_rows(p->g); i++) {
        if ((i == 0 && !p->g->listing) || (i > 0 && i == p->g->rule)) {
            repeat('-', strip_width(p), out);
            fputc('\n', out);
        }
        row(p, i, out);
    }
}

static void grid(const struct grid *g, int most, FILE *out)
{
    struct strip p;
    int from = 1;

    do {
        p = g->listing || g->columns == 1 ? strip_whole(g)
                                          : strip_next(g, from, most);
        if (from > 1)
            fputc('\n', out);
        strip(&p, out);
        from = p.to;
    } while (from < g->columns);
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

static void part(const struct part *p, int grid_most, FILE *out)
{
    int most = grid_most < PROSE ? grid_most : PROSE;
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
    case PART_FULL:
    case PART_GAP: break;
    case PART_GRID: grid(p->grid, grid_most, out); break;
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
    for (int i = 0; i < s->parts; i++) {
        if (i && apart(s->part[i - 1].kind, s->part[i].kind))
            fputc('\n', out);
        part(&s->part[i], s->width ? s->width : GRID, out);
    }
}

const struct format format_text = {"text", write_sheet};
