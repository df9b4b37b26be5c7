/* A sheet as HTML: its parts one by one, its grids as tables whose numbers lead
 * to their cells. */
#include "harness/site/page.h"

#include <string.h>

/* ---- grids ---- */

/* Its columns first .. end - 1, and in front of them the first of all. */
struct cut { const struct grid *g; int first, end; const char *caption; };

static int has_head(const struct grid *g)
{
    for (int c = 0; c < g->columns; c++)
        if (*g->column[c].title)
            return 1;
    return 0;
}

static void title(struct page *p, const struct grid_column *x)
{
    page_head(p, *x->unit ? arena_format(p->site->memory, "%s (%s)", x->title,
                                         x->unit) : x->title, x->left);
}

static void titles(struct page *p, const struct cut *cut)
{
    markup_open(p->to, "thead");
    markup_open(p->to, "tr");
    title(p, &cut->g->column[0]);
    for (int c = cut->first; c < cut->end; c++)
        title(p, &cut->g->column[c]);
    markup_shut(p->to);
    markup_shut(p->to);
}

/* Where what it is of is told. */
static const char *way(const struct page *p, const struct grid_cell *c)
{
    const char *slash = c->of ? strrchr(c->of, '/') : NULL;

    if (!c->of)
        return NULL;
    return page_numbers(p, slash ? arena_format(p->site->memory, "%.*s",
                                                (int)(slash - c->of), c->of)
                                 : c->of, slash ? slash + 1 : NULL);
}

static void best(struct page *p, const struct grid_cell *c)
{
    markup_open(p->to, "td");
    markup_open(p->to, "b");
    markup_link(p->to, way(p, c), c->text);
    markup_open(p->to, "span");
    markup_attribute(p->to, "aria-hidden", "true");
    markup_text(p->to, "*");
    markup_shut(p->to);
    markup_shut(p->to);
    markup_open(p->to, "span");
    markup_attribute(p->to, "class", "only");
    markup_text(p->to, ", best or not told from it");
    markup_shut(p->to);
    markup_shut(p->to);
}

static void row(struct page *p, const struct cut *cut, int i)
{
    const struct grid *g = cut->g;

    markup_open(p->to, "tr");
    page_row_head(p, way(p, grid_at(g, i, 0)), grid_at(g, i, 0)->text);
    for (int c = cut->first; c < cut->end; c++) {
        const struct grid_cell *x = grid_at(g, i, c);

        if (x->best)
            best(p, x);
        else
            page_cell(p, way(p, x), x->text, g->column[c].left);
    }
    markup_shut(p->to);
}

static void put_cut(struct page *p, const struct cut *cut)
{
    int head = has_head(cut->g);

    page_table(p, cut->caption, head);
    if (head)
        titles(p, cut);
    markup_open(p->to, "tbody");
    for (int i = 0; i < grid_rows(cut->g); i++) {
        if (i && i == cut->g->rule) {
            markup_shut(p->to);
            markup_open(p->to, "tbody");
        }
        row(p, cut, i);
    }
    markup_shut(p->to);
    page_table_shut(p);
}

/* A table for each group of columns: one of all would be wider than any
 * window. */
static void grid(struct page *p, const struct grid *g, const char *caption)
{
    if (g->columns == 1)
        put_cut(p, &(struct cut){g, 1, 1, caption});
    for (int first = 1, end; first < g->columns; first = end) {
        const char *group = g->column[first].group;

        for (end = first + 1; end < g->columns; end++)
            if (strcmp(g->column[end].group, group))
                break;
        put_cut(p, &(struct cut){
                       g, first, end,
                       *group ? arena_format(p->site->memory, "%s: %s", group,
                                             caption) : caption});
    }
}

/* ---- texts ---- */

static int is_item(enum part_kind kind)
{
    return kind == PART_ITEM || kind == PART_BEST;
}

static void text(struct page *p, const struct part *part)
{
    switch (part->kind) {
    case PART_WARNING:
        markup_open(p->to, "p");
        markup_attribute(p->to, "class", "warn");
        markup_attribute(p->to, "role", "note");
        markup_text(p->to, part->text);
        markup_shut(p->to);
        return;
    case PART_ITEM:
        markup_element(p->to, "li", part->text);
        return;
    case PART_BEST:
        markup_open(p->to, "li");
        markup_element(p->to, "b", "*");
        markup_format(p->to, " %s", part->text);
        markup_shut(p->to);
        return;
    case PART_LINE:
    case PART_CODE:
        page_command(p, "%s", part->text);
        return;
    default:
        markup_element(p->to, "p", part->text);
    }
}

void page_parts(struct page *p, const struct sheet *s, int first, int n,
                const char *caption)
{
    int list = 0, section = 0;

    for (int i = first; i < first + n; i++) {
        const struct part *part = &s->part[i];

        if (is_item(part->kind) != list) {
            if (list)
                markup_shut(p->to);
            else
                markup_open(p->to, "ul");
            list = !list;
        }
        if (part->kind == PART_HEADING) {
            if (section)
                markup_shut(p->to);
            section = 1;
            page_section(p, NULL, caption = part->text);
        } else if (part->kind == PART_GRID) {
            grid(p, part->grid, caption);
        } else if (part->kind != PART_GAP && part->kind != PART_TITLE) {
            text(p, part);
        }
    }
    for (; list + section > 0; list ? list-- : section--)
        markup_shut(p->to);
}
