/* Writes one page per cell, with its metrics, its provenance and how to
 * reproduce it, and a page that lists all cells. */
#include "harness/site/page.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/metrics/metric.h"
#include "harness/report/signature.h"
#include "harness/store/guess.h"
#include "harness/tasks/task.h"

#include <math.h>
#include <string.h>

static const char *title_of(const struct site *s, const struct report_cell *c)
{
    return arena_format(s->memory, "%s on %s, seed %lld", c->variant,
                        site_task_title(s, c->task), c->seed);
}

/* ---- facts, one line each ---- */

static void begin_facts(struct page *p, const char *title)
{
    page_section(p, NULL, title);
    page_table(p, title, NULL);
}

static const struct { const char *group, *title; } groups[] = {
    {"provenance", "Provenance"},
    {"tuning", "Settings chosen by trials"},
    {"curves/train", "Gain in the last tenth of training, nats"},
    {"timing", "Timing"},
    {"timing/cpu_seconds", "Processor time by phase, s"},
    {"timing/kernel_seconds", "Time by kernel in the profiled steps, s"},
    {"weights", "Weights"}};
enum { GROUPS = sizeof groups / sizeof *groups };

/* Writes the facts of a group or, if `group` is GROUPS, those of all other
 * groups: scores of the model-free baselines. */
static void put_group(struct page *p, const struct results *r, int group,
                      const char *title)
{
    int any = 0;

    for (int i = 0; i < r->facts; i++) {
        const struct fact *f = &r->fact[i];
        int of = 0;

        while (of < GROUPS && strcmp(groups[of].group, f->group))
            of++;
        if (of != group)
            continue;
        if (!any++)
            begin_facts(p, title);
        page_fact(p, group < GROUPS
                         ? f->name
                         : arena_format(p->site->memory, "%s, %s",
                                        str_base(f->group), f->name),
                  NULL, f->text);
    }
}

/* ---- from the file of the cell ---- */

static const char *title_of_metric(const char *name)
{
    for (const struct metric *const *m = metric_all; *m; m++)
        if (!strcmp((*m)->name, name))
            return (*m)->title;
    return "";
}

static int put_metrics(struct page *p, const struct results *r,
                       struct cell_reader *cell)
{
    page_section(p, "metrics", "Metrics");
    page_table(p, "Metrics on the test examples", "sort");
    page_heads(p, "<><<", NAMES("Metric", "Value", "Description",
                                "Computation"));
    for (int i = 0; i < r->metrics; i++) {
        OWNED(free) char *path = str_format("metrics/%s", r->metric[i]);
        OWNED(free) char *how = NULL;

        PASS(cell_maybe(cell_get_text(cell, path, "signature", &how)));
        page_row(p, NULL, r->metric[i]);
        page_cell(p, NULL, arena_format(p->site->memory, "%.6g", r->value[i]),
                  0);
        page_cell(p, NULL, title_of_metric(r->metric[i]), 2);
        page_cell(p, NULL, how ? how : "", 2);
    }
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
    begin_facts(p, "Settings that differ from their defaults");
    json_object_foreach(all, key, v)
        page_fact(p, key, NULL, value_text(v, p->site->memory));
    return OK;
}

/* Writes the signature of this cell alone. */
static int put_signature(struct page *p, const struct report_cell *c,
                         const struct results *r)
{
    struct site *s = p->site;
    struct signed_task one;
    const char **metric = arena_zero(s->memory, ((size_t)r->metrics + 1) *
                                                    sizeof *metric);

    memcpy(metric, r->metric, (size_t)r->metrics * sizeof *metric);
    PASS(signature_of(&one, s->report, &c, 1, metric, NULL, NULL, s->memory));
    page_section(p, NULL, "Signature");
    page_command(p, "%s", signature_text(&(struct signature){1, &one},
                                         s->memory));
    return OK;
}

/* ---- the page of a cell ---- */

static void put_commands(struct page *p, const struct report_cell *c)
{
    const char *store = p->site->report->store;
    OWNED(free) char *word = text_quoted(store);
    const struct task *task;

    page_section(p, "again", "Reproduce this run");
    page_command(p, "synthbench rerun %s#%s", word, c->id);
    page_paragraph(p, "All its values:");
    page_command(p, "synthbench show %s#%s --all", word, c->id);
    if (task_find(&task, c->task) == OK && task->kind != TASK_LANGUAGE) {
        page_paragraph(p, "Samples of its output:");
        page_command(p, "synthbench show %s#%s --samples 10", word, c->id);
    }
    page_paragraph(p, "File: %s/cells/%s.h5 (HDF5).", store, c->id);
}

