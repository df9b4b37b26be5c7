/* list: lists variants, tasks, metrics, settings and other names. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/folder.h"
#include "harness/base/names.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
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

struct given { const char *format; int all; };

static const struct opt options[] = {
    {"--all", 0, NULL, opt_flag, OPT_AT(all),
     .doc = "Describe every name; other formats than text always do"},
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

/* ---- output ---- */

/* SCREEN is the number of rows that are listed with their titles; LINE is the
 * length of a line. */
enum { SCREEN = 35, LINE = 78 };

/* The name and the title of a row. */
struct item { const char *name, *title; };

static struct item item_of(const struct relation *r, int i, struct arena *a)
{
    OWNED(json_decref) json_t *row =
        relation_object(r->column, relation_row(r, i), a);
    const char *name = json_string_value(json_object_get(row, "name"));
    const char *title = json_string_value(json_object_get(row, "title"));

    return (struct item){arena_text(a, name),
                         title ? arena_text(a, title) : ""};
}

/* Keeps only the rows with `word` in the name. */
static int pick(struct relation *r, const char *word, const char *kind,
                struct arena *a)
{
    const void **row = arena_take(a, ((size_t)r->rows + 1) * sizeof *row);
    int n = 0;

    for (int i = 0; i < r->rows; i++)
        if (strstr(item_of(r, i, a).name, word))
            row[n++] = relation_row(r, i);
    *r = (struct relation){r->name, r->column, row, 0, n};
    return n ? OK
             : err_set(ERR_USAGE, "no name of `synthbench list %s` contains "
                       "'%s'", kind, word);
}

/* Returns the width of the names [from, to) and of the gap after them. */
static int width_of(const struct item *item, int from, int to)
{
    int width = 0;

    for (int i = from; i < to; i++)
        width = (int)strlen(item[i].name) > width ? (int)strlen(item[i].name)
                                                  : width;
    return width + 2;
}

/* Returns 1 if columns of so many lines fit into a line. */
static int fits(const struct item *item, int n, int lines)
{
    int width = 0;

    for (int from = 0; from < n; from += lines)
        width += width_of(item, from, from + lines < n ? from + lines : n);
    return width <= LINE;
}

/* Adds the names in columns, in as few lines as possible. */
static void put_names(struct sheet *s, const struct item *item, int n)
{
    int lines = 1;

    while (lines < n && !fits(item, n, lines))
        lines++;
    for (int i = 0; i < lines; i++) {
        const char *line = "";

        for (int k = i; k < n; k += lines) {
            int end = k - i + lines < n ? k - i + lines : n;

            line = arena_format(s->memory, "%s%-*s", line,
                                width_of(item, k - i, end), item[k].name);
        }
        sheet_put(s, PART_LINE, "%.*s", (int)text_rstrip(line, strlen(line)),
                  line);
    }
    sheet_put(s, PART_GAP, "%s", "");
}

/* Adds one screen: the names with the beginnings of their titles or, if there
 * are too many, the names alone. */
static void put_brief(struct sheet *s, const struct relation *r,
                      const char *kind)
{
    struct item *item = arena_take(s->memory, ((size_t)r->rows + 1) *
                                                  sizeof *item);
    struct grid *g = NULL;

    for (int i = 0; i < r->rows; i++)
        item[i] = item_of(r, i, s->memory);
    int room = LINE - width_of(item, 0, r->rows);
    if (r->rows > SCREEN)
        put_names(s, item, r->rows);
    else
        g = sheet_listing(s, "<<", NULL);
    for (int i = 0; g && i < r->rows; i++) {
        const char *title = item[i].title;
        int whole = (int)strlen(title) <= room;

        grid_add(g, "%s\t%.*s%s", item[i].name, whole ? room : room - 3, title,
                 whole ? "" : "...");
    }
    sheet_put(s, PART_PARAGRAPH, "%d %s. `list %s NAME` describes those with "
              "NAME in the name, `--all` all.", r->rows, kind, kind);
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
    if (args->n > 1)
        PASS(pick(&r, args->of[1], of->name, s->memory));
    if (args->n < 2 && !g->all && !strcmp(g->format, "text")) {
        put_brief(s, &r, of->name);
        return sheet_print(s, g->format, NULL);
    }
    sheet_relation(s, &r);
    if (of->legend)
        sheet_put(s, PART_PARAGRAPH, "%s", of->legend);
    return sheet_print(s, g->format, NULL);
}

const struct command command_list = {
    .name = "list",
    .summary = "List variants, tasks, metrics, keys and more",
    .args = "KIND [NAME]",
    .doc = "KIND is variants, tasks, metrics, scorers, experiments, tables, "
           "figures, claims, checks (what claims of kind `computed` "
           "measure), keys (the settings of a cell), or schema (JSON Schema "
           "of experiment files, always JSON). NAME, a part of a name, "
           "selects and describes some of them.",
    .formats = command_text_json,
    COMMAND_RUNS(run_list, 1, 2)};
