/* baseline list and baseline show: list the baselines, and print one. */
#include "harness/cmd/baseline_verbs.h"

#include "harness/base/err.h"
#include "harness/base/folder.h"
#include "harness/base/str.h"
#include "harness/print/sheet.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct given { const char *folder, *format; };

static const struct opt options[] = {
    {.group = opts_baselines, .at = OPT_AT(folder)},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

/* ---- list ---- */

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

static const char *or_blank(const char *s) { return s ? s : ""; }

static void put_listed(struct grid *g, json_t *rows, const struct baseline *b,
                       double bytes)
{
    const char *experiment = baseline_fact(b, "experiment");
    const char *commit = baseline_fact(b, "commit");
    const char *machine = baseline_fact(b, "machine");
    char count[32];

    grid_add(g, "%s", b->name);
    grid_add(g, "%s", or_blank(experiment));
    grid_add(g, "%d\t%d\t%s", b->cells, b->bands,
             isnan(bytes) ? "" : grid_count(bytes, "B", count));
    grid_add(g, "%.12s", or_blank(commit));
    grid_add(g, "%s", or_blank(machine));
    json_array_append_new(
        rows, json_pack("{s:s, s:s?, s:i, s:i, s:w, s:s?, s:s?}", "name",
                        b->name, "experiment", experiment, "cells", b->cells,
                        "bands", b->bands, "examples_bytes", bytes, "commit",
                        commit, "machine", machine));
}

static int list(const void *given, const struct arguments *args)
{
    static const char *const head[] = {"name", "experiment", "cells",
                                       "bands", "examples", "commit",
                                       "machine", NULL};
    const struct given *g = given;
    OWNED(sheet_close) struct sheet *s = sheet_new();
    const char **name = NULL;
    json_t *rows = json_array();
    struct grid *grid;
    int n, bad = 0;

    (void)args;
    s->object = json_pack("{s:o}", "rows", rows);
    PASS(names_in(&name, &n, g->folder, s->memory));
    if (!n)
        return err_set(ERR_EMPTY, "%s: no such baseline; `synthbench "
                                  "baseline save NAME --store STORE` "
                                  "creates one", g->folder);
    grid = sheet_listing(s, "<<>>><<", head);
    for (int i = 0; i < n; i++) {
        OWNED(baseline_close) struct baseline *b = NULL;
        OWNED(free) char *path = str_format("%s/%s.tsv", g->folder, name[i]);

        if (baseline_read(&b, path) < 0) {
            say("%s", err_last());
            bad = 1;
            continue;
        }
        put_listed(grid, rows, b, baseline_bytes(path));
    }
    PASS(sheet_print(s, g->format, NULL));
    return bad ? -ERR_STORE : OK;
}

const struct command baseline_list = {
    .name = "list",
    .summary = "List baselines",
    .args = "",
    .formats = command_text_json,
    .options = options, .bytes = sizeof(struct given), .run = list};

/* ---- show ---- */

static void put_facts(struct sheet *s, const struct baseline *b, double bytes)
{
    struct grid *g = sheet_listing(s, "<<", NULL);

    for (int i = 0; i < b->facts; i++)
        grid_add(g, "%s\t%s", b->fact[i].name, b->fact[i].text);
    if (!isnan(bytes))
        grid_add(g, "examples_bytes\t%.0f", bytes);
    else if (baseline_fact(b, "examples"))
        grid_add(g, "examples_bytes\tfile not found");
}

static json_t *whole_json(const struct baseline_value *v)
{
    return json_pack("{s:s, s:o, s:w, s:w, s:s, s:s, s:s}", "what", v->what,
                     "value", baseline_value_json(v), "low", v->between.low,
                     "high", v->between.high, "units", v->units, "better",
                     baseline_better(v->better), "signature", v->signature);
}

static void put_cells(struct sheet *s, const struct baseline_cell *cell, int n)
{
    static const char *const head[] = {"cell", "what", "value", "low", "high",
                                       "units", NULL};
    struct grid *g = sheet_listing(s, "<<>>><", head);

    for (int i = 0; i < n; i++) {
        const char *name = cell[i].name;

        for (int k = 0; k < cell[i].n; k++) {
            const struct baseline_value *v = &cell[i].value[k];

            if (!strcmp(v->what, "config"))
                continue; /* only in JSON: too wide */
            grid_add(g, "%s\t%s\t%s", name, v->what,
                     baseline_value_text(s->memory, v));
            grid_number(g, "%.6g", v->between.low, "");
            grid_number(g, "%.6g", v->between.high, "");
            grid_add(g, "%s", v->units);
            name = "";
        }
    }
}

static json_t *cells_json(const struct baseline_cell *cell, int n)
{
    json_t *cells = json_array();

    for (int i = 0; i < n; i++) {
        json_t *values = json_array();

        for (int k = 0; k < cell[i].n; k++)
            json_array_append_new(values, whole_json(&cell[i].value[k]));
        json_array_append_new(cells, json_pack("{s:s, s:o}", "cell",
                                               cell[i].name, "values",
                                               values));
    }
    return cells;
}

static json_t *baseline_json(const struct baseline *b, double bytes)
{
    json_t *facts = json_object();

    for (int i = 0; i < b->facts; i++)
        json_object_set_new(facts, b->fact[i].name,
                            json_string(b->fact[i].text));
    return json_pack("{s:s, s:o, s:w, s:o, s:o}", "name", b->name, "facts",
                     facts, "examples_bytes", bytes, "cells",
                     cells_json(b->cell, b->cells), "bands",
                     cells_json(b->band, b->bands));
}

static int show(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(baseline_close) struct baseline *b = NULL;
    OWNED(free) char *path = NULL;
    OWNED(sheet_close) struct sheet *s = sheet_new();

    PASS(baseline_named(&b, &path, g->folder, args->of[0]));
    put_facts(s, b, baseline_bytes(path));
    put_cells(s, b->cell, b->cells);
    if (b->bands)
        put_cells(s, b->band, b->bands);
    s->object = baseline_json(b, baseline_bytes(path));
    return sheet_print(s, g->format, NULL);
}

const struct command baseline_show = {
    .name = "show",
    .summary = "Show the contents of a baseline",
    .args = "NAME",
    .doc = "start: losses of the first steps; weights, data, results: digests.",
    .formats = command_text_json,
    .options = options, .bytes = sizeof(struct given),
    .least = 1, .most = 1, .run = show};
