/* list: what there is to choose from. */
#include "harness/base/json.h"
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
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

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct given { const char *format; };

static const struct opt options[] = {
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

/* Each fills an array of objects of text, all with the same keys. */

static int variants(json_t *rows)
{
    for (int i = 0; variant_all[i]; i++) {
        const struct variant *v = variant_all[i];

        json_array_append_new(
            rows, json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", v->name,
                            "title", v->title, "cite", v->cite, "depends",
                            depends_text[v->depends], "learns", v->learns));
    }
    return OK;
}

static int tasks(json_t *rows)
{
    static const char *const kind[] = {
        [TASK_TRANSDUCE] = "text to text", [TASK_LANGUAGE] = "language model",
        [TASK_CLASSIFY] = "classification", [TASK_DENOISE] = "denoising"};

    for (int i = 0; task_all[i]; i++) {
        const struct task *t = task_all[i];

        json_array_append_new(
            rows, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "name",
                            t->name, "title", t->title, "suite",
                            t->law ? "science" : "paper", "cite", t->cite,
                            "kind", kind[t->kind], "source",
                            t->source ? t->source : "", "generator",
                            t->generator));
    }
    return OK;
}

static int metrics(json_t *rows)
{
    for (int i = 0; metric_all[i]; i++) {
        const struct metric *m = metric_all[i];

        json_array_append_new(
            rows, json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", m->name,
                            "title", m->title, "unit", m->unit, "better",
                            m->better > 0 ? "higher" : "lower", "signature",
                            m->signature));
    }
    return OK;
}

/* "tokenize=13a lowercase=no ..." of a scorer, into fresh memory. */
static char *options_of(const struct scorer *s)
{
    struct text all = {0};

    text_clear(&all);
    for (const struct score_option *o = s->options; o && o->key; o++)
        text_format(&all, "%s%s=%s", all.n ? " " : "", o->key,
                    o->value ? o->value : "");
    return all.s;
}

static int scorers(json_t *rows)
{
    for (int i = 0; scorer_all[i]; i++) {
        const struct scorer *s = scorer_all[i];
        char *all = options_of(s);

        json_array_append_new(
            rows, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "name", s->name,
                            "title", s->title, "unit", s->unit, "better",
                            s->better > 0 ? "higher" : "lower", "input",
                            s->takes & SCORE_LABELS ? "pred gold" : "hyp ref",
                            "options", all));
        free(all);
    }
    return OK;
}

static int tables(json_t *rows)
{
    for (int i = 0; table_all[i]; i++) {
        const struct table *t = table_all[i];

        json_array_append_new(rows, json_pack("{s:s, s:s, s:s}", "name",
                                              t->name, "title", t->title,
                                              "cite", t->cite));
    }
    return OK;
}

static int figures(json_t *rows)
{
    for (int i = 0; figure_all[i]; i++)
        json_array_append_new(
            rows, json_pack("{s:s, s:s}", "name", figure_all[i]->name,
                            "title", figure_all[i]->title));
    return OK;
}

static int settings(json_t *rows)
{
    const struct variant *by;
    const struct key *k;

    for (int i = 0; (k = key_at(i, &by)); i++) {
        char *range = key_range(k);

        json_array_append_new(
            rows, json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", k->name,
                            "default", k->initial, "range", range, "variant",
                            by ? by->name : "", "title", k->help));
        free(range);
    }
    return OK;
}

static int is_yaml(const struct dirent *d)
{
    const char *dot = strrchr(d->d_name, '.');

    return dot && !strcmp(dot, ".yaml");
}

static int add_experiment(json_t *rows, const char *folder, const char *file)
{
    OWNED(free) char *path = str_format("%s/%s", folder, file);
    static const struct choice none = {.scale = NULL};
    OWNED(experiment_close) struct experiment *e = NULL;
    OWNED(free) struct config *config = NULL;
    char cells[16];
    int n;

    PASS(experiment_read(&e, path));
    PASS(matrix_cells(e, &none, &config, &n));
    snprintf(cells, sizeof cells, "%d", n);
    json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:s}", "name",
                                          e->name, "title", e->title, "cells",
                                          cells, "file", path));
    return OK;
}

static int experiments(json_t *rows)
{
    struct dirent **file;
    OWNED(free) char *folder = NULL;
    int n, rc = OK;

    PASS(experiment_folder(&folder));
    n = scandir(folder, &file, is_yaml, alphasort);
    if (n < 0)
        return err_errno(ERR_IO, "%s", folder);
    for (int i = 0; i < n; i++) {
        if (rc == OK)
            rc = add_experiment(rows, folder, file[i]->d_name);
        free(file[i]);
    }
    free(file);
    return rc;
}

static const char *const names[] = {"variants", "tasks",  "metrics", "scorers",
                                    "experiments", "tables", "figures",
                                    "keys", "settings", NULL};
static int (*const subjects[])(json_t *rows) = {
    variants, tasks, metrics, scorers, experiments, tables, figures,
    settings, settings /* the former name */};

static int run(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    int i = names_index(names, args->of[0]);
    OWNED(sheet_close) struct sheet *s = sheet_new();
    OWNED(json_decref) json_t *rows = json_array();

    if (i < 0)
        return names_unknown("subject", args->of[0], names);
    PASS(subjects[i](rows));
    sheet_rows(s, json_incref(rows));
    return sheet_print(s, g->format, NULL);
}

const struct command command_list = {
    .name = "list",
    .summary = "What there is to choose from: variants, tasks, settings ...",
    .args = "variants|tasks|metrics|scorers|experiments|tables|figures|keys",
    .formats = command_text_json,
    COMMAND_RUNS(1, 1)};
