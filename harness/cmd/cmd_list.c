/* list: lists variants, tasks, metrics, settings and other names. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/folder.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/claims/claims.h"
#include "harness/config/experiment.h"
#include "harness/config/key_table.h"
#include "harness/config/matrix.h"
#include "harness/config/schema.h"
#include "harness/metrics/metric.h"
#include "harness/metrics/scorer.h"
#include "harness/print/sheet.h"
#include "harness/report/table.h"
#include "harness/tasks/task.h"
#include "plots/figure.h"
#include "variants/variants.h"

#include <stdio.h>
#include <string.h>

struct given { const char *format; };

static const struct opt options[] = {
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

/* ---- the columns of each kind ---- */

static const struct column of_variants[] = {
    {"name", "name", COLUMN(struct variant, name)},
    {"title", "title", COLUMN(struct variant, title)},
    {"cite", "cite", COLUMN(struct variant, cite)},
    {"depends", "depends", COLUMN_AS(COLUMN_ENUM, struct variant, depends),
     .words = depends_text},
    {"learns", "learns", COLUMN(struct variant, learns)},
    {.type = COLUMN_END}};

static const char *suite(const void *row, struct arena *a)
{
    const struct task *t = row;

    (void)a;
    return t->law ? "science" : "paper";
}

static const char *const kinds_of_task[] = {
    [TASK_TRANSDUCE] = "text to text", [TASK_LANGUAGE] = "language model",
    [TASK_CLASSIFY] = "classification", [TASK_DENOISE] = "denoising"};

static const struct column of_tasks[] = {
    {"name", "name", COLUMN(struct task, name)},
    {"title", "title", COLUMN(struct task, title)},
    {"suite", "suite", COLUMN_SHOWN, .show = suite, .left = 1},
    {"cite", "cite", COLUMN(struct task, cite)},
    {"kind", "kind", COLUMN_AS(COLUMN_ENUM, struct task, kind),
     .words = kinds_of_task},
    {"source", "source", COLUMN(struct task, source)},
    {"generator", "generator", COLUMN(struct task, generator)},
    {.type = COLUMN_END}};

/* The words of -1, 0 and 1. */
static const char *const directions[] = {"lower", "lower", "higher"};

static const struct column of_metrics[] = {
    {"name", "name", COLUMN(struct metric, name)},
    {"title", "title", COLUMN(struct metric, title)},
    {"unit", "unit", COLUMN(struct metric, unit)},
    {"better", "better", COLUMN_AS(COLUMN_ENUM, struct metric, better),
     .words = directions + 1},
    {"signature", "signature", COLUMN(struct metric, signature)},
    {.type = COLUMN_END}};

static const char *scorer_input(const void *row, struct arena *a)
{
    (void)a;
    return ((const struct scorer *)row)->takes & SCORE_LABELS ? "pred gold"
                                                             : "hyp ref";
}

/* Returns the options of a scorer: "tokenize=13a lowercase=no ...". */
static const char *scorer_options(const void *row, struct arena *a)
{
    const char *all = "";

    for (const struct key *k = ((const struct scorer *)row)->options;
         k && k->name; k++)
        all = arena_format(a, "%s%s%s=%s", all, *all ? " " : "", k->name,
                           k->initial ? k->initial : "");
    return all;
}

static const struct column of_scorers[] = {
    {"name", "name", COLUMN(struct scorer, name)},
    {"title", "title", COLUMN(struct scorer, title)},
    {"unit", "unit", COLUMN(struct scorer, unit)},
    {"input", "input", COLUMN_SHOWN, .show = scorer_input, .left = 1},
    {"options", "options", COLUMN_SHOWN, .show = scorer_options, .left = 1},
    {.type = COLUMN_END}};

static const struct column of_tables[] = {
    {"name", "name", COLUMN(struct table, name)},
    {"title", "title", COLUMN(struct table, title)},
    {"cite", "cite", COLUMN(struct table, cite)},
    {.type = COLUMN_END}};

static const struct column of_figures[] = {
    {"name", "name", COLUMN(struct figure, name)},
    {"title", "title", COLUMN(struct figure, title)},
    {.type = COLUMN_END}};

static const struct column of_claims[] = {
    {"name", "name", COLUMN(struct claim, id)},
    {"kind", "kind", COLUMN_AS(COLUMN_ENUM, struct claim, kind),
     .words = claim_kinds},
    {"source", "source", COLUMN(struct claim, source)},
    {"text", "text", COLUMN(struct claim, text)},
    {.type = COLUMN_END}};

static const char *check_measures(const void *row, struct arena *a)
{
    const char *all = "";

    for (const struct check_measure *m = ((const struct check *)row)->measure;
         m && m->name; m++)
        all = arena_format(a, "%s%s%s", all, *all ? " " : "", m->name);
    return all;
}

static const struct column of_checks[] = {
    {"name", "name", COLUMN(struct check, name)},
    {"title", "title", COLUMN(struct check, what)},
    {"arguments", "arguments", COLUMN(struct check, arguments)},
    {"measures", "measures", COLUMN_SHOWN, .show = check_measures, .left = 1},
    {.type = COLUMN_END}};

/* ---- kinds with computed rows ---- */

struct setting { const char *name, *initial, *range, *variant, *help; };

static const struct column of_settings[] = {
    {"name", "name", COLUMN(struct setting, name)},
    {"default", "default", COLUMN(struct setting, initial)},
    {"range", "range", COLUMN(struct setting, range)},
    {"variant", "variant", COLUMN(struct setting, variant)},
    {"title", "title", COLUMN(struct setting, help)},
    {.type = COLUMN_END}};

