/*
 * md: writes a sheet as Markdown for GitHub: grids are pipe tables, and the
 * best values are bold.
 *
 * Text is shown literally and never interpreted as Markdown or HTML.  Special
 * characters are escaped by a backslash.  GitHub, GitLab and others search the
 * rendered text, where no backslash is left, for mentions, issues and bare
 * URLs.  To prevent links, a zero-width space (&#8203;) is inserted into
 * "@name", "#123", "GH-123", "https://" and "www.".  A parenthesis is special
 * only after ], and ! only before [.
 */
#include "harness/print/sheet.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define APART "&#8203;"

/* Returns the length in bytes of an interval, such as "[-0.5, 1e-3]", at the
 * start of s, or 0 if there is none.  An interval need not be escaped, because
 * brackets are a link only if one of "([:" follows. */
static size_t interval_length(const char *s)
{
    size_t n = *s == '[' ? 1 + strspn(s + 1, "0123456789+-.,e ") : 0;

    return n > 2 && s[n] == ']' && (!s[n + 1] || !strchr("([:", s[n + 1]))
               ? n + 1 : 0;
}

static int is_mark(const char *s, const char *at)
{
    int next = (unsigned char)at[1];

    return strchr("\\`*_[]<>|#~@$", *at) || (*at == '!' && next == '[') ||
           (*at == '&' && (next == '#' || isalnum(next))) ||
           (*at == '(' && at > s && at[-1] == ']');
}

/* Checks whether s would begin a list or a heading, as "- ", "+ ", "---", "=",
 * "1. " and "1) " do.  Returns the position of the character to escape, or
 * NULL. */
static const char *block_mark(const char *s)
{
    const char *at = s + strspn(s, "0123456789");

    if (*s == '=' || ((*s == '-' || *s == '+') && strchr(" -", s[1])))
        return s; /* also if s[1] is the NUL, which strchr finds */
    return at > s && *at && strchr(".)", *at) ? at : NULL;
}

/* If the text at `at` would become a link, returns the number of bytes after
 * which a zero-width space prevents this; otherwise 0. */
static size_t before_gap(const char *s, const char *at)
{
    int word = at > s && isalnum((unsigned char)at[-1]);

    if (*at == '@' || (*at == '#' && isdigit((unsigned char)at[1])))
        return 1;
    if (*at == ':' && at[1] == '/' && at[2] == '/')
        return 1;
    if (!word && !strncasecmp(at, "www.", 4))
        return 3;
    return !word && !strncasecmp(at, "gh-", 3) ? 3 : 0;
}

static void put_line(const char *s, const char *mark, FILE *out)
{
    const char *gap = NULL, *plain = s; /* before `plain`, nothing is escaped */

    for (const char *at = s; *at; at++) {
        size_t n = before_gap(s, at), interval = interval_length(at);

        plain = interval ? at + interval : plain;
        if (at >= plain && (is_mark(s, at) || at == mark))
            fputc('\\', out);
        fputc(*at, out);
        gap = n ? at + n : gap;
        if (at + 1 == gap)
            fputs(APART, out);
    }
}

static void escaped(const char *s, FILE *out) { put_line(s, NULL, out); }

static void title(const struct grid_column *h, FILE *out)
{
    escaped(h->group, out);
    fputs(*h->group && *h->title ? " " : "", out);
    escaped(h->title, out);
    if (*h->unit) {
        fputs(" (", out);
        escaped(h->unit, out);
        fputc(')', out);
    }
}

static void grid(const struct grid *g, FILE *out)
{
    for (int i = -1; i < grid_rows(g); i++) {
        for (int c = 0; c < g->columns; c++) {
            fputs(c ? " | " : "| ", out);
            if (i < 0) {
                title(&g->column[c], out);
                continue;
            }
            const struct grid_cell *x = grid_at(g, i, c);
            fputs(x->best ? "**" : "", out);
            escaped(x->text, out);
            fputs(x->best ? "**" : "", out);
        }
        fputs(" |\n", out);
        for (int c = 0; i < 0 && c < g->columns; c++)
            fputs(g->column[c].left ? "|:---" : "|---:", out);
        fputs(i < 0 ? "|\n" : "", out);
    }
}

/* Returns 2 for code, 1 for an item of a list, or 0 for any other part. */
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
    /* Leading blanks could make the text a code block. */
    const char *s = p->text + strspn(p->text, " ");
    put_line(s, block_mark(s), out);
    fprintf(out, "%s\n", mark[p->kind].behind);
}

/* If `p` is code, writes a code fence that is longer than any run of backticks
 * in the sheet. */
static void fence(const struct sheet *s, const struct part *p, FILE *out)
{
    size_t n = 3;

    if (!p || p->kind != PART_CODE)
        return;
    for (int i = 0; i < s->parts; i++)
        for (const char *at = s->part[i].text; *at; at++) {
            size_t row = strspn(at, "`");

            n = row >= n ? row + 1 : n;
        }
    for (; n; n--)
        fputc('`', out);
    fputc('\n', out);
}

/* Writes the parts.  A blank line separates them, except items of one list and
 * lines of one code block. */
static void write_sheet(const struct sheet *s, FILE *out)
{
    const struct part *last = NULL;

    for (int i = 0; i < s->parts; i++) {
        const struct part *p = &s->part[i];
        int goes_on = last && list_of(last) && list_of(last) == list_of(p);

        if (p->kind == PART_GAP)
            continue;
        fence(s, goes_on ? NULL : last, out);
        if (last && !goes_on)
            fputc('\n', out);
        fence(s, goes_on ? NULL : p, out);
        part(p, out);
        last = p;
    }
    fence(s, last, out);
}

const struct format format_md = {"md", write_sheet};
