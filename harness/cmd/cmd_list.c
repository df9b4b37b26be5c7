/* list: what there is to choose from. */
#include "harness/base/json.h"
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/folder.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/claims/claims.h"
#include "harness/config/experiment.h"
#include "harness/config/key_table.h"
#include "harness/config/matrix.h"
#include "harness/metrics/metric.h"
#include "harness/metrics/scorer.h"
#include "harness/print/sheet.h"
#include "harness/report/table.h"
#include "harness/tasks/task.h"
#include "plots/figure.h"
#include "variants/variants.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct given { const char *format; };

static const struct opt options[] = {
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

/* The i-th as an object of text, of one subject with the same keys; NULL: there
 * are no more. */
typedef json_t *lister(int i);

static json_t *variants(int i)
{
    const struct variant *v = variant_all[i];

    return !v ? NULL
              : json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", v->name,
                          "title", v->title, "cite", v->cite, "depends",
                          depends_text[v->depends], "learns", v->learns);
}

static json_t *tasks(int i)
{
    static const char *const kind[] = {
        [TASK_TRANSDUCE] = "text to text", [TASK_LANGUAGE] = "language model",
        [TASK_CLASSIFY] = "classification", [TASK_DENOISE] = "denoising"};
    const struct task *t = task_all[i];

    return !t ? NULL
              : json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "name",
                          t->name, "title", t->title, "suite",
                          t->law ? "science" : "paper", "cite", t->cite,
                          "kind", kind[t->kind], "source",
                          t->source ? t->source : "", "generator",
                          t->generator);
}

static const char *direction(int better)
{
    return better > 0 ? "higher" : "lower";
}

static json_t *metrics(int i)
{
    const struct metric *m = metric_all[i];

    return !m ? NULL
              : json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", m->name,
                          "title", m->title, "unit", m->unit, "better",
                          direction(m->better), "signature", m->signature);
}

/* "tokenize=13a lowercase=no ..." are the options. */
static json_t *scorers(int i)
{
    const struct scorer *s = scorer_all[i];
    OWNED(text_free) struct text all = {0};

    text_clear(&all);
    for (const struct score_option *o = s ? s->options : NULL; o && o->key; o++)
        text_format(&all, "%s%s=%s", all.n ? " " : "", o->key,
                    o->value ? o->value : "");
    return !s ? NULL
              : json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "name", s->name,
                          "title", s->title, "unit", s->unit, "better",
                          direction(s->better), "input",
                          s->takes & SCORE_LABELS ? "pred gold" : "hyp ref",
                          "options", all.s);
}

static json_t *tables(int i)
{
    const struct table *t = table_all[i];

    return !t ? NULL
              : json_pack("{s:s, s:s, s:s}", "name", t->name, "title",
                          t->title, "cite", t->cite);
}

static json_t *figures(int i)
{
    const struct figure *f = figure_all[i];

    return !f ? NULL
              : json_pack("{s:s, s:s}", "name", f->name, "title", f->title);
}

static json_t *settings(int i)
{
    const struct variant *by;
    const struct key *k = key_at(i, &by);
    OWNED(free) char *range = k ? key_range(k) : NULL;

    return !k ? NULL
              : json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", k->name,
                          "default", k->initial, "range", range, "variant",
                          by ? by->name : "", "title", k->help);
}

static int add_experiment(json_t *rows, const char *folder, const char *file)
{
    OWNED(free) char *path = str_format("%s/%s", folder, file);
    static const struct choice none = {.scale = NULL};
    OWNED(experiment_close) struct experiment *e = NULL;
    OWNED(free) struct matrix_cell *cell = NULL;
    char cells[16];
    int n;

    PASS(experiment_read(&e, path));
    PASS(matrix_cells(e, &none, &cell, &n));
    snprintf(cells, sizeof cells, "%d", n);
    json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:s}", "name",
                                          e->name, "title", e->title, "cells",
                                          cells, "file", path));
    return OK;
}

