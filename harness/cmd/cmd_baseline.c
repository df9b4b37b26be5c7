/* baseline: saves, lists and prints baselines, which are accepted results,
 * stored as text to be committed (gate/baseline.h). */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/gate/baseline.h"
#include "harness/gate/pair_cells.h"
#include "harness/metrics/metric.h"
#include "harness/print/sheet.h"
#include "harness/store/cell.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The options of all subcommands; each uses some. */
struct given {
    const char *store, *folder, *format;
    int         portable;
};

/* ---- files ---- */

/* Sets *out to FOLDER/NAME.tsv, which the caller frees.  Returns ERR_USAGE if
 * NAME is not a valid name. */
static int path_of(char **out, const char *folder, const char *name)
{
    if (!cell_name_ok(name))
        return err_set(ERR_USAGE, "'%s' is not a valid baseline name: use "
                                  "letters, digits and + _ . -, and begin "
                                  "with a letter, a digit, + or _", name);
    *out = str_format("%s/%s.tsv", folder, name);
    return OK;
}

/* Reads the baseline NAME of a folder.  The caller frees *path. */
static int read_named(struct baseline **out, char **path, const char *folder,
                      const char *name)
{
    PASS(path_of(path, folder, name));
    return baseline_read(out, *path);
}

/* Returns a value as text, or "-" if it is unknown. */
static const char *value_text(struct arena *a, const struct baseline_value *v)
{
    if (v->text)
        return arena_format(a, "%.16s", v->text);
    return isnan(v->value) ? "-" : arena_format(a, "%.6g", v->value);
}

/* ---- save ---- */

static const struct opt save_options[] = {
    {.group = opts_results, .at = OPT_AT(store)},
    {.group = opts_baselines, .at = OPT_AT(folder)},
    {"--portable", 0, NULL, opt_flag, OPT_AT(portable),
     .doc = "Leave out times, memory, machine and build, so that the "
            "baseline holds only what every machine must reproduce"},
    {.name = NULL}};

static int save(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    const char *name = args->of[0];
    OWNED(free) char *path = NULL;
    OWNED(baseline_close) struct baseline *b = NULL, *old = NULL;

    PASS(path_of(&path, g->folder, name));
    if (!g->store)
        return err_set(ERR_USAGE, "baseline save: specify the results with "
                                  "--store DIR");
    PASS(baseline_measure(&b, name, g->store, 1, metric_all));
    if (g->portable)
        baseline_strip(b);
    if (file_exists(path) && baseline_read(&old, path) < 0)
        say("%s: replaced", err_last());
    PASS(file_mkdirs(g->folder));
    PASS(baseline_write(b, path));
    say("%s: %d cells of %s", path, b->cells, g->store);
    int changed = 0, added = 0, gone = 0;
    struct cell_pair *m;
    int n = old ? pair_baselines(&m, old, b, b->memory) : 0;
    for (int i = 0; i < n; i++) {
        added += !m[i].a;
        gone += !m[i].b;
        changed += m[i].a && m[i].b && pair_moved(&m[i]);
    }
    if (old)
        say("compared with the previous baseline: %d cells changed, %d added, "
            "%d removed", changed, added, gone);
    return OK;
}

static const struct command baseline_save = {
    .name = "save",
    .summary = "Save the results of a store as a baseline",
    .args = "NAME --store STORE",
    .doc = "All cells must be finished, except those that `plan` says cannot "
           "be trained. An existing baseline of that name is replaced.",
    .options = save_options, .bytes = sizeof(struct given),
    .least = 1, .most = 1, .run = save};

/* ---- list ---- */

