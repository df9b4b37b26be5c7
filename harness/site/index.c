/* The first page: status, every variant on every task, the findings of each
 * task with their pictures, and links to all other pages. */
#include "harness/site/page.h"

#include "harness/base/err.h"
#include "harness/claims/claims.h"
#include "harness/tasks/task.h"
#include "plots/figure.h"

#include <math.h>
#include <string.h>

/* ---- every variant on every task, coloured by value ---- */

enum { LEVELS = 5 };
static const char *const level_class[LEVELS] = {"m0", "m1", "m2", "m3", "m4"};

/* The measured column of a task; NULL: the task has no value. */
struct shown {
    const struct result_table *m;
    int                        column;
    double                     worst, best;
};

static struct shown shown_of(const struct site *s, const struct site_table *t)
{
    struct shown out = {.column = findings_column(s, t), .worst = NAN,
                        .best = NAN};

    if (out.column < 0)
        return out;
    out.m = t->measured;
    enum withheld why = out.m->withheld[out.column];
    if (why == WITHHELD_UNCOMPARED || why == WITHHELD_DATA ||
        why == WITHHELD_UNINFORMATIVE)
        return out; /* colours must not compare the values */
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

static void put_task_head(struct page *p, const struct site_table *t,
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
            fragment_chip(&p->in, "part", NULL, withheld_text[why]);
    }
    markup_shut(p->to);
}

/* Writes a value, or the state of the cells if there is none. */
static void put_value(struct page *p, const struct shown *t,
                      const char *variant, const char *task)
{
    const struct report *r = p->site->report;
    const struct result_row *row = result_row_of(t->m, variant);
    const struct result_cell *x = row ? &row->cell[t->column] : NULL;
    int known = x && !isnan(x->value);
    double part = known ? (x->value - t->worst) / (t->best - t->worst) : NAN;

    page_open_cell(p, part >= 0 && part <= 1
                          ? level_class[(int)fmin(part * LEVELS, LEVELS - 1)]
                          : NULL);
    if (known)
        fragment_value(&p->in, page_numbers(p, variant, task),
                       arena_format(p->site->memory, "%.*f",
                                    t->m->column[t->column]->decimals,
                                    x->value), x->best);
    for (int i = 0; !known && i < r->n; i++)
        if (!strcmp(r->cell[i].variant, variant) &&
            !strcmp(r->cell[i].task, task)) {
            markup_text(p->to, cell_state_text[r->cell[i].state]);
            break;
        }
}

/* Returns 1 if a value of the matrix is bold. */
static int has_best(const struct shown *column, const struct site *s)
{
    int n = 0;

    for (int i = 0; i < s->tasks; i++)
        if (column[i].m)
            n += result_count(column[i].m, column[i].column, result_starred);
    return n > 0;
}

static void put_legend(struct page *p, int best)
{
    static const char *const name[LEVELS] = {"worst", "", "", "", "best"};

    page_table(p, "Legend", NULL);
    page_row(p, NULL, "Value in its column");
    for (int i = 0; i < LEVELS; i++) {
        page_open_cell(p, level_class[i]);
        markup_text(p->to, name[i]);
    }
    page_paragraph(p, "Values are means over seeds; each links to its "
                   "cells. Colours only show how good a value is in its "
                   "column, not whether differences are significant. %s "
                   "Grey: all equal, or not comparable for the reason "
                   "in the heading.",
                   best ? "Bold with *: best, or not significantly different "
                          "from the best. A column without bold values is not "
                          "ranked, for the reason in its heading."
                        : "No value is bold, because no column is ranked, for "
                          "the reason in its heading.");
}

static void put_matrix(struct page *p)
{
    const struct site *s = p->site;
    struct shown *column = arena_zero(s->memory, ((size_t)s->tasks + 1) *
                                                     sizeof *column);

    page_section(p, "variants", "Every variant on every task");
    page_table(p, "Every variant on every task", "matrix");
    page_head(p, "Variant", 1);
    for (int i = 0; i < s->tasks; i++) {
        column[i] = shown_of(s, &s->task[i]);
        put_task_head(p, &s->task[i], &column[i]);
    }
    for (int k = 0; k < s->rows; k++) {
        page_row(p, page_of(p, "variant", s->row[k]), s->row[k]);
        for (int i = 0; i < s->tasks; i++)
            put_value(p, &column[i], s->row[k], s->task[i].of->task[0].task);
    }
    put_legend(p, has_best(column, s));
}

/* ---- links to every figure of every task ---- */

static int is_drawn(const struct site *s, const char *kind)
{
    for (int i = 0; i < s->tasks; i++)
        if (site_picture(s, kind, s->task[i].of->task[0].task))
            return 1;
    return 0;
}

static void put_view(struct page *p, const struct site_picture *x)
{
    page_open_cell(p, NULL);
    if (!x)
        return;
    markup_open(p->to, "a");
    markup_attribute(p->to, "href", "%s", page_of(p, "figure", x->name));
    markup_text(p->to, "view");
    markup_open(p->to, "span");
    markup_attribute(p->to, "class", "only");
    markup_format(p->to, " %s", x->title);
    markup_shut(p->to);
    markup_shut(p->to);
}

static void put_gallery(struct page *p)
{
    const struct site *s = p->site;

    page_table(p, "Figures by task", NULL);
    page_head(p, "Task", 1);
    for (int k = 0; figure_all[k]; k++)
        if (is_drawn(s, figure_all[k]->name))
            page_head(p, figure_all[k]->name, 0);
    for (int i = 0; i < s->tasks; i++) {
        const struct table_task *t = &s->task[i].of->task[0];

        page_row(p, page_of(p, "task", t->task), t->title);
        for (int k = 0; figure_all[k]; k++)
            if (is_drawn(s, figure_all[k]->name))
                put_view(p, site_picture(s, figure_all[k]->name, t->task));
    }
}

