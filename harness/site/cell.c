/* Writes one page per cell, with its metrics, its provenance and how to
 * reproduce it, and a page that lists all cells. */
#include "harness/site/page.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/metrics/metric.h"
#include "harness/report/signing.h"
#include "harness/store/guess.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *title_of(const struct site *s, const struct report_cell *c)
{
    return arena_format(s->memory, "%s on %s, seed %lld", c->variant,
                        site_task_title(s, c->task), c->seed);
}

/* ---- facts, one line each ---- */

static void put_fact(struct page *p, const char *name, const char *to,
                     const char *text)
{
    markup_open(p->to, "tr");
    page_row_head(p, NULL, name);
    page_cell(p, to, text, 2);
    markup_shut(p->to);
}

static void facts_open(struct page *p, const char *title)
{
    page_section(p, NULL, title);
    page_table(p, title, 0);
    markup_open(p->to, "tbody");
}

static void facts_shut(struct page *p)
{
    markup_shut(p->to);
    page_table_shut(p);
    markup_shut(p->to);
}

static void put_group(struct page *p, const struct results *r,
                      const char *group, const char *title)
{
    int any = 0;

    for (int i = 0; i < r->facts; i++)
        if (!strcmp(r->fact[i].group, group)) {
            if (!any++)
                facts_open(p, title);
            put_fact(p, r->fact[i].name, NULL, r->fact[i].text);
        }
    if (any)
        facts_shut(p);
}

static const struct { const char *group, *title; } groups[] = {
    {"provenance", "Provenance"},
    {"tuning", "Settings chosen by trials"},
    {"curves/train", "Gain in the last tenth of training, nats"},
    {"timing", "Timing"},
    {"timing/cpu_seconds", "Processor time by phase, s"},
    {"timing/kernel_seconds", "Time by kernel, s"},
    {"weights", "Weights"}};

static int is_group(const char *group)
{
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (!strcmp(groups[i].group, group))
            return 1;
    return 0;
}

/* Writes the scores of the model-free baselines on the same examples. */
static void put_references(struct page *p, const struct results *r)
{
    int any = 0;

    for (int i = 0; i < r->facts; i++) {
        const struct fact *f = &r->fact[i];

        if (is_group(f->group))
            continue;
        if (!any++)
            facts_open(p, "Model-free baselines on the same examples");
        put_fact(p, arena_format(p->site->memory, "%s, %s",
                                 strchr(f->group, '/') ? strchr(f->group, '/') +
                                     1 : f->group, f->name), NULL, f->text);
    }
    if (any)
        facts_shut(p);
}

/* ---- from the file of the cell ---- */

static const struct metric *metric_named(const char *name)
{
    const struct metric *const *m = metric_all;

    while (*m && strcmp((*m)->name, name))
        m++;
    return *m;
}

static int put_metrics(struct page *p, const struct results *r,
                       struct cell_reader *cell)
{
    page_section(p, "metrics", "Metrics");
    page_table(p, "Metrics on the test examples", 1);
    markup_open(p->to, "thead");
    markup_open(p->to, "tr");
    page_head(p, "Metric", 1);
    page_head(p, "Value", 0);
    page_head(p, "Description", 1);
    page_head(p, "Computation", 1);
    markup_shut(p->to);
    markup_shut(p->to);
    markup_open(p->to, "tbody");
    for (int i = 0; i < r->metrics; i++) {
        const struct metric *m = metric_named(r->metric[i]);
        OWNED(free) char *path = str_format("metrics/%s", r->metric[i]);
        OWNED(free) char *how = NULL;

        PASS(cell_maybe(cell_get_text(cell, path, "signature", &how)));
        markup_open(p->to, "tr");
        page_row_head(p, NULL, r->metric[i]);
        page_cell(p, NULL, arena_format(p->site->memory, "%.6g", r->value[i]),
                  0);
        page_cell(p, NULL, m ? m->title : "", 2);
        page_cell(p, NULL, how ? how : "", 2);
        markup_shut(p->to);
    }
    facts_shut(p);
    return OK;
}

static const char *value_text(const json_t *v, struct arena *a)
{
    char text[32];

    if (json_is_string(v))
        return json_string_value(v);
    if (json_is_number(v))
        return arena_text(a, str_real(json_number_value(v), text));
    OWNED(free) char *all = json_dumps(v, JSON_ENCODE_ANY);
    return arena_text(a, all);
}

static int put_settings(struct page *p, struct cell_reader *cell)
{
    OWNED(free) char *text = NULL;
    OWNED(json_decref) json_t *all = NULL;
    const char *key;
    json_t *v;

    PASS(cell_maybe(cell_get_text(cell, "config", "json", &text)));
    all = text ? json_loads(text, 0, NULL) : NULL;
    if (!all)
        return OK;
    facts_open(p, "Settings that differ from their defaults");
    json_object_foreach(all, key, v)
        put_fact(p, key, NULL, value_text(v, p->site->memory));
    facts_shut(p);
    return OK;
}

/* Writes the signature of this cell alone. */
static int put_signature(struct page *p, const struct report_cell *c,
                         const struct results *r)
{
    struct site *s = p->site;
    struct signed_task one;
    size_t room = (size_t)r->metrics + 1;
    const char **metric = arena_zero(s->memory, room * sizeof *metric);
    const char **text = arena_zero(s->memory, room * sizeof *text);
    const char *all = NULL;

    memcpy(metric, r->metric, (size_t)r->metrics * sizeof *metric);
    PASS(signing_task(&one, text, s->report, &c, 1, metric, s->memory));
    for (int i = 0; i < r->metrics; i++)
        if (text[i])
            all = all ? arena_format(s->memory, "%s,%s", all, text[i])
                      : text[i];
    one.of[SIGNED_METRICS] = all;
    page_section(p, NULL, "Signature");
    if (all)
        page_command(p, "%s", signature_text(&(struct signature){1, &one},
                                             s->memory));
    markup_shut(p->to);
    return OK;
}

