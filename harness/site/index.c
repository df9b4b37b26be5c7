/* The first page: status, every variant on every task, findings with their
 * pictures, tasks, and links to all other pages. */
#include "harness/site/findings.h"

#include "harness/base/err.h"
#include "harness/claims/claims.h"
#include "harness/tasks/task.h"

#include <string.h>

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
    markup_open(p->to, "li");
    page_chip(p, kind, icon, text);
    markup_shut(p->to);
}

/* Writes the number of cells in each state, and of those that are synthetic. */
static void put_chips(struct page *p)
{
    const struct report *r = p->site->report;
    struct arena *a = p->site->memory;
    int n[CELL_STATES] = {0};
    char trials[REPORT_TRIALS];

    for (int i = 0; i < r->n; i++)
        n[r->cell[i].state]++;
    markup_open(p->to, "ul");
    markup_attribute(p->to, "class", "chips");
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
    markup_shut(p->to);
}

static void put_state(struct page *p)
{
    const struct report *r = p->site->report;

    put_chips(p);
    markup_open(p->to, "p");
    markup_format(p->to, "Experiment %s. ", r->name);
    markup_link(p->to, page_way(p, "cells.html"), "All cells");
    markup_shut(p->to);
}

static void put_twins(struct page *p)
{
    for (int i = 0; task_all[i]; i++) {
        const char *twins = task_twins(p->site->memory, task_all[i],
                                       has_synthetic, p->site->report);

        if (twins)
            markup_element(p->to, "p", twins);
    }
}

static int put_findings(struct page *p)
{
    page_section(p, "findings", "Findings");
    PASS(findings_pictured(p));
    markup_shut(p->to);
    return 0;
}

static int is_uncompared(const struct site_table *t)
{
    return t->sheet && t->measured && t->measured->task[0].uncompared;
}

/* Lists the tasks on which no variants are compared. */
static void put_uncompared(struct page *p)
{
    const struct site *s = p->site;
    int n = 0;

    for (int i = 0; i < s->tasks; i++) {
        const struct table_task *t = &s->task[i].of->task[0];

        if (!is_uncompared(&s->task[i]))
            continue;
        if (!n++) {
            markup_element(p->to, "h3", "Not compared");
            markup_element(p->to, "p", "The experiment runs these tasks "
                           "without comparing variants on them; their pages "
                           "have the numbers.");
            markup_open(p->to, "ul");
            markup_attribute(p->to, "class", "names");
        }
        markup_open(p->to, "li");
        markup_link(p->to, page_of(p, "task", t->task), t->title);
        markup_shut(p->to);
    }
    if (n)
        markup_shut(p->to);
}

static void put_tasks(struct page *p)
{
    const struct site *s = p->site;
    int similar = 0;

    page_section(p, "tasks", "Best variant on each task");
    for (int i = 0; i < s->tasks; i++)
        if (!is_uncompared(&s->task[i]))
            similar |= findings_task(p, &s->task[i]);
    if (similar)
        markup_element(p->to, "p", "Not significantly different: the interval "
                       "of the difference, paired over the seeds that both "
                       "variants have, includes 0, at 95 % confidence for the "
                       "whole column. This does not prove that they are "
                       "equal.");
    put_uncompared(p);
    put_twins(p);
    markup_shut(p->to);
}

/* Writes the items below a heading of the tables, if there are any. */
static void put_quotes(struct page *p, const char *heading, const char *title)
{
    const struct site *s = p->site;
    int n = 0;

    for (int i = 0; i < s->tables; i++) {
        if (!s->table[i].measured || !findings_has(&s->table[i], heading))
            continue;
        if (!n++)
            page_section(p, NULL, title);
        findings_quote(p, &s->table[i], heading);
    }
    if (n)
        markup_shut(p->to);
}

static void put_tables(struct page *p)
{
    const struct site *s = p->site;

    page_section(p, "tables", "Tables");
    markup_open(p->to, "ul");
    for (int i = 0; i < s->tables; i++) {
        const struct site_table *t = &s->table[i];

        markup_open(p->to, "li");
        markup_link(p->to, page_of(p, "table", t->of->name),
                    arena_format(s->memory, "Table %s. %s", t->of->name,
                                 t->of->title));
        if (!t->sheet)
            markup_format(p->to, ": %s", t->why);
        markup_shut(p->to);
    }
    markup_shut(p->to);
    markup_shut(p->to);
}

/* Writes the number of claims per verdict, with a link to their pages. */
static void put_claims(struct page *p)
{
    const struct claims *c = p->site->claims;

    if (!c)
        return;
    page_section(p, "claims", "Claims about synthesizers");
    markup_open(p->to, "p");
    markup_link(p->to, page_way(p, "claims.html"),
                arena_format(p->site->memory, "%d claims", c->n));
    markup_shut(p->to);
    page_verdicts(p, "chips");
    markup_shut(p->to);
}

/* Lists the pictures of all tasks, such as the overview. */
static void put_common(struct page *p)
{
    const struct site *s = p->site;

    markup_open(p->to, "ul");
    markup_attribute(p->to, "class", "names");
    for (int i = 0; i < s->pictures; i++) {
        if (s->picture[i].task)
            continue;
        markup_open(p->to, "li");
        markup_link(p->to, page_of(p, "figure", s->picture[i].name),
                    s->picture[i].title);
        markup_shut(p->to);
    }
    markup_shut(p->to);
}

static void put_undrawn(struct page *p)
{
    const struct site *s = p->site;

    if (!*s->undrawn)
        return;
    markup_element(p->to, "h3", "Not drawn");
    markup_open(p->to, "ul");
    for (const char **why = s->undrawn; *why; why++)
        markup_element(p->to, "li", *why);
    markup_shut(p->to);
}

static void put_figures(struct page *p)
{
    const struct site *s = p->site;

    if (!s->pictures && !*s->undrawn)
        return;
    page_section(p, "figures", "Figures");
    if (s->pictures) {
        page_gallery(p);
        put_common(p);
    }
    put_undrawn(p);
    markup_shut(p->to);
}

static int write_pages(struct site *s)
{
    const struct report *r = s->report;
    OWNED(page_close) struct page p = {0};

    page_open(&p, s, "index.html", *r->title ? r->title : r->name);
    put_state(&p);
    page_matrix(&p);
    PASS(put_findings(&p));
    put_tasks(&p);
    put_quotes(&p, "Paired comparisons", "Paired comparisons in the tables");
    put_quotes(&p, "Rank correlation", "Rank correlation with the paper");
    put_claims(&p);
    put_tables(&p);
    put_figures(&p);
    return page_shut(&p);
}

const struct pages pages_index = {"index", write_pages};
