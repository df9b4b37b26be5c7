/* Writes the pages that compare two stores: what is better or worse in B than
 * in A, and for each task every metric of both stores.  The other pages of each
 * store are in a/ and b/. */
#include "harness/site/page.h"

#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { A = DIFFERENCE_A, B = DIFFERENCE_B, SIDES = DIFFERENCE_SIDES,
       SENTENCES = 60 };

static const char *const folder[SIDES] = {"a", "b"};

/* Returns the link from page p to the page `path` of one side, or NULL if
 * `path` is NULL. */
static const char *side_way(const struct page *p, int side, const char *path)
{
    return path ? page_way(p, arena_format(p->site->memory, "%s/%s",
                                           folder[side], path)) : NULL;
}

static const char *numbers(const struct page *p, int side, const char *variant,
                           const char *task)
{
    const struct page first = {.site = p->site->side[side],
                               .path = "index.html"};

    return side_way(p, side, page_numbers(&first, variant, task));
}

static void put_sentence(struct page *p, const struct difference_row *r,
                         const struct compare_row *x)
{
    const char *variant = r->is->variant, *task = r->is->task;
    char text[32];

    page_item(p, NULL, NULL, "%s, %s: ",
              site_task_title(p->site->side[A], task), x->metric);
    markup_link(p->to, numbers(p, B, variant, NULL), variant);
    markup_format(p->to, " is %s in B: ", compare_verdict(r->by, x));
    snprintf(text, sizeof text, "%.5g", x->b);
    markup_link(p->to, numbers(p, B, variant, task), text);
    markup_text(p->to, ", not ");
    snprintf(text, sizeof text, "%.5g", x->a);
    markup_link(p->to, numbers(p, A, variant, task), text);
    markup_format(p->to, "; %+.4g [%+.4g, %+.4g], %s.", x->difference,
                  x->verdict.between.low, x->verdict.between.high,
                  r->pairs < 2 ? "for this seed"
                               : arena_format(p->site->memory, "%d seeds",
                                              r->pairs));
}

static void put_sentences(struct page *p)
{
    const struct difference *d = p->site->by;
    int n = 0;

    for (int i = 0; i < d->rows; i++)
        for (int k = 0; d->row[i].by && k < d->row[i].by->rows; k++) {
            const struct compare_row *x = &d->row[i].by->row[k];

            /* tested by itself, significantly different, and converged */
            if (!x->as && x->verdict.sign && !d->row[i].by->unsettled &&
                n++ < SENTENCES)
                put_sentence(p, &d->row[i], x);
        }
    if (!n)
        page_paragraph(p, "No row is significantly better or worse in B.");
    if (n > SENTENCES)
        page_paragraph(p, "%d more are on the pages of their tasks.",
                       n - SENTENCES);
}

/* ---- the first page ---- */

static int alone(const struct report *mine, const struct report *other)
{
    int n = 0;

    for (int i = 0; i < mine->n; i++) {
        int there = mine->cell[i].state != CELL_DONE;

        for (int k = 0; k < other->n && !there; k++)
            there = difference_is_of(&other->cell[k], &mine->cell[i]) &&
                    other->cell[k].seed == mine->cell[i].seed;
        n += !there;
    }
    return n;
}

static void put_sides(struct page *p)
{
    for (int i = 0; i < SIDES; i++) {
        const struct report *r = p->site->side[i]->report;

        page_item(p, NULL, NULL, "%c: ", "AB"[i]);
        markup_link(p->to, side_way(p, i, "index.html"),
                    *r->title ? r->title : r->name);
        markup_format(p->to, ", %s", r->store);
    }
}

static void put_count(struct page *p)
{
    const struct difference *d = p->site->by;
    const struct report *a = d->side[A], *b = d->side[B];

    page_paragraph(p, "%d rows (a variant on a task) are in both stores: %d "
                   "are bit-identical, %d differ. %d cells are only in A, %d "
                   "only in B.", d->rows, d->rows - d->differ, d->differ,
                   alone(a, b), alone(b, a));
    if (d->differ >= 2)
        page_paragraph(p, "Corrected (Bonferroni) for the %d rows that differ, "
                       "5 %%/%d each: all intervals of B - A and all verdicts "
                       "hold simultaneously with 95 %% confidence.", d->differ,
                       d->differ);
}