static int settings(struct relation *r, struct arena *a)
{
    const struct variant *by;
    struct setting *row;

    while (key_at(r->rows, &by))
        r->rows++;
    r->row = row = arena_take(a, (size_t)r->rows * sizeof *row);
    r->size = sizeof *row;
    for (int i = 0; i < r->rows; i++) {
        const struct key *k = key_at(i, &by);
        OWNED(free) char *range = key_range(k);

        row[i] = (struct setting){k->name, k->initial, arena_text(a, range),
                                  by ? by->name : "", k->help};
    }
    return OK;
}

struct listed_experiment { const char *name, *title, *cells, *file; };

static const struct column of_experiments[] = {
    {"name", "name", COLUMN(struct listed_experiment, name)},
    {"title", "title", COLUMN(struct listed_experiment, title)},
    {"cells", "cells", COLUMN(struct listed_experiment, cells)},
    {"file", "file", COLUMN(struct listed_experiment, file)},
    {.type = COLUMN_END}};

static int experiments(struct relation *r, struct arena *a)
{
    static const struct choice none = {.scale = NULL};
    OWNED(free) char *folder = NULL;
    struct listed_experiment *row;
    const char **file;
    size_t n = 0;

    PASS(experiment_folder(&folder));
    if (folder_names(&file, folder, a))
        return err_errno(ERR_IO, "%s", folder);
    while (file[n])
        n++;
    r->row = row = arena_take(a, n * sizeof *row);
    r->size = sizeof *row;
    for (; *file; file++)
        if (str_ends(*file, ".yaml") && strcmp(*file, str_base(CLAIMS_FILE))) {
            OWNED(experiment_close) struct experiment *e = NULL;
            OWNED(free) struct matrix_cell *cell = NULL;
            const char *path = arena_format(a, "%s/%s", folder, *file);
            int cells;

            PASS(experiment_read(&e, path));
            PASS(matrix_cells(e, &none, &cell, &cells));
            row[r->rows++] = (struct listed_experiment){
                arena_text(a, e->name), arena_text(a, e->title),
                arena_format(a, "%d", cells), path};
        }
    return OK;
}

static int claims(struct relation *r, struct arena *a)
{
    OWNED(claims_close) struct claims *c = NULL;
    struct claim *row;

    PASS(claims_read(&c, NULL));
    r->row = row = arena_take(a, (size_t)c->n * sizeof *row);
    r->rows = c->n;
    r->size = sizeof *row;
    for (int i = 0; i < c->n; i++)
        row[i] = (struct claim){.id = arena_text(a, c->claim[i].id),
                                .kind = c->claim[i].kind,
                                .source = arena_text(a, c->claim[i].source),
                                .text = arena_text(a, c->claim[i].text)};
    return OK;
}

/* ---- the command ---- */

static const struct subject {
    const char         *name;
    const struct column *column;
    const void         *all; /* pointers to rows, ends with NULL, or NULL */
    int (*make)(struct relation *r, struct arena *a); /* makes rows; or NULL */
    const char         *legend; /* printed below the rows; or NULL */
} subjects[] = {
    {.name = "variants", .column = of_variants, .all = variant_all,
     .legend = "depends: what a score depends on, apart from the two "
               "positions. learns: parameters of the scores in a layer, where "
               "d is the width of the model, h its heads, k = d/h, N the "
               "longest input, r the rank, a and c the lengths of the factors, "
               "p Linformer's projected length, H and K the heads and the "
               "width of a convolution."},
    {.name = "tasks", .column = of_tasks, .all = task_all},
    {.name = "metrics", .column = of_metrics, .all = metric_all},
    {.name = "scorers", .column = of_scorers, .all = scorer_all},
    {.name = "experiments", .column = of_experiments, .make = experiments},
    {.name = "tables", .column = of_tables, .all = table_all},
    {.name = "figures", .column = of_figures, .all = figure_all},
    {.name = "claims", .column = of_claims, .make = claims},
    {.name = "checks", .column = of_checks, .all = check_all},
    {.name = "keys", .column = of_settings, .make = settings},
    {.name = "schema"},
    {.name = NULL}};

static int run_list(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    int i = names_row("kind", args->of[0], subjects, sizeof *subjects);
    OWNED(sheet_close) struct sheet *s = sheet_new();

    PASS(i);
    const struct subject *of = &subjects[i];
    if (!of->column) {
        OWNED(json_decref) json_t *schema = schema_experiment();

        json_dumpf(schema, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
        putchar('\n');
        return OK;
    }
    struct relation r = {"rows", of->column, of->all, 0, 0};
    if (of->make)
        PASS(of->make(&r, s->memory));
    while (of->all && ((const void *const *)of->all)[r.rows])
        r.rows++;
    sheet_relation(s, &r);
    if (of->legend)
        sheet_put(s, PART_PARAGRAPH, "%s", of->legend);
    return sheet_print(s, g->format, NULL);
}

const struct command command_list = {
    .name = "list",
    .summary = "List variants, tasks, metrics, keys and more",
    .args = "KIND",
    .doc = "KIND is variants, tasks, metrics, scorers, experiments, tables, "
           "figures, claims, checks (what claims of kind `computed` "
           "measure), keys (the settings of a cell), or schema (JSON Schema "
           "of experiment files, always JSON).",
    .formats = command_text_json,
    COMMAND_RUNS(run_list, 1, 1)};
