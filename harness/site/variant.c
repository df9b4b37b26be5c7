/* Writes one page per row (a variant, with its varied settings if any).  A page
 * has a table for each task: the seeds, their mean, its interval and its
 * rank. */
#include "harness/site/page.h"

#include "harness/base/err.h"
#include "harness/base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void number(char out[32], const struct table_column *c, double x)
{
    if (isnan(x))
        snprintf(out, 32, "-");
    else if (c->better)
        snprintf(out, 32, "%.*f", c->decimals, x);
    else
        grid_count(x, NULL, out);
}

static void put_head(struct page *p, const struct result_table *m)
{
    markup_open(p->to, "thead");
    markup_open(p->to, "tr");
    page_head(p, "Seed", 1);
    for (int c = 0; c < m->columns; c++) {
        const struct table_column *x = m->column[c];

        page_head(p, arena_format(p->site->memory, "%s%s", x->title,
                                  x->better > 0   ? "\u2191"
                                  : x->better < 0 ? "\u2193" : ""), 0);
    }
    markup_shut(p->to);
    markup_shut(p->to);
}

static void put_seed(struct page *p, const struct result_table *m, int i)
{
    const struct site *s = p->site;
    const struct report_cell *c = &s->report->cell[i];
    const char *to = page_of(p, "cell", c->id);
    char text[32];

    markup_open(p->to, "tr");
    snprintf(text, sizeof text, "%lld", c->seed);
    page_row_head(p, to, text);
    for (int k = 0; k < m->columns; k++) {
        const struct table_column *x = m->column[k];
        int done = c->state == CELL_DONE;

        number(text, x, done ? site_value(&s->cell[i], x->metric) : NAN);
        page_cell(p, done && *text != '-' ? to : NULL,
                  done || k ? text : cell_state_text[c->state], 0);
    }
    markup_shut(p->to);
}

enum line { MEAN, BETWEEN, RANK, PUBLISHED, LINES };

static void line_text(char out[64], const struct result_table *m, int column,
                      const struct result_cell *x, enum line line)
{
    const struct table_column *c = m->column[column];

    snprintf(out, 64, "%s", "");
    if (line == MEAN)
        number(out, c, x->value);
    else if (line == BETWEEN)
        result_interval(out, x, c->decimals);
    else if (line == RANK && !isnan(x->rank))
        snprintf(out, 64, "%g", x->rank);
    else if (line == PUBLISHED && c->better && !isnan(x->published))
        snprintf(out, 64, "%.2f", x->published);
}

/* Writes, below the seeds, their summary from the task's table. */
static void put_together(struct page *p, const struct result_table *m,
                         const struct result_row *row)
{
    static const char *const what[LINES] = {"Mean", "95 % interval",
                                            "Rank", "Paper, full scale"};
    char text[64];

    markup_open(p->to, "tfoot");
    for (int i = 0; i < LINES; i++) {
        int any = 0;

        for (int c = 0; c < m->columns; c++) {
            line_text(text, m, c, &row->cell[c], (enum line)i);
            any |= *text && *text != '-';
        }
        if (!any)
            continue;
        markup_open(p->to, "tr");
        page_row_head(p, NULL, what[i]);
        for (int c = 0; c < m->columns; c++) {
            line_text(text, m, c, &row->cell[c], (enum line)i);
            page_cell(p, NULL, text, 0);
        }
        markup_shut(p->to);
    }
    markup_shut(p->to);
}

static void put_task(struct page *p, const char *variant,
                     const struct site_table *t)
{
    const struct report *r = p->site->report;
    const struct table_task *task = &t->of->task[0];
    const struct result_row *row = site_measured_row(t->measured,
                                                        variant);

    if (!row)
        return;
    page_section(p, page_name(p->site, task->task),
                 t->measured->task[0].label);
    page_table(p, arena_format(p->site->memory, "%s on %s, seed by seed",
                               variant, task->title), 1);
    put_head(p, t->measured);
    markup_open(p->to, "tbody");
    for (int i = 0; i < r->n; i++)
        if (!strcmp(r->cell[i].variant, variant) &&
            !strcmp(r->cell[i].task, task->task))
            put_seed(p, t->measured, i);
    markup_shut(p->to);
    put_together(p, t->measured, row);
    page_table_shut(p);
    OWNED(free) char *says = text_quoted(row->signature);
    OWNED(free) char *store = text_quoted(r->store);
    markup_open(p->to, "p");
    markup_text(p->to, "With the other variants: ");
    markup_link(p->to, page_of(p, "task", task->task), task->title);
    markup_shut(p->to);
    page_command(p, "synthbench verify signature %s --store %s", says, store);
    markup_shut(p->to);
}

static int put(struct site *s, const char *variant)
{
    OWNED(page_close) struct page p = {0};

    page_open(&p, s, arena_format(s->memory, "variant/%s.html",
                                  page_name(s, variant)), variant);
    for (int i = 0; i < s->tasks; i++)
        put_task(&p, variant, &s->task[i]);
    return page_shut(&p);
}

static int write_pages(struct site *s)
{
    for (int i = 0; i < s->rows; i++)
        PASS(put(s, s->row[i]));
    return OK;
}

const struct pages pages_variant = {"variant", write_pages};
