#include "harness/print/fragment.h"

#include "harness/base/str.h"

#include <string.h>

/* ---- marks ---- */

/* Returns the length of a mark in parentheses at the start of `text`, or 0. */
static size_t mark_length(const char *text)
{
    static const char *const marks[] = {"(SYNTHETIC)", "(NOT COMPARED)"};

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (!strncmp(text, marks[i], strlen(marks[i])))
            return strlen(marks[i]);
    return 0;
}

void fragment_marked(struct fragment *f, const char *text)
{
    const char *from = text;

    for (; *text; text++) {
        size_t n = mark_length(text);

        if (!n)
            continue;
        markup_format(f->to, "%.*s", (int)(text - from), from);
        fragment_chip(f, "part", NULL, arena_format(f->memory, "%.*s",
                                                    (int)n - 2, text + 1));
        f->marks = 1;
        from = text + n;
        text = from - 1;
    }
    markup_text(f->to, from);
}

/* ---- forms ---- */

void fragment_section(struct fragment *f, const char *id, const char *title)
{
    markup_open(f->to, "section");
    if (id)
        markup_attribute(f->to, "id", "%s", id);
    markup_open(f->to, "h2");
    fragment_marked(f, title);
    markup_shut(f->to);
    f->heading = title;
}

void fragment_wide(struct fragment *f, const char *label)
{
    markup_open(f->to, "div");
    markup_attribute(f->to, "class", "wide");
    markup_attribute(f->to, "role", "region");
    markup_attribute(f->to, "aria-label", "%s", label);
    markup_attribute(f->to, "tabindex", "0");
}

void fragment_table(struct fragment *f, const char *caption, const char *class)
{
    fragment_wide(f, caption);
    markup_open(f->to, "table");
    if (class)
        markup_attribute(f->to, "class", "%s", class);
    markup_open(f->to, "caption");
    if (f->heading && !strcmp(f->heading, caption))
        markup_attribute(f->to, "class", "only"); /* the heading says it */
    fragment_marked(f, caption);
    markup_shut(f->to);
}

static void heading(struct fragment *f, const char *scope, const char *text,
                    int left)
{
    markup_open(f->to, "th");
    markup_attribute(f->to, "scope", "%s", scope);
    if (left)
        markup_attribute(f->to, "class", "l");
    markup_text(f->to, text);
}

void fragment_head(struct fragment *f, const char *title, int left)
{
    int n = (int)strlen(title);
    int up = str_ends(title, "\u2191"), down = str_ends(title, "\u2193");

    heading(f, "col", "", left);
    fragment_better(f, up || down ? arena_format(f->memory, "%.*s", n - 3,
                                                 title) : title, up - down);
    markup_shut(f->to);
}

/* Writes one text for the eye and one for screen readers. */
static void both(struct fragment *f, const char *seen, const char *heard)
{
    markup_open(f->to, "span");
    markup_attribute(f->to, "aria-hidden", "true");
    markup_text(f->to, seen);
    markup_shut(f->to);
    markup_open(f->to, "span");
    markup_attribute(f->to, "class", "only");
    markup_text(f->to, heard);
    markup_shut(f->to);
}

void fragment_better(struct fragment *f, const char *metric, int better)
{
    markup_text(f->to, metric);
    if (better)
        both(f, better > 0 ? "\u2191" : "\u2193",
             better > 0 ? ", higher is better" : ", lower is better");
}

void fragment_value(struct fragment *f, const char *to, const char *text,
                    int best)
{
    if (!best) {
        markup_link(f->to, to, text);
        return;
    }
    markup_open(f->to, "b");
    markup_link(f->to, to, text);
    both(f, "*", ", best or not significantly different from the best");
    markup_shut(f->to);
}

void fragment_row_head(struct fragment *f, const char *to, const char *text)
{
    markup_open(f->to, "th");
    markup_attribute(f->to, "scope", "row");
    markup_link(f->to, to, text);
    markup_shut(f->to);
}

void fragment_cell(struct fragment *f, const char *to, const char *text,
                   int left)
{
    markup_open(f->to, "td");
    if (left)
        markup_attribute(f->to, "class", left > 1 ? "l t" : "l");
    markup_link(f->to, to, text);
    markup_shut(f->to);
}

void fragment_command(struct fragment *f, const char *text)
{
    markup_open(f->to, "pre");
    markup_element(f->to, "code", text);
    markup_shut(f->to);
}

void fragment_chip(struct fragment *f, const char *kind, const char *icon,
                   const char *text)
{
    markup_open(f->to, "span");
    markup_attribute(f->to, "class", "chip %s", kind);
    if (icon) {
        markup_open(f->to, "span");
        markup_attribute(f->to, "aria-hidden", "true");
        markup_format(f->to, "%s ", icon);
        markup_shut(f->to);
    }
    markup_text(f->to, text);
    markup_shut(f->to);
}

