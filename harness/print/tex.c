/*
 * tex: writes a sheet as LaTeX, which a document includes with \input.  Grids
 * become tables of the package booktabs, with the best values in bold; prose
 * becomes text between the tables.  A grid wider than a page is divided as in
 * the text format, and each part repeats the first column.  Text to be copied
 * (signatures, commands) is written as comments, because it is wider than a
 * page.
 */
#include "harness/print/strip.h"

#include <string.h>
#include <unistr.h>

enum { PAGE = 80, LATIN = 0x17f }; /* width in characters; the last letter that
                                      is assumed to be in T1 fonts */

/* ---- characters ---- */

static const struct { ucs4_t c; const char *tex; } word[] = {
    {'\\', "\\textbackslash{}"}, {'~', "\\textasciitilde{}"},
    {'^', "\\textasciicircum{}"}, {'<', "\\textless{}"},
    {'>', "\\textgreater{}"},     {'|', "\\textbar{}"},
    {'"', "{\\char34}"},          {'`', "{\\char96}"},
    {0x00b1, "$\\pm$"},           {0x00b2, "$^2$"},
    {0x00b5, "$\\mu$"},           {0x00d7, "$\\times$"},
    {0x2013, "--"},               {0x2014, "---"},
    {0x2018, "`"},                {0x2019, "'"},
    {0x201c, "``"},               {0x201d, "''"},
    {0x2026, "\\dots{}"},         {0x2191, "$\\uparrow$"},
    {0x2193, "$\\downarrow$"},    {0x2264, "$\\leq$"},
    {0x2265, "$\\geq$"}};

static const char *word_of(ucs4_t c)
{
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (word[i].c == c)
            return word[i].tex;
    return NULL;
}

/* Writes a character.  If T1 fonts lack the character, writes its number,
 * "(U+4E2D)". */
static void character(ucs4_t c, const uint8_t *bytes, size_t n, FILE *out)
{
    const char *tex = word_of(c);

    if (tex)
        fputs(tex, out);
    else if (c < 0x80 && strchr("#$%&_{}", (int)c))
        fprintf(out, "\\%c", (int)c);
    else if (c < 0x80 || (c >= 0xa0 && c <= LATIN))
        fwrite(bytes, 1, n, out);
    else
        fprintf(out, "(U+%04X)", (unsigned)c);
}

static int is_minus(const uint8_t *s, const uint8_t *at)
{
    return *at == '-' && at[1] >= '0' && at[1] <= '9' &&
           (at == s || at[-1] == '[' || at[-1] == ' ');
}

static void escaped(const char *text, FILE *out)
{
    const uint8_t *s = (const uint8_t *)text, *at = s, *next;

    for (ucs4_t c; (next = u8_next(&c, at)); at = next)
        if (is_minus(s, at))
            fputs("$-$", out);
        else
            character(c, at, (size_t)(next - at), out);
}

/* ---- grids ---- */

/* Writes field k of a row.  At the start of a row, {} is written before [ and
 * *, which LaTeX would read as arguments of the preceding \\. */
static void field(const struct strip *p, int k, const char *text, int best,
                  FILE *out)
{
    if (k == 0 && *text && strchr("[*", *text))
        fputs("{}", out);
    fputs(k ? " & " : "", out);
    fputs(best ? "\\textbf{" : "", out);
    escaped(text, out);
    fputs(best ? "}" : "", out);
    if (k + 1 == p->columns)
        fputs(" \\\\\n", out);
}

static void titles(const struct strip *p, FILE *out)
{
    for (int k = 0; k < p->columns; k++) {
        const struct grid_column *c = strip_column(p, k);
        const char *text = !*c->unit ? c->title
                           : arena_format(p->g->memory, "%s (%s)", c->title,
                                          c->unit);

        field(p, k, text, 0, out);
    }
}

