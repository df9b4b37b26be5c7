/* Writes the first page: findings, and links to all other pages. */
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

static void put_state(struct page *p)
{
    const struct report *r = p->site->report;
    int n[CELL_STATES] = {0};
    char trials[REPORT_TRIALS];

    for (int i = 0; i < r->n; i++)
        n[r->cell[i].state]++;
    markup_open(p->to, "p");
    markup_format(p->to, "Experiment %s: %d of %d cells are done%s", r->name,
                  n[CELL_DONE], r->n, report_trials(r, trials));
    for (int k = 0; k < CELL_STATES; k++)
        if (k != CELL_DONE && n[k])
            markup_format(p->to, ", %d %s", n[k], cell_state_text[k]);
    if (r->others)
        markup_format(p->to, "; %d more are in the store, but not in the "
                      "experiment", r->others);
    markup_text(p->to, ". ");
    markup_link(p->to, page_way(p, "cells.html"), "All cells");
    markup_shut(p->to);
    for (int i = 0; task_all[i]; i++) {
        const char *twins = task_twins(p->site->memory, task_all[i],
                                       has_synthetic, r);

        if (twins)
            markup_element(p->to, "p", twins);
    }
}

static void put_findings(struct page *p)
{
    const struct site *s = p->site;
    int similar = 0;

    page_section(p, "findings", "Best variant on each task");
    for (int i = 0; i < s->tasks; i++)
        similar |= findings_task(p, &s->task[i]);
    if (similar)
        markup_element(p->to, "p", "Not significantly different: the interval "
                       "of the difference, paired over the seeds that both "
                       "variants have, includes 0, at 95 % confidence for the "
                       "whole column. This does not prove that they are "
                       "equal.");
    markup_shut(p->to);
}

static void put_quotes(struct page *p, const char *heading, const char *title)
{
    const struct site *s = p->site;

    page_section(p, NULL, title);
    int n = 0;
    for (int i = 0; i < s->tables; i++)
        if (s->table[i].measured)
            n += findings_quote(p, &s->table[i], heading);
    if (!n)
        markup_element(p->to, "p", "None in this store.");
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

static void put_name(struct page *p, const char *folder, const char *name,
                     const char *title)
{
    markup_open(p->to, "li");
    markup_link(p->to, page_of(p, folder, name), title);
    markup_shut(p->to);
}

static void names_open(struct page *p, const char *id, const char *title)
{
    page_section(p, id, title);
    markup_open(p->to, "ul");
    markup_attribute(p->to, "class", "names");
}

static void names_shut(struct page *p)
{
    markup_shut(p->to);
    markup_shut(p->to);
}

static void put_lists(struct page *p)
{
    const struct site *s = p->site;

    names_open(p, "tasks", "Tasks");
    for (int i = 0; i < s->tasks; i++)
        put_name(p, "task", s->task[i].of->task[0].task,
                 s->task[i].of->task[0].title);
    names_shut(p);
    names_open(p, "variants", "Variants");
    for (int i = 0; i < s->rows; i++)
        put_name(p, "variant", s->row[i], s->row[i]);
    names_shut(p);
}

/* Writes the number of claims per verdict, with a link to their pages. */
static void put_claims(struct page *p)
{
    const struct claims *c = p->site->claims;
    const char *sign = ":";

    if (!c)
        return;
    page_section(p, "claims", "Claims about synthesizers");
    markup_open(p->to, "p");
    markup_link(p->to, page_way(p, "claims.html"),
                arena_format(p->site->memory, "%d claims", c->n));
    for (int v = 0; v < CLAIM_PRINTED; v++) {
        int n = claims_printed(c, v);

        if (n)
            markup_format(p->to, "%s %d %s", sign, n,
                          claim_verdict_word(v, n));
        sign = n ? "," : sign;
    }
    markup_text(p->to, ".");
    markup_shut(p->to);
    markup_shut(p->to);
}

static void put_figures(struct page *p)
{
    const struct site *s = p->site;

    if (!s->pictures && !*s->undrawn)
        return;
    page_section(p, "figures", "Figures");
    markup_open(p->to, "ul");
    for (int i = 0; i < s->pictures; i++)
        put_name(p, "figure", s->picture[i].name, s->picture[i].title);
    markup_shut(p->to);
    if (*s->undrawn)
        markup_element(p->to, "h3", "Not drawn");
    if (*s->undrawn)
        markup_open(p->to, "ul");
    for (const char **why = s->undrawn; *why; why++)
        markup_element(p->to, "li", *why);
    if (*s->undrawn)
        markup_shut(p->to);
    markup_shut(p->to);
}

static int write_pages(struct site *s)
{
    const struct report *r = s->report;
    OWNED(page_close) struct page p = {0};

    page_open(&p, s, "index.html", *r->title ? r->title : r->name);
    put_state(&p);
    put_findings(&p);
    put_quotes(&p, "Paired comparisons", "Paired comparisons in the tables");
    put_quotes(&p, "Rank correlation", "Rank correlation with the paper");
    put_tables(&p);
    put_claims(&p);
    put_lists(&p);
    put_figures(&p);
    return page_shut(&p);
}

const struct pages pages_index = {"index", write_pages};