/* ---- grids ---- */

/* Column 0 and the columns `first` to `end` - 1 of a grid. */
struct cut { const struct grid *g; int first, end; const char *caption; };

static void title(struct fragment *f, const struct grid_column *x)
{
    fragment_head(f, *x->unit ? arena_format(f->memory, "%s (%s)", x->title,
                                             x->unit) : x->title, x->left);
}

static const char *way(const struct fragment *f, const struct grid_cell *c)
{
    return c->of && f->way ? f->way(f->page, c->of) : NULL;
}

static void row(struct fragment *f, const struct cut *cut, int i)
{
    const struct grid *g = cut->g;

    markup_open(f->to, "tr");
    fragment_row_head(f, way(f, grid_at(g, i, 0)), grid_at(g, i, 0)->text);
    for (int c = cut->first; c < cut->end; c++) {
        const struct grid_cell *x = grid_at(g, i, c);

        markup_open(f->to, "td");
        if (g->column[c].left && !x->best)
            markup_attribute(f->to, "class", g->column[c].left > 1 ? "l t"
                                                                   : "l");
        fragment_value(f, way(f, x), x->text, x->best);
        markup_shut(f->to);
    }
    markup_shut(f->to);
}

static void put_cut(struct fragment *f, const struct cut *cut)
{
    int head = 0;

    for (int c = 0; c < cut->g->columns; c++)
        head |= *cut->g->column[c].title != 0;
    fragment_table(f, cut->caption, head ? "sort" : NULL);
    if (head) {
        markup_open(f->to, "thead");
        markup_open(f->to, "tr");
        title(f, &cut->g->column[0]);
        for (int c = cut->first; c < cut->end; c++)
            title(f, &cut->g->column[c]);
        markup_shut(f->to);
        markup_shut(f->to);
    }
    markup_open(f->to, "tbody");
    for (int i = 0; i < grid_rows(cut->g); i++) {
        if (i && i == cut->g->rule) {
            markup_shut(f->to);
            markup_open(f->to, "tbody");
        }
        row(f, cut, i);
    }
    markup_shut(f->to);
    markup_shut(f->to); /* the table */
    markup_shut(f->to); /* its box   */
}

/* Writes one table for each group of columns, because a single table with all
 * columns would be wider than any window. */
static void grid(struct fragment *f, const struct grid *g, const char *caption)
{
    if (g->columns == 1)
        put_cut(f, &(struct cut){g, 1, 1, caption});
    for (int first = 1, end; first < g->columns; first = end) {
        const char *group = g->column[first].group;

        for (end = first + 1; end < g->columns; end++)
            if (strcmp(g->column[end].group, group))
                break;
        put_cut(f, &(struct cut){
                       g, first, end,
                       *group ? arena_format(f->memory, "%s: %s", group,
                                             caption) : caption});
    }
}

/* ---- texts ---- */

static void text(struct fragment *f, const struct part *part)
{
    switch (part->kind) {
    case PART_WARNING:
        markup_open(f->to, "p");
        markup_attribute(f->to, "class", "warn");
        markup_attribute(f->to, "role", "note");
        markup_text(f->to, part->text);
        markup_shut(f->to);
        return;
    case PART_ITEM:
        markup_element(f->to, "li", part->text);
        return;
    case PART_BEST:
        markup_open(f->to, "li");
        markup_element(f->to, "b", "*");
        markup_format(f->to, " %s", part->text);
        markup_shut(f->to);
        return;
    case PART_LINE:
    case PART_CODE:
        fragment_command(f, part->text);
        return;
    default:
        markup_element(f->to, "p", part->text);
    }
}

void fragment_parts(struct fragment *f, const struct sheet *s, int first,
                    int n, const char *caption)
{
    int list = 0, section = 0;

    for (int i = first; i < first + n; i++) {
        const struct part *part = &s->part[i];

        if ((part->kind == PART_ITEM || part->kind == PART_BEST) != list) {
            if (list)
                markup_shut(f->to);
            else
                markup_open(f->to, "ul");
            list = !list;
        }
        if (part->kind == PART_HEADING) {
            if (section)
                markup_shut(f->to);
            section = 1;
            fragment_section(f, NULL, caption = part->text);
        } else if (part->kind == PART_GRID) {
            grid(f, part->grid, caption);
        } else if (part->kind != PART_GAP && part->kind != PART_TITLE) {
            text(f, part);
        }
    }
    for (; list + section > 0; list ? list-- : section--)
        markup_shut(f->to);
}
