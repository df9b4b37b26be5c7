/* One page per row (a variant, with its varied settings if any): its formula,
 * its place among the variants, and for each task its losses during training
 * and a table of its seeds, their mean and its statistics. */
#include "harness/site/page.h"

#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/print/formula.h"
#include "variants/variants.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- definition ---- */

static void put_formula(struct page *p, const char *name, const char *text)
{
    page_row(p, NULL, name);
    page_open_cell(p, "l");
    formula_write(p->to, text);
}

/* Writes the formula of a variant and the settings that only it has. */
static void put_definition(struct page *p, const struct variant *v)
{
    struct arena *a = p->site->memory;

    page_table(p, v->title, NULL);
    if (v->formula)
        put_formula(p, "Formula of a head", v->formula);
    if (v->formula && *v->formula == 'B')
        put_formula(p, "Output of a head", "Y_h = softmax(B_h) V_h");
    page_fact(p, "Source", NULL, v->cite);
    put_formula(p, "Learned parameters of a layer", v->learns);
    page_fact(p, "A row of scores depends on", NULL, depends_text[v->depends]);
    for (const struct key *k = v->knobs; k && k->name; k++)
        page_fact(p, arena_format(a, "Setting %s", k->name), NULL,
                  arena_format(a, "%s; default: %s", k->help, k->initial));
}

/* Writes the definition of a variant, or of each part of a mixture. */
static void put_definitions(struct page *p, const char *row)
{
    OWNED(free) char *name = str_format("%.*s", (int)strcspn(row, ","), row);
    struct mix mix;

    if (mix_read(&mix, name) < 0)
        return;
    page_section(p, "definition", "Definition");
    if (mix.n > 1)
        page_paragraph(p, "A mixture of the parts below; the setting mix says "
                       "whether it combines their logits, their weights or "
                       "their heads.");
    for (int i = 0; i < mix.n; i++)
        put_definition(p, mix.part[i]);
}

/* ---- results ---- */

static void put_seed(struct page *p, const struct result_table *m, int i)
{
    const struct site *s = p->site;
    const struct report_cell *c = &s->report->cell[i];
    const char *to = page_of(p, "cell", c->id);
    int done = c->state == CELL_DONE;
    char text[32];

    page_row(p, to, arena_format(s->memory, "%lld", c->seed));
    for (int k = 0; k < m->columns; k++) {
        const struct table_column *x = m->column[k];

        result_value(text, x, done ? site_value(&s->cell[i], x->metric) : NAN);
        page_cell(p, done && *text != '-' ? to : NULL,
                  done || k ? text : cell_state_text[c->state], 0);
    }
}

enum line { MEAN, BETWEEN, RANK, PUBLISHED, LINES };

static void line_text(char out[64], const struct result_table *m, int column,
                      const struct result_cell *x, enum line line)
{
    const struct table_column *c = m->column[column];

    snprintf(out, 64, "%s", "");
    if (line == MEAN)
        result_value(out, c, x->value);
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

    page_group(p, "tfoot");
    for (int i = 0; i < LINES; i++) {
        int any = 0;

        for (int c = 0; c < m->columns; c++) {
            line_text(text, m, c, &row->cell[c], (enum line)i);
            any |= *text && *text != '-';
        }
        if (!any)
            continue;
        page_row(p, NULL, what[i]);
        for (int c = 0; c < m->columns; c++) {
            line_text(text, m, c, &row->cell[c], (enum line)i);
            page_cell(p, NULL, text, 0);
        }
    }
}

static void put_tables(struct page *p, const char *variant, const char *task)
{
    const struct site *s = p->site;
    int n = 0;

    page_open_cell(p, "l");
    for (int i = 0; i < s->tables; i++) {
        const struct site_table *t = &s->table[i];
        const struct result_row *row = result_row_of(t->measured, variant);

        for (int c = 0; row && c < t->measured->columns; c++)
            if (!strcmp(t->measured->column[c]->task, task) &&
                row->cell[c].n) {
                markup_text(p->to, n++ ? ", " : "");
                markup_link(p->to, page_of(p, "table", t->of->name),
                            t->of->name);
                break;
            }
    }
}

