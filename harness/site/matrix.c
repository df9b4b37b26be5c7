/* The two grids of the first page: every variant on every task, coloured by
 * value, and links to every figure of every task. */
#include "harness/site/findings.h"

#include "plots/figure.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 5 }; /* colours m0 .. m4 of the style sheet */

/* The measured column of a task; NULL: the task has no value. */
struct shown {
    const struct result_table *m;
    int                        column;
    double                     worst, best;
};

/* Returns 1 if colours may compare the values of a column. */
static int is_coloured(enum withheld why)
{
    return why != WITHHELD_UNCOMPARED && why != WITHHELD_DATA &&
           why != WITHHELD_UNINFORMATIVE;
}

static struct shown shown_of(const struct site *s, const struct site_table *t)
{
    struct shown out = {.column = findings_column(s, t), .worst = NAN,
                        .best = NAN};

    if (out.column < 0)
        return out;
    out.m = t->measured;
    if (!is_coloured(out.m->withheld[out.column]))
        return out;
    for (int i = 0; i < out.m->rows; i++) {
        double x = out.m->row[i].cell[out.column].value;
        int better = out.m->column[out.column]->better;

        if (out.m->row[i].reference || isnan(x))
            continue;
        out.worst = better > 0 ? fmin(out.worst, x) : fmax(out.worst, x);
        out.best = better > 0 ? fmax(out.best, x) : fmin(out.best, x);
    }
    return out;
}

/* Returns the colour of a value, or -1 for grey. */
static int level_of(const struct shown *t, double x)
{
    double part = (x - t->worst) / (t->best - t->worst);

    return part >= 0 && part <= 1 ? (int)fmin(part * LEVELS, LEVELS - 1) : -1;
}

static void put_head(struct page *p, const struct site_table *t,
                     const struct shown *x)
{
    markup_open(p->to, "th");
    markup_attribute(p->to, "scope", "col");
    markup_open(p->to, "b");
    markup_link(p->to, page_of(p, "task", t->of->task[0].task),
                t->of->task[0].title);
    markup_shut(p->to);
    if (x->m) {
        const struct table_column *c = x->m->column[x->column];
        enum withheld why = x->m->withheld[x->column];

        markup_open(p->to, "br");
        markup_shut(p->to);
        fragment_better(&p->in, c->title, c->better);
        markup_text(p->to, " ");
        if (why)
            page_chip(p, "part", NULL, withheld_text[why]);
    }
    markup_shut(p->to);
}

static const char *state_of(const struct site *s, const char *variant,
                            const char *task)
{
    for (int i = 0; i < s->report->n; i++)
        if (!strcmp(s->report->cell[i].variant, variant) &&
            !strcmp(s->report->cell[i].task, task))
            return cell_state_text[s->report->cell[i].state];
    return "";
}

static void put_value(struct page *p, const struct shown *t,
                      const char *variant, const char *task)
{
    const struct result_row *row = site_measured_row(t->m, variant);
    const struct result_cell *x = row ? &row->cell[t->column] : NULL;
    int known = x && !isnan(x->value);
    int level = known ? level_of(t, x->value) : -1;

    markup_open(p->to, "td");
    if (level >= 0)
        markup_attribute(p->to, "class", "m%d", level);
    if (!known) {
        markup_text(p->to, state_of(p->site, variant, task));
    } else {
        const char *text = arena_format(
            p->site->memory, "%.*f", t->m->column[t->column]->decimals,
            x->value);

        fragment_value(&p->in, page_numbers(p, variant, task), text, x->best);
    }
    markup_shut(p->to);
}

static void put_legend(struct page *p)
{
    static const char *const name[LEVELS] = {"worst", "", "", "", "best"};

    page_table(p, "Legend", 0);
    markup_open(p->to, "tbody");
    markup_open(p->to, "tr");
    page_row_head(p, NULL, "Value in its column");
    for (int i = 0; i < LEVELS; i++) {
        markup_open(p->to, "td");
        markup_attribute(p->to, "class", "m%d", i);
        markup_text(p->to, name[i]);
        markup_shut(p->to);
    }
    markup_shut(p->to);
    markup_shut(p->to);
    page_table_shut(p);
    markup_element(p->to, "p", "Values are means over seeds; each links to its "
                   "cells. Colours only show how good a value is in its "
                   "column, not whether differences are significant. "
                   "Bold with *: best, or not significantly different from the "
                   "best. Grey: all equal, or not comparable for the reason "
                   "in the heading.");
}

static void put_rows(struct page *p, const struct shown *column)
{
    const struct site *s = p->site;

    markup_open(p->to, "tbody");
    for (int k = 0; k < s->rows; k++) {
        markup_open(p->to, "tr");
        page_row_head(p, page_of(p, "variant", s->row[k]), s->row[k]);
        for (int i = 0; i < s->tasks; i++)
            put_value(p, &column[i], s->row[k], s->task[i].of->task[0].task);
        markup_shut(p->to);
    }
    markup_shut(p->to);
}

void page_matrix(struct page *p)
{
    const struct site *s = p->site;
    struct shown *column = arena_zero(s->memory, ((size_t)s->tasks + 1) *
                                                     sizeof *column);

    page_section(p, "variants", "Every variant on every task");
    fragment_table_of(&p->in, "Every variant on every task", "matrix");
    markup_open(p->to, "thead");
    markup_open(p->to, "tr");
    page_head(p, "Variant", 1);
    for (int i = 0; i < s->tasks; i++) {
        column[i] = shown_of(s, &s->task[i]);
        put_head(p, &s->task[i], &column[i]);
    }
    markup_shut(p->to);
    markup_shut(p->to);
    put_rows(p, column);
    page_table_shut(p);
    put_legend(p);
    markup_shut(p->to);
}

/* ---- figures ---- */

static int is_drawn(const struct site *s, const char *kind)
{
    for (int i = 0; i < s->tasks; i++)
        if (site_picture(s, kind, s->task[i].of->task[0].task))
            return 1;
    return 0;
}

static void put_view(struct page *p, const struct site_picture *x)
{
    markup_open(p->to, "td");
    if (x) {
        markup_open(p->to, "a");
        markup_attribute(p->to, "href", "%s", page_of(p, "figure", x->name));
        markup_text(p->to, "view");
        markup_open(p->to, "span");
        markup_attribute(p->to, "class", "only");
        markup_format(p->to, " %s", x->title);
        markup_shut(p->to);
        markup_shut(p->to);
    }
    markup_shut(p->to);
}

void page_gallery(struct page *p)
{
    const struct site *s = p->site;

    page_table(p, "Figures by task", 0);
    markup_open(p->to, "thead");
    markup_open(p->to, "tr");
    page_head(p, "Task", 1);
    for (int k = 0; figure_all[k]; k++)
        if (is_drawn(s, figure_all[k]->name))
            page_head(p, figure_all[k]->name, 0);
    markup_shut(p->to);
    markup_shut(p->to);
    markup_open(p->to, "tbody");
    for (int i = 0; i < s->tasks; i++) {
        const struct table_task *t = &s->task[i].of->task[0];

        markup_open(p->to, "tr");
        page_row_head(p, page_of(p, "task", t->task), t->title);
        for (int k = 0; figure_all[k]; k++)
            if (is_drawn(s, figure_all[k]->name))
                put_view(p, site_picture(s, figure_all[k]->name, t->task));
        markup_shut(p->to);
    }
    markup_shut(p->to);
    page_table_shut(p);
}