static void put_reasons(struct page *p)
{
    const struct difference *d = p->site->by;
    int n = 0;

    for (int i = 0; i < d->rows; i++) {
        if (!d->row[i].unlike)
            continue;
        if (!n++)
            page_section(p, NULL, "Not compared");
        page_item(p, NULL, NULL, "%s on %s: %s", d->row[i].is->variant,
                  d->row[i].is->task, d->row[i].unlike);
    }
}

/* Writes the changed settings and commits.  Rows with the same changes share
 * one paragraph, which states their number. */
static void put_changes(struct page *p)
{
    const struct difference *d = p->site->by;

    for (int i = 0; i < d->rows; i++) {
        int before = 0, n = 0;

        while (strcmp(d->row[before].changed, d->row[i].changed))
            before++;
        for (int k = i; k < d->rows; k++)
            n += !strcmp(d->row[k].changed, d->row[i].changed);
        if (*d->row[i].changed && before == i)
            page_paragraph(p, "From A to B, %d row%s: %s.", n,
                           n == 1 ? "" : "s", d->row[i].changed);
    }
}

/* Returns task i of a list that has the tasks of A, followed by the tasks that
 * only B has, or NULL if the list is shorter. */
static const struct site_table *task_of(const struct site *s, int i)
{
    const struct site *a = s->side[A], *b = s->side[B];

    if (i < a->tasks)
        return &a->task[i];
    for (int k = 0, n = a->tasks; k < b->tasks; k++)
        if (site_task(a, b->task[k].of->task[0].task) < 0 && n++ == i)
            return &b->task[k];
    return NULL;
}

static int put_first(struct site *s)
{
    OWNED(page_close) struct page p = {0};
    const struct site_table *t;

    page_open(&p, s, "", "index", "Comparison of two stores");
    put_sides(&p);
    put_count(&p);
    put_changes(&p);
    page_section(&p, "findings", "Better or worse in B");
    put_sentences(&p);
    page_section(&p, "tasks", "Tasks");
    for (int i = 0; (t = task_of(s, i)); i++)
        page_item(&p, "names", page_of(&p, "task", t->of->task[0].task), "%s",
                  t->of->task[0].title);
    put_reasons(&p);
    page_section(&p, NULL, "Command");
    OWNED(free) char *a = text_quoted(s->side[A]->report->store);
    OWNED(free) char *b = text_quoted(s->side[B]->report->store);
    page_command(&p, "synthbench compare %s %s", a, b);
    return page_shut(&p);
}

/* ---- one page per task ---- */

/* Returns the cell of a task's table for a variant and a metric, or NULL. */
static const struct result_cell *number_of(const struct site *s,
                                           const char *variant,
                                           const struct table_column *column)
{
    int at = site_task(s, column->task);
    const struct result_table *m = at < 0 ? NULL : s->task[at].measured;
    const struct result_row *row = site_measured_row(m, variant);

    for (int c = 0; row && c < m->columns; c++)
        if (!strcmp(m->column[c]->metric, column->metric))
            return &row->cell[c];
    return NULL;
}

static void put_value(struct page *p, int side, const char *variant,
                      const struct table_column *c)
{
    const struct result_cell *x = number_of(p->site->side[side], variant, c);
    int known = x && !isnan(x->value);
    char value[32] = "-", between[64] = "";

    if (known)
        snprintf(value, sizeof value, "%.*f", c->decimals, x->value);
    if (known)
        result_interval(between, x, c->decimals);
    page_cell(p, known ? numbers(p, side, variant, c->task) : NULL, value, 0);
    page_cell(p, NULL, between, 0);
}