static const struct opt show_options[] = {
    {.group = opts_baselines, .at = OPT_AT(folder)},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

/* Sets *out to the names of the files NAME.tsv in a folder, sorted, and *n to
 * their number. */
static int names_in(const char ***out, int *n, const char *folder,
                    struct arena *a)
{
    *n = 0;
    if (folder_names(out, folder, a))
        return errno == ENOENT ? OK : err_errno(ERR_IO, "%s", folder);
    for (const char **file = *out; *file; file++)
        if (str_ends(*file, ".tsv"))
            (*out)[(*n)++] = arena_format(
                a, "%.*s", (int)(strlen(*file) - strlen(".tsv")), *file);
    qsort(*out, (size_t)*n, sizeof **out, str_order);
    return OK;
}

struct listed {
    const char *name, *experiment, *commit, *machine;
    int         cells;
};

static const char *show_commit(const void *row, struct arena *a)
{
    const char *commit = ((const struct listed *)row)->commit;

    return commit ? arena_format(a, "%.12s", commit) : "";
}

static const struct column listed_columns[] = {
    {"name", "name", COLUMN(struct listed, name)},
    {"experiment", "experiment", COLUMN(struct listed, experiment)},
    {"cells", "cells", COLUMN(struct listed, cells)},
    {"commit", "commit", COLUMN(struct listed, commit), .show = show_commit},
    {"machine", "machine", COLUMN(struct listed, machine)},
    {.type = COLUMN_END}};

static const char *fact_of(const struct baseline *b, const char *name,
                           struct arena *a)
{
    const char *text = baseline_fact(b, name);

    return text ? arena_text(a, text) : NULL;
}

static int list(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(sheet_close) struct sheet *s = sheet_new();
    struct arena *a = s->memory;
    const char **name = NULL;
    int n, rows = 0;

    (void)args;
    PASS(names_in(&name, &n, g->folder, a));
    if (!n)
        return err_set(ERR_EMPTY, "%s: no such baseline; `synthbench "
                                  "baseline save NAME --store STORE` "
                                  "creates one", g->folder);
    struct listed *row = arena_zero(a, (size_t)n * sizeof *row);
    for (int i = 0; i < n; i++) {
        OWNED(baseline_close) struct baseline *b = NULL;
        OWNED(free) char *path = str_format("%s/%s.tsv", g->folder, name[i]);

        if (baseline_read(&b, path) < 0)
            say("%s", err_last());
        else
            row[rows++] = (struct listed){
                name[i], fact_of(b, "experiment", a), fact_of(b, "commit", a),
                fact_of(b, "machine", a), b->cells};
    }
    sheet_relation(s, &(struct relation){"rows", listed_columns, row,
                                         sizeof *row, rows});
    PASS(sheet_print(s, g->format, NULL));
    return rows < n ? -ERR_STORE : OK;
}

static const struct command baseline_list = {
    .name = "list",
    .summary = "List baselines",
    .args = "",
    .formats = command_text_json,
    .options = show_options, .bytes = sizeof(struct given), .run = list};

/* ---- show ---- */

static const char *show_better(const void *row, struct arena *a)
{
    (void)a;
    return baseline_better(((const struct baseline_value *)row)->better);
}

#define VALUE(member) COLUMN(struct baseline_value, member)
static const struct column value_columns[] = {
    {"what", NULL, VALUE(what)},
    {"value", NULL, COLUMN_TEXT_OR(struct baseline_value, text, value)},
    {"low", NULL, COLUMN_AS(COLUMN_WHOLE, struct baseline_value, between.low)},
    {"high", NULL,
     COLUMN_AS(COLUMN_WHOLE, struct baseline_value, between.high)},
    {"units", NULL, VALUE(units)},
    {"better", NULL, COLUMN_SHOWN, .show = show_better},
    {"signature", NULL, VALUE(signature)},
    {.type = COLUMN_END}};

static const struct column cell_columns[] = {
    {"cell", NULL, COLUMN(struct baseline_cell, name)},
    {"values", NULL, COLUMN_ROWS(struct baseline_cell, value, n,
                                 value_columns)},
    {.type = COLUMN_END}};

static void put_facts(struct sheet *s, const struct baseline *b)
{
    struct grid *g = sheet_listing(s, "<<", NULL);
    json_t *facts = json_object();

    for (int i = 0; i < b->facts; i++) {
        grid_add(g, "%s\t%s", b->fact[i].name, b->fact[i].text);
        json_object_set_new(facts, b->fact[i].name,
                            json_string(b->fact[i].text));
    }
    sheet_fact(s, "name", json_string(b->name));
    sheet_fact(s, "facts", facts);
}

static void put_cells(struct sheet *s, const char *list,
                      const struct baseline_cell *cell, int n)
{
    static const char *const head[] = {"cell", "what", "value", "low", "high",
                                       "units", NULL};
    struct grid *g = n ? sheet_listing(s, "<<>>><", head) : NULL;

    for (int i = 0; i < n; i++) {
        const char *name = cell[i].name;

        for (int k = 0; k < cell[i].n; k++) {
            const struct baseline_value *v = &cell[i].value[k];

            if (!strcmp(v->what, "config"))
                continue; /* only in JSON: too wide */
            grid_add(g, "%s\t%s\t%s", name, v->what,
                     value_text(s->memory, v));
            grid_number(g, "%.6g", v->between.low, "");
            grid_number(g, "%.6g", v->between.high, "");
            grid_add(g, "%s", v->units);
            name = "";
        }
    }
    sheet_relation(s, &(struct relation){list, cell_columns, cell,
                                         sizeof *cell, n});
}

static int show(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(baseline_close) struct baseline *b = NULL;
    OWNED(free) char *path = NULL;
    OWNED(sheet_close) struct sheet *s = sheet_new();

    PASS(read_named(&b, &path, g->folder, args->of[0]));
    put_facts(s, b);
    put_cells(s, "cells", b->cell, b->cells);
    return sheet_print(s, g->format, NULL);
}

static const struct command baseline_show = {
    .name = "show",
    .summary = "Show the contents of a baseline",
    .args = "NAME",
    .doc = "start: losses of the first steps; weights, data, results: digests.",
    .formats = command_text_json,
    .options = show_options, .bytes = sizeof(struct given),
    .least = 1, .most = 1, .run = show};

static const struct command *const subjects[] = {
    &baseline_save, &baseline_list, &baseline_show, NULL};

const struct command command_baseline = {
    .name = "baseline",
    .summary = "Save accepted results, and show them",
    .args = "save|list|show [NAME]",
    .subjects = subjects,
    .least = 1};