/* ---- the other sections ---- */

static int has_synthetic(const void *report, const struct task *t)
{
    const struct report *r = report;

    for (int i = 0; i < r->n; i++)
        if (r->cell[i].synthetic && !strcmp(r->cell[i].task, t->name))
            return 1;
    return 0;
}

static void put_chip(struct page *p, const char *kind, const char *icon,
                     const char *text)
{
    page_line(p, "chips");
    fragment_chip(&p->in, kind, icon, text);
}

/* Writes the number of cells in each state, and of those that are synthetic. */
static void put_state(struct page *p)
{
    const struct report *r = p->site->report;
    struct arena *a = p->site->memory;
    int n[CELL_STATES] = {0};
    char trials[REPORT_TRIALS];

    for (int i = 0; i < r->n; i++)
        n[r->cell[i].state]++;
    put_chip(p, n[CELL_DONE] == r->n ? "good" : "part",
             n[CELL_DONE] == r->n ? "\u2713" : "\u25d0",
             arena_format(a, "%d of %d cells are done%s", n[CELL_DONE], r->n,
                          report_trials(r, trials)));
    for (int k = 0; k < CELL_STATES; k++)
        if (k != CELL_DONE && n[k])
            put_chip(p, k == CELL_FAILED ? "bad" : "soft",
                     k == CELL_FAILED ? "\u2717" : NULL,
                     arena_format(a, "%d %s", n[k], cell_state_text[k]));
    if (r->others)
        put_chip(p, "soft", NULL, arena_format(
                     a, "%d more in the store, not in the experiment",
                     r->others));
    page_paragraph(p, "Experiment %s. ", r->name);
    markup_link(p->to, page_way(p, "cells.html"), "All cells");
}

static int is_uncompared(const struct site_table *t)
{
    return t->sheet && t->measured && t->measured->task[0].uncompared;
}

/* Writes the findings of the compared tasks, the first ones with their
 * pictures. */
static void put_findings(struct page *p)
{
    const struct site *s = p->site;
    int similar = 0, pictures = 0;

    page_section(p, "tasks", "Findings by task");
    for (int i = 0; i < s->tasks; i++) {
        if (is_uncompared(&s->task[i]))
            continue;
        similar |= findings_task(p, &s->task[i]);
        findings_picture(p, &s->task[i], &pictures);
    }
    if (similar)
        page_paragraph(p, "Not significantly different: the interval of the "
                       "difference, paired over the seeds that both variants "
                       "have, includes 0, at 95 %% confidence for the whole "
                       "column. This does not prove that they are equal.");
}

/* Writes links to the tasks that are not compared, and says which tasks share
 * one training run. */
static void put_other_tasks(struct page *p)
{
    const struct site *s = p->site;
    int uncompared = 0;

    for (int i = 0; i < s->tasks; i++) {
        const struct table_task *t = &s->task[i].of->task[0];

        if (!is_uncompared(&s->task[i]))
            continue;
        if (!uncompared++) {
            page_heading(p, NULL, "Not compared");
            page_paragraph(p, "The experiment runs these tasks without "
                           "comparing variants on them; their pages have the "
                           "numbers.");
        }
        page_item(p, "names", page_of(p, "task", t->task), "%s", t->title);
    }
    for (int i = 0; task_all[i]; i++) {
        const char *twins = task_twins(s->memory, task_all[i], has_synthetic,
                                       s->report);

        if (twins)
            page_paragraph(p, "%s", twins);
    }
}

static void put_tables(struct page *p)
{
    const struct site *s = p->site;

    page_section(p, "tables", "Tables");
    for (int i = 0; i < s->tables; i++) {
        const struct site_table *t = &s->table[i];

        page_item(p, NULL, page_of(p, "table", t->of->name), "Table %s. %s",
                  t->of->name, t->of->title);
        if (!t->sheet)
            markup_format(p->to, ": %s", t->why);
    }
}

/* Writes links to all pictures, and why others were not drawn. */
static void put_figures(struct page *p)
{
    const struct site *s = p->site;

    if (!s->pictures && !*s->undrawn)
        return;
    page_section(p, "figures", "Figures");
    if (s->pictures)
        put_gallery(p);
    if (*s->undrawn)
        page_heading(p, NULL, "Not drawn");
    for (const char **why = s->undrawn; *why; why++)
        page_item(p, NULL, NULL, "%s", *why);
}

int pages_index(struct site *s)
{
    const struct report *r = s->report;
    OWNED(page_close) struct page p = {0};

    page_open(&p, s, "", "index", *r->title ? r->title : r->name);
    put_state(&p);
    put_matrix(&p);
    put_findings(&p);
    put_other_tasks(&p);
    findings_quote(&p, "Paired comparisons", "Paired comparisons in the "
                   "tables");
    findings_quote(&p, "Rank correlation", "Rank correlation with the paper");
    if (s->claims) {
        page_section(&p, "claims", "Claims about synthesizers");
        page_paragraph(&p, "%s", "");
        markup_link(p.to, page_way(&p, "claims.html"),
                    arena_format(s->memory, "%d claims", s->claims->n));
        page_verdicts(&p, "chips");
    }
    put_tables(&p);
    put_figures(&p);
    return page_shut(&p);
}