/* Writes the names of the groups, and a rule below each name. */
static void groups(const struct strip *p, FILE *out)
{
    for (int k = 0, n; k < p->columns; k += n) {
        n = strip_group_columns(p, k);
        fprintf(out, "%s\\multicolumn{%d}{c}{", k ? " & " : "", n);
        escaped(strip_column(p, k)->group, out);
        fputs("}", out);
    }
    fputs(" \\\\\n", out);
    for (int k = 0, n; k < p->columns; k += n) {
        n = strip_group_columns(p, k);
        if (*strip_column(p, k)->group)
            fprintf(out, "\\cmidrule(lr){%d-%d}\n", k + 1, k + n);
    }
}

static void rows(const struct strip *p, FILE *out)
{
    for (int i = 0; i < grid_rows(p->g); i++) {
        if (i && i == p->g->rule)
            fputs("\\midrule\n", out);
        for (int k = 0; k < p->columns; k++) {
            const struct grid_cell *c = strip_cell(p, i, k);

            field(p, k, c->text, c->best, out);
        }
    }
}

static void table(const struct strip *p, const char *caption, FILE *out)
{
    fputs("\\begin{table}[htbp]\n\\centering\\footnotesize\n"
          "\\setlength{\\tabcolsep}{2pt}\n\\caption{", out);
    escaped(caption, out);
    fprintf(out, "%s}\n\\begin{tabular}{", p->from > 1 ? " (continued)" : "");
    for (int k = 0; k < p->columns; k++)
        fputc(strip_column(p, k)->left ? 'l' : 'r', out);
    fputs("}\n\\toprule\n", out);
    if (strip_has_groups(p))
        groups(p, out);
    if (strip_has_titles(p)) {
        titles(p, out);
        fputs("\\midrule\n", out);
    }
    rows(p, out);
    fputs("\\bottomrule\n\\end{tabular}\n\\end{table}\n", out);
}

static void grid(const struct grid *g, const char *caption, FILE *out)
{
    struct strip p;
    int from = 1;

    do {
        p = strip_next(g, from, g->columns, PAGE);
        table(&p, caption, out);
        from = p.to;
    } while (from < g->columns);
}

/* ---- prose ---- */

static int is_item(enum part_kind kind)
{
    return kind == PART_ITEM || kind == PART_BEST;
}

static void prose(const struct part *p, FILE *out)
{
    static const struct { const char *before, *behind; } mark[] = {
        [PART_HEADING] = {"\\paragraph*{", "}\\leavevmode\n"},
        [PART_WARNING] = {"\\textbf{", "}\n\n"},
        [PART_PARAGRAPH] = {"", "\n\n"},
        [PART_ITEM] = {"\\item{} ", "\n"},
        [PART_BEST] = {"\\item{} \\textbf{bold}: ", "\n"},
        [PART_LINE] = {"", "\n\n"}};

    fputs(mark[p->kind].before, out);
    escaped(p->text, out);
    fputs(mark[p->kind].behind, out);
}

/* Writes part i of a sheet.  Titles, and headings before a grid, are not
 * written as text; they become *caption, the caption of the grids that
 * follow. */
static void part(const struct sheet *s, int i, const char **caption, FILE *out)
{
    const struct part *p = &s->part[i];
    int of_grid = i + 1 < s->parts && s->part[i + 1].kind == PART_GRID;

    if (p->kind == PART_TITLE || p->kind == PART_HEADING)
        *caption = p->text;
    if (p->kind == PART_GRID)
        grid(p->grid, *caption, out);
    else if (p->kind == PART_CODE)
        fprintf(out, "%% %s\n", p->text);
    else if (p->kind != PART_GAP && p->kind != PART_TITLE &&
             !(p->kind == PART_HEADING && of_grid))
        prose(p, out);
}

static void write_sheet(const struct sheet *s, FILE *out)
{
    const char *caption = "";
    int list = 0;

    fputs("% Needs \\usepackage{booktabs} and \\usepackage[T1]{fontenc}.\n",
          out);
    for (int i = 0; i < s->parts; i++) {
        enum part_kind kind = s->part[i].kind;

        if (is_item(kind) != list && kind != PART_CODE) {
            fputs(list ? "\\end{itemize}\n" : "\\begin{itemize}\n", out);
            list = !list;
        }
        part(s, i, &caption, out);
    }
    if (list)
        fputs("\\end{itemize}\n", out);
}

const struct format format_tex = {"tex", write_sheet};