/* Returns the rank, "2 of 11", or why there is none. */
static const char *rank_text(struct page *p, const struct result_table *m,
                             double rank, int c)
{
    int n = 0;

    for (int i = 0; i < m->rows; i++)
        n += !isnan(m->row[i].cell[c].rank);
    return isnan(rank) ? withheld_text[m->withheld[c]]
                       : arena_format(p->site->memory, "%g of %d", rank, n);
}

/* Writes the most important metric of a task. */
static void put_standing(struct page *p, const char *variant,
                         const struct site_table *t)
{
    const struct table_task *task = &t->of->task[0];
    const struct result_row *row = result_row_of(t->measured, variant);
    int c = findings_column(p->site, t);
    char text[64];

    if (!row || c < 0)
        return;
    const struct result_cell *x = &row->cell[c];
    const struct table_column *column = t->measured->column[c];
    page_row(p, page_of(p, "task", task->task), task->title);
    page_open_cell(p, NULL);
    fragment_better(&p->in, column->title, column->better);
    result_value(text, column, x->value);
    page_open_cell(p, NULL);
    fragment_value(&p->in, isnan(x->value) ? NULL :
                   page_numbers(p, variant, task->task), text, x->best);
    page_cell(p, NULL, result_interval(text, x, column->decimals), 0);
    page_cell(p, NULL, rank_text(p, t->measured, x->rank, c), 0);
    snprintf(text, sizeof text, isnan(x->published) ? "-" : "%.2f",
             x->published);
    page_cell(p, NULL, text, 0);
    put_tables(p, variant, task->task);
}

/* ---- tasks ---- */

static void put_rows(struct page *p, const char *variant,
                     const struct site_table *t,
                     const struct result_row *row)
{
    const struct report *r = p->site->report;
    const struct table_task *task = &t->of->task[0];
    struct arena *a = p->site->memory;

    page_table(p, arena_format(a, "%s on %s, seed by seed", variant,
                               task->title), "sort");
    page_head(p, "Seed", 1);
    for (int c = 0; c < t->measured->columns; c++)
        page_head(p, result_heading(t->measured->column[c], a), 0);
    for (int i = 0; i < r->n; i++)
        if (!strcmp(r->cell[i].variant, variant) &&
            !strcmp(r->cell[i].task, task->task))
            put_seed(p, t->measured, i);
    put_together(p, t->measured, row);
}

static int put_task(struct page *p, const char *variant,
                     const struct site_table *t)
{
    const struct table_task *task = &t->of->task[0];
    const struct result_row *row = result_row_of(t->measured, variant);

    if (!row)
        return OK;
    page_section(p, page_name(p->site, task->task),
                 t->measured->task[0].label);
    put_rows(p, variant, t, row);
    PASS(page_curve(p, variant, task->task, NULL,
                    arena_format(p->site->memory, "Loss during training: %s on "
                                 "%s", variant, task->title)));
    OWNED(free) char *signature = text_quoted(row->signature);
    OWNED(free) char *store = text_quoted(p->site->report->store);
    page_paragraph(p, "With the other variants: ");
    markup_link(p->to, page_of(p, "task", task->task), task->title);
    page_command(p, "synthbench verify signature %s --store %s", signature,
                 store);
    return OK;
}

int pages_variant(struct site *s)
{
    for (int i = 0; i < s->rows; i++) {
        OWNED(page_close) struct page p = {0};

        page_open(&p, s, "variant", s->row[i], s->row[i]);
        put_definitions(&p, s->row[i]);
        page_section(&p, "ranks", "Place among the variants");
        page_table(&p, "The most important metric of each task", "sort");
        page_heads(&p, "<>>>>><", NAMES("Task", "Metric", "Value",
                                        "95 % interval", "Rank", "Paper",
                                        "Tables"));
        for (int t = 0; t < s->tasks; t++)
            put_standing(&p, s->row[i], &s->task[t]);
        for (int t = 0; t < s->tasks; t++)
            PASS(put_task(&p, s->row[i], &s->task[t]));
        PASS(page_shut(&p));
    }
    return OK;
}