static int experiments(json_t *rows)
{
    OWNED(arena_free) struct arena *memory = arena_new();
    OWNED(free) char *folder = NULL;
    const char **file;

    PASS(experiment_folder(&folder));
    if (folder_names(&file, folder, memory))
        return err_errno(ERR_IO, "%s", folder);
    for (; *file; file++)
        if (str_ends(*file, ".yaml") && strcmp(*file, str_base(CLAIMS_FILE)))
            PASS(add_experiment(rows, folder, *file));
    return OK;
}

static int claims(json_t *rows)
{
    OWNED(claims_close) struct claims *c = NULL;

    PASS(claims_read(&c, NULL));
    for (int i = 0; i < c->n; i++)
        json_array_append_new(
            rows, json_pack("{s:s, s:s, s:s, s:s}", "name", c->claim[i].id,
                            "kind", claim_kinds[c->claim[i].kind], "source",
                            c->claim[i].source, "text", c->claim[i].text));
    return OK;
}

static json_t *checks(int i)
{
    const struct check *k = check_all[i];
    OWNED(text_free) struct text args = {0}, measures = {0};

    text_clear(&args);
    text_clear(&measures);
    for (const struct check_parameter *p = k ? k->parameter : NULL;
         p && p->name; p++) {
        text_format(&args, "%s%s", args.n ? " " : "", p->name);
        if (!isnan(p->standard))
            text_format(&args, "=%g", p->standard);
    }
    for (const struct check_measure *m = k ? k->measure : NULL; m && m->name;
         m++)
        text_format(&measures, "%s%s", measures.n ? " " : "", m->name);
    return !k ? NULL
              : json_pack("{s:s, s:s, s:s, s:s}", "name", k->name, "title",
                          k->what, "arguments", args.s, "measures",
                          measures.s);
}

static const struct subject {
    const char *name;
    lister     *one;                /* or */
    int       (*all)(json_t *rows); /* of what files list */
    const char *legend;             /* for people; NULL: none */
} subjects[] = {
    {.name = "variants", .one = variants,
     .legend = "depends: what a score depends on, apart from the two positions. "
               "learns: parameters of the scores in a layer, where d is the "
               "width of the model, h its heads, k = d/h, N the longest input, "
               "r the rank, a and c the lengths of the factors, p Linformer's "
               "projected length, H and K the heads and the width of a "
               "convolution."},
    {.name = "tasks", .one = tasks},
    {.name = "metrics", .one = metrics},
    {.name = "scorers", .one = scorers},
    {.name = "experiments", .all = experiments},
    {.name = "tables", .one = tables},
    {.name = "figures", .one = figures},
    {.name = "claims", .all = claims},
    {.name = "checks", .one = checks},
    {.name = "keys", .one = settings},
    {.name = "settings", .one = settings}, /* the former name of keys */
    {.name = NULL}};

static int run(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    int i = names_row("kind", args->of[0], subjects, sizeof *subjects);
    OWNED(sheet_close) struct sheet *s = sheet_new();
    OWNED(json_decref) json_t *rows = json_array();
    json_t *row;

    PASS(i);
    const struct subject *of = &subjects[i];
    if (of->all)
        PASS(of->all(rows));
    for (int k = 0; of->one && (row = of->one(k)); k++)
        json_array_append_new(rows, row);
    sheet_rows(s, json_incref(rows));
    if (of->legend)
        sheet_put(s, PART_PARAGRAPH, "%s", of->legend);
    return sheet_print(s, g->format, NULL);
}

const struct command command_list = {
    .name = "list",
    .summary = "List variants, tasks, metrics, settings and more",
    .args = "KIND",
    .doc = "KIND is variants, tasks, metrics, scorers, experiments, tables, "
           "figures, claims, checks, or keys (the settings of a cell).",
    .formats = command_text_json,
    COMMAND_RUNS(1, 1)};
