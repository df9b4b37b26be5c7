/* Markdown, as GitHub renders it: pipe tables; the best in bold. */
#include "harness/print/sheet.h"

#include <string.h>

static void escaped(const char *s, FILE *out)
{
    for (; *s; s++) {
        if (strchr("*_|<>`\\", *s))
            fputc('\\', out);
        fputc(*s, out);
    }
}

static void cell(const struct grid_cell *c, FILE *out)
{
    fputs(c->best ? "**" : "", out);
    escaped(c->text, out);
    fputs(c->best ? "**" : "", out);
}

static void title(const struct grid_column *h, FILE *out)
{
    escaped(h->group, out);
    fputs(*h->group && *h->title ? " " : "", out);
    escaped(h->title, out);
    if (*h->unit)
        fprintf(out, " (%s)", h->unit);
}

static void grid(const struct grid *g, FILE *out)
{
    for (int i = -1; i < grid_rows(g); i++) {
        for (int c = 0; c < g->columns; c++) {
            fputs(c ? " | " : "| ", out);
            if (i < 0)
                title(&g->column[c], out);
            else
                cell(grid_at(g, i, c), out);
        }
        fputs(" |\n", out);
        for (int c = 0; i < 0 && c < g->columns; c++)
            fputs(g->column[c].left ? "|:---" : "|---:", out);
        fputs(i < 0 ? "|\n" : "", out);
    }
}

/* 0: of no list; else which. */
static int list_of(const struct part *p)
{
    return p->kind == PART_CODE ? 2
                                : p->kind == PART_ITEM || p->kind == PART_BEST;
}

static void part(const struct part *p, FILE *out)
{
    static const struct { const char *before, *behind; } mark[] = {
        [PART_TITLE] = {"### ", ""},   [PART_HEADING] = {"**", "**"},
        [PART_WARNING] = {"> **", "**"}, [PART_PARAGRAPH] = {"", ""},
        [PART_ITEM] = {"* ", ""},      [PART_BEST] = {"* bold: ", ""},
        [PART_LINE] = {"", ""}};

    if (p->kind == PART_GRID) {
        grid(p->grid, out);
        return;
    }
    if (p->kind == PART_CODE) {
        fprintf(out, "%s\n", p->text);
        return;
    }
    fputs(mark[p->kind].before, out);
    escaped(p->text, out);
    fprintf(out, "%s\n", mark[p->kind].behind);
}

static void fence(const struct part *p, FILE *out)
{
    if (p && p->kind == PART_CODE)
        fputs("```\n", out);
}

/* A blank line between two parts, but those of one list. */
static void write_sheet(const struct sheet *s, FILE *out)
{
    const struct part *last = NULL;

    for (int i = 0; i < s->parts; i++) {
        const struct part *p = &s->part[i];
        int goes_on = last && list_of(last) && list_of(last) == list_of(p);

        if (p->kind == PART_GAP || p->kind == PART_FULL)
            continue;
        fence(goes_on ? NULL : last, out);
        if (last && !goes_on)
            fputc('\n', out);
        fence(goes_on ? NULL : p, out);
        part(p, out);
        last = p;
    }
    fence(last, out);
}

const struct format format_md = {"md", write_sheet};