static void put_difference(struct page *p, const char *variant,
                           const struct table_column *c)
{
    const struct difference *d = p->site->by;
    const struct difference_row *r = NULL;
    const struct compare_row *x = NULL;

    for (int i = 0; i < d->rows && !r; i++)
        if (!strcmp(d->row[i].is->variant, variant) &&
            !strcmp(d->row[i].is->task, c->task))
            r = &d->row[i];
    for (int i = 0; r && r->by && i < r->by->rows && !x; i++)
        if (!strcmp(r->by->row[i].metric, c->metric))
            x = &r->by->row[i];
    char difference[32] = "-", between[80] = "", low[32], high[32];
    const char *verdict = r && !r->by && !r->unlike ? "bit-identical"
                          : r && r->unlike          ? "not compared" : "";

    if (x) {
        snprintf(difference, sizeof difference, "%+.*f", c->decimals,
                 x->difference);
        verdict = arena_format(p->site->memory, "%s%s",
                               compare_verdict(r->by, x),
                               r->pairs < 2 && x->verdict.sign
                                   ? " for this seed" : "");
    }
    if (x && isnan(x->verdict.between.low) && !isnan(x->verdict.p))
        snprintf(between, sizeof between, "too few seeds");
    else if (x && !isnan(x->verdict.between.low))
        snprintf(between, sizeof between, "[%s, %s]",
                 verdict_bound(x->verdict.between.low, c->decimals, low),
                 verdict_bound(x->verdict.between.high, c->decimals, high));
    page_cell(p, NULL, difference, 0);
    page_cell(p, NULL, between, 0);
    page_cell(p, NULL, verdict, 1);
}

static void put_row(struct page *p, const char *variant,
                    const struct table_column *c)
{
    int side = site_row(p->site->side[A], variant) < 0 ? B : A;

    if (!number_of(p->site->side[A], variant, c) &&
        !number_of(p->site->side[B], variant, c))
        return;
    page_row(p, numbers(p, side, variant, NULL), variant);
    put_value(p, A, variant, c);
    put_value(p, B, variant, c);
    put_difference(p, variant, c);
}

static void put_metric(struct page *p, const struct table_column *c)
{
    const struct site *a = p->site->side[A], *b = p->site->side[B];
    const char *title = arena_format(
        p->site->memory, "%s: %s; %s is better", c->title,
        table_column_says(c), c->better > 0 ? "higher" : "lower");

    page_section(p, NULL, title);
    page_table(p, title, "sort");
    page_heads(p, "<>>>>>><", NAMES("Variant", "A", "95 %", "B", "95 %",
                                    "B - A", "interval", "B is"));
    for (int i = 0; i < a->rows; i++)
        put_row(p, a->row[i], c);
    for (int i = 0; i < b->rows; i++)
        if (site_row(a, b->row[i]) < 0)
            put_row(p, b->row[i], c);
}

static int put_task(struct site *s, const struct table *t)
{
    OWNED(page_close) struct page p = {0};

    page_open(&p, s, "task", t->task[0].task,
              arena_format(s->memory, "%s: A and B", t->task[0].title));
    page_paragraph(&p, "A and B: means over all seeds of the store, "
                   "with 95 %% intervals. B - A: mean over the seeds that both "
                   "stores have; its intervals hold simultaneously for all "
                   "rows that differ.");
    for (const struct table_column *c = t->column; c->task; c++)
        if (c->better)
            put_metric(&p, c);
    return page_shut(&p);
}

/* ---- all pages ---- */

static int write_side(struct site *s, int side)
{
    struct site *one = s->side[side];
    OWNED(free) char *path = str_format("%s/%s", s->folder, folder[side]);

    one->folder = path;
    one->other = "Both stores";
    int rc = site_write(one);
    one->folder = NULL;
    PASS(rc);
    for (int i = 0; i < one->files; i++)
        site_file(s, arena_format(s->memory, "%s/%s", folder[side],
                                  one->file[i]));
    return OK;
}

int site_write_both(struct site *s)
{
    const struct site_table *t;

    PASS(write_side(s, A));
    PASS(write_side(s, B));
    PASS(site_folder_in(s, "task"));
    for (int i = 0; (t = task_of(s, i)); i++)
        PASS(put_task(s, t->of));
    PASS(pages_claim(s));
    return put_first(s);
}