static void put_place(struct page *p, const struct report_cell *c)
{
    struct site *s = p->site;

    page_table(p, "Identification", NULL);
    page_fact(p, "Variant", page_of(p, "variant", c->variant), c->variant);
    page_fact(p, "Task", site_task(s, c->task) < 0
                  ? NULL : page_of(p, "task", c->task),
              site_task_title(s, c->task));
    page_fact(p, "Scale", NULL, c->scale);
    page_fact(p, "Seed", NULL, arena_format(s->memory, "%lld", c->seed));
    page_fact(p, "Id", NULL, c->id);
    page_fact(p, "Status", NULL, cell_state_text[c->state]);
    if (*c->message)
        page_fact(p, "Reason", NULL, c->message);
    if (c->synthetic)
        page_fact(p, "Data", NULL, "synthetic: made by a generator");
    for (const char **guess = s->report->guessed; *guess; guess++)
        if (guess_about(*guess, c->task, c->variant))
            page_fact(p, "Assumption", NULL, *guess);
}

static int put_finished(struct page *p, const struct report_cell *c,
                        const struct results *r)
{
    OWNED(cell_close) struct cell_reader *cell = NULL;
    const struct blind_baseline *b = &r->blind;

    PASS(report_read(&cell, p->site->report, c->id));
    if (b->name && b->worse)
        page_warning(p, arena_format(
            p->site->memory, "Worse than the input-blind baseline: its %s is "
            "%.4g; %s has %.4g.", b->metric, b->own, b->name, b->value));
    PASS(page_curve(p, c->variant, c->task, &c->seed,
                    arena_format(p->site->memory, "Loss during training: %s",
                                 title_of(p->site, c))));
    PASS(put_metrics(p, r, cell));
    put_group(p, r, GROUPS, "Model-free baselines on the same examples");
    put_commands(p, c);
    PASS(put_signature(p, c, r));
    PASS(put_settings(p, cell));
    for (int i = 0; i < GROUPS; i++)
        put_group(p, r, i, groups[i].title);
    return OK;
}

/* ---- the list of all cells ---- */

static void put_line(struct page *p, int i)
{
    const struct site *s = p->site;
    const struct report_cell *c = &s->report->cell[i];
    double ce = c->state == CELL_DONE ? site_value(&s->cell[i], "ce") : NAN;

    page_row(p, page_of(p, "cell", c->id), c->id);
    page_cell(p, NULL, c->variant, 1);
    page_cell(p, NULL, arena_format(s->memory, "%s%s",
                                    site_task_title(s, c->task),
                                    c->synthetic ? " (SYNTHETIC)" : ""), 1);
    page_cell(p, NULL, arena_format(s->memory, "%lld", c->seed), 0);
    page_cell(p, NULL, cell_state_text[c->state], 1);
    page_cell(p, NULL, isnan(ce) ? "-" : arena_format(s->memory, "%.4f", ce),
              0);
}

int pages_cell(struct site *s)
{
    OWNED(page_close) struct page all = {0};

    for (int i = 0; i < s->report->n; i++) {
        const struct report_cell *c = &s->report->cell[i];
        OWNED(page_close) struct page p = {0};

        page_open(&p, s, "cell", c->id, title_of(s, c));
        put_place(&p, c);
        if (c->state == CELL_DONE)
            PASS(put_finished(&p, c, &s->cell[i]));
        PASS(page_shut(&p));
    }
    page_open(&all, s, "", "cells", "Cells");
    page_paragraph(&all, "Each cell is one trained model. CE: token "
                   "cross-entropy on the test examples, in nats.");
    page_table(&all, "All cells of the experiment", "sort");
    page_heads(&all, "<<<><>", NAMES("Cell", "Variant", "Task", "Seed",
                                     "Status", "CE\u2193"));
    for (int i = 0; i < s->report->n; i++)
        put_line(&all, i);
    return page_shut(&all);
}