/* ---- the page of a cell ---- */

static void put_commands(struct page *p, const struct report_cell *c)
{
    const char *store = p->site->report->store;
    OWNED(free) char *word = text_quoted(store);

    page_section(p, "again", "Reproduce this run");
    page_command(p, "synthbench rerun %s#%s", word, c->id);
    markup_element(p->to, "p", "All details and samples of its output:");
    page_command(p, "synthbench show %s#%s --samples 10", word, c->id);
    markup_open(p->to, "p");
    markup_format(p->to, "File: %s/cells/%s.h5 (HDF5).", store, c->id);
    markup_shut(p->to);
    markup_shut(p->to);
}

static void put_place(struct page *p, const struct report_cell *c)
{
    struct site *s = p->site;
    char seed[32];

    snprintf(seed, sizeof seed, "%lld", c->seed);
    page_table(p, "Identification", 0);
    markup_open(p->to, "tbody");
    put_fact(p, "Variant", page_of(p, "variant", c->variant), c->variant);
    put_fact(p, "Task", site_task(s, c->task) < 0
                 ? NULL : page_of(p, "task", c->task),
             site_task_title(s, c->task));
    put_fact(p, "Scale", NULL, c->scale);
    put_fact(p, "Seed", NULL, seed);
    put_fact(p, "Id", NULL, c->id);
    put_fact(p, "Status", NULL, cell_state_text[c->state]);
    if (*c->message)
        put_fact(p, "Reason", NULL, c->message);
    if (c->synthetic)
        put_fact(p, "Data", NULL, "synthetic: made by a generator");
    for (const char **guess = s->report->guessed; *guess; guess++)
        if (guess_about(*guess, c->task, c->variant))
            put_fact(p, "Assumption", NULL, *guess);
    markup_shut(p->to);
    page_table_shut(p);
}

static void put_blind(struct page *p, const struct blind_baseline *b)
{
    if (!b->name || !b->worse)
        return;
    markup_open(p->to, "p");
    markup_attribute(p->to, "class", "warn");
    markup_attribute(p->to, "role", "note");
    markup_format(p->to, "Worse than the input-blind baseline: its %s is "
                  "%.4g; %s has %.4g.", b->metric, b->own, b->name, b->value);
    markup_shut(p->to);
}

static int put_finished(struct page *p, const struct report_cell *c,
                        const struct results *r)
{
    OWNED(cell_close) struct cell_reader *cell = NULL;

    PASS(report_read(&cell, p->site->report, c->id));
    put_blind(p, &r->blind);
    PASS(page_curve(p, c->variant, c->task, &c->seed,
                    arena_format(p->site->memory, "Loss during training: %s",
                                 title_of(p->site, c))));
    PASS(put_metrics(p, r, cell));
    put_references(p, r);
    put_commands(p, c);
    PASS(put_signature(p, c, r));
    PASS(put_settings(p, cell));
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        put_group(p, r, groups[i].group, groups[i].title);
    return OK;
}

static int put(struct site *s, int i)
{
    const struct report_cell *c = &s->report->cell[i];
    OWNED(page_close) struct page p = {0};

    page_open(&p, s, arena_format(s->memory, "cell/%s.html", c->id),
              title_of(s, c));
    put_place(&p, c);
    if (c->state == CELL_DONE)
        PASS(put_finished(&p, c, &s->cell[i]));
    return page_shut(&p);
}

/* ---- the list of all cells ---- */

static void put_line(struct page *p, int i)
{
    const struct site *s = p->site;
    const struct report_cell *c = &s->report->cell[i];
    double ce = c->state == CELL_DONE ? site_value(&s->cell[i], "ce") : NAN;
    char text[32];

    markup_open(p->to, "tr");
    page_row_head(p, page_of(p, "cell", c->id), c->id);
    page_cell(p, NULL, c->variant, 1);
    page_cell(p, NULL, arena_format(s->memory, "%s%s",
                                    site_task_title(s, c->task),
                                    c->synthetic ? " (SYNTHETIC)" : ""), 1);
    snprintf(text, sizeof text, "%lld", c->seed);
    page_cell(p, NULL, text, 0);
    page_cell(p, NULL, cell_state_text[c->state], 1);
    snprintf(text, sizeof text, isnan(ce) ? "-" : "%.4f", ce);
    page_cell(p, NULL, text, 0);
    markup_shut(p->to);
}

static int put_list(struct site *s)
{
    static const char *const head[] = {"Cell", "Variant", "Task", "Seed",
                                       "Status", "CE\u2193"};
    OWNED(page_close) struct page p = {0};

    page_open(&p, s, "cells.html", "Cells");
    markup_element(p.to, "p", "Each cell is one trained model. CE: token "
                   "cross-entropy on the test examples, in nats.");
    page_table(&p, "All cells of the experiment", 1);
    markup_open(p.to, "thead");
    markup_open(p.to, "tr");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        page_head(&p, head[i], i != 3 && i != 5);
    markup_shut(p.to);
    markup_shut(p.to);
    markup_open(p.to, "tbody");
    for (int i = 0; i < s->report->n; i++)
        put_line(&p, i);
    markup_shut(p.to);
    page_table_shut(&p);
    return page_shut(&p);
}

static int write_pages(struct site *s)
{
    for (int i = 0; i < s->report->n; i++)
        PASS(put(s, i));
    return put_list(s);
}

const struct pages pages_cell = {"cell", write_pages};
