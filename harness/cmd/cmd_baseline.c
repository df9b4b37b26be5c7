/* baseline: accepted results, kept as text that is committed. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/gate/band.h"
#include "harness/gate/kept.h"
#include "harness/gate/match.h"
#include "harness/metrics/metric.h"
#include "harness/print/sheet.h"
#include "harness/store/cell.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct given {
    const char *store, *folder, *format;
    int         all, portable, examples, bands;
};

static int path_of(char **out, const struct given *g, const char *name)
{
    if (!cell_name_ok(name))
        return err_set(ERR_USAGE, "'%s' is no name of a baseline: letters, "
                       "digits and + _ . - , the first no dot or dash", name);
    *out = str_format("%s/%s.tsv", g->folder, name);
    return OK;
}

static int read_named(struct baseline **out, char **path, const struct given *g,
                      const char *name)
{
    PASS(path_of(path, g, name));
    return baseline_read(out, *path);
}

/* Of the test examples beside the baseline at `path`; NAN: there are none. */
static double bytes_beside(const char *path)
{
    OWNED(free) char *kept = kept_path(path);
    struct stat s;

    return stat(kept, &s) ? NAN : (double)s.st_size;
}

/* As people and programs read a value. */
static const char *value_text(struct arena *a, const struct baseline_value *v)
{
    if (!v)
        return "-";
    return v->text ? arena_format(a, "%.16s", v->text)
                   : arena_format(a, "%.6g", v->value);
}

static json_t *value_json(const struct baseline_value *v)
{
    return v ? v->text ? json_string(v->text) : json_whole(v->value)
             : json_null();
}

/* ---- save ---- */

static const struct opt save_options[] = {
    {.group = opts_store, .at = OPT_AT(store)},
    {.group = opts_baselines, .at = OPT_AT(folder)},
    {"--portable", 0, NULL, opt_flag, OPT_AT(portable),
     .doc = "Without times and memory, machine and build: what any machine "
            "must give with the same bits"},
    {"--examples", 0, NULL, opt_flag, OPT_AT(examples),
     .doc = "Keep what paired tests need of each test example beside it, so "
            "that `gate` needs no store; says how many bytes that takes"},
    {"--bands", 0, NULL, opt_flag, OPT_AT(bands),
     .doc = "Keep where the learning curves of each configuration run, of at "
            "least 8 seeds; `gate` names a run that leaves them"},
    {.name = NULL}};

/* How many cells moved against the one that stood there. */
static void tell_moved(const struct baseline *old, const struct baseline *b)
{
    struct matched *m;
    int n = match_baselines(&m, old, b, b->memory);
    int moved = 0, added = 0, gone = 0;

    for (int i = 0; i < n; i++) {
        added += !m[i].a;
        gone += !m[i].b;
        moved += m[i].a && m[i].b && match_moved(&m[i]);
    }
    say("against what stood there: %d cells moved, %d added, %d removed",
        moved, added, gone);
}

/* "2 bands of 8 runs: a run of the same law stays inside with 4/5" */
static void tell_bands(const struct baseline *b)
{
    double least = INFINITY, n = INFINITY;

    for (int i = 0; i < b->bands; i++) {
        least = fmin(least, baseline_value(&b->band[i], "runs")->value);
        n = fmin(n, baseline_value(&b->band[i], "calibrated")->value);
    }
    if (b->bands)
        say("%d band%s of learning curves, of %.0f runs or more each: another "
            "one of the same law stays inside, at every step, with "
            "probability %.0f/%.0f", b->bands, b->bands == 1 ? "" : "s", least,
            n, n + 1);
}

/* Beside the baseline, or what an older one left there goes. */
static int save_examples(struct baseline *b, const struct given *g,
                         const char *path)
{
    OWNED(free) char *kept = kept_path(path);
    size_t bytes;

    if (!g->examples)
        return unlink(kept) && errno != ENOENT
                   ? err_errno(ERR_IO, "%s", kept) : OK;
    PASS(kept_save(b, kept, g->store, &bytes));
    say("%s: %zu bytes of test examples, %zu a cell", kept, bytes,
        bytes / (size_t)b->cells);
    return OK;
}

static int save(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    const char *name = args->of[0];
    OWNED(free) char *path = NULL;
    OWNED(baseline_close) struct baseline *b = NULL, *old = NULL;

    PASS(path_of(&path, g, name));
    if (!g->store)
        return err_set(ERR_USAGE, "baseline save: of which results? name them "
                       "with --store DIR");
    PASS(baseline_measure(&b, name, g->store, 1, metric_all));
    if (g->portable)
        baseline_strip(b);
    if (g->bands)
        PASS(band_make(b, g->store));
    if (file_exists(path) && baseline_read(&old, path) < 0)
        say("%s: it is written anew", err_last());
    PASS(file_mkdirs(g->folder));
    PASS(save_examples(b, g, path));
    PASS(baseline_write(b, path));
    say("%s: %d cells of %s", path, b->cells, g->store);
    tell_bands(b);
    if (old)
        tell_moved(old, b);
    return OK;
}

static const struct command baseline_save = {
    .name = "save",
    .summary = "Accepts what a store holds",
    .args = "NAME --store STORE",
    .doc = "Every cell must be done, or refused. What stood under the name is "
           "replaced.",
    .options = save_options, .bytes = sizeof(struct given),
    .least = 1, .most = 1, .run = save};

/* ---- list ---- */

static const struct opt list_options[] = {
    {.group = opts_baselines, .at = OPT_AT(folder)},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

/* Of the files NAME.tsv of a folder, sorted; n of them. */
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
        return err_set(ERR_EMPTY, "%s: no baseline; `synthbench baseline save "
                       "NAME --store STORE` makes one", g->folder);
    grid = sheet_listing(s, "<<>>><<", head);
    for (int i = 0; i < n; i++) {
        OWNED(baseline_close) struct baseline *b = NULL;
        OWNED(free) char *path = str_format("%s/%s.tsv", g->folder, name[i]);

        if (baseline_read(&b, path) < 0) {
            say("%s", err_last());
            bad = 1;
            continue;
        }
        put_listed(grid, rows, b, bytes_beside(path));
    }
    PASS(sheet_print(s, g->format, NULL));
    return bad ? -ERR_STORE : OK;
}

static const struct command baseline_list = {
    .name = "list",
    .summary = "Which baselines there are",
    .args = "",
    .formats = command_text_json,
    .options = list_options, .bytes = sizeof(struct given), .run = list};

/* ---- show ---- */

static void put_facts(struct sheet *s, const struct baseline *b, double bytes)
{
    struct grid *g = sheet_listing(s, "<<", NULL);

    for (int i = 0; i < b->facts; i++)
        grid_add(g, "%s\t%s", b->fact[i].name, b->fact[i].text);
    if (!isnan(bytes))
        grid_add(g, "examples_bytes\t%.0f", bytes);
    else if (baseline_fact(b, "examples"))
        grid_add(g, "examples_bytes\tthe file is not there");
}

static json_t *whole_json(const struct baseline_value *v)
{
    return json_pack("{s:s, s:o, s:w, s:w, s:s, s:s, s:s}", "what", v->what,
                     "value", value_json(v), "low", v->between.low, "high",
                     v->between.high, "units", v->units, "better",
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
                continue; /* JSON: too wide */
            grid_add(g, "%s\t%s\t%s", name, v->what, value_text(s->memory, v));
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

    PASS(read_named(&b, &path, g, args->of[0]));
    put_facts(s, b, bytes_beside(path));
    put_cells(s, b->cell, b->cells);
    if (b->bands)
        put_cells(s, b->band, b->bands);
    s->object = baseline_json(b, bytes_beside(path));
    return sheet_print(s, g->format, NULL);
}

static const struct command baseline_show = {
    .name = "show",
    .summary = "All that a baseline holds",
    .args = "NAME",
    .formats = command_text_json,
    .options = list_options, .bytes = sizeof(struct given),
    .least = 1, .most = 1, .run = show};

/* ---- diff ---- */

static const struct opt diff_options[] = {
    {.group = opts_baselines, .at = OPT_AT(folder)},
    {"--all", 0, NULL, opt_flag, OPT_AT(all),
     .doc = "Times and memory too, which are never the same"},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

static const struct baseline_value there = {.text = "there", .units = "",
                                            .signature = ""};

struct diff { struct sheet *sheet; struct grid *grid; json_t *rows; int all; };

static int same_value(const struct baseline_value *a,
                      const struct baseline_value *b)
{
    if (!a || !b)
        return a == b;
    if (strcmp(a->units, b->units) || strcmp(a->signature, b->signature))
        return 0;
    return a->text && b->text ? !strcmp(a->text, b->text)
                              : a->value == b->value ||
                                    (isnan(a->value) && isnan(b->value));
}

static void add_difference(struct diff *d, const char *cell, const char *what,
                           const struct baseline_value *a,
                           const struct baseline_value *b)
{
    static const char *const head[] = {"cell", "what", "A", "B", "B - A", NULL};

    if (!d->grid)
        d->grid = sheet_listing(d->sheet, "<<>>>", head);
    grid_add(d->grid, "%s\t%s\t%s\t%s", cell, what,
             value_text(d->sheet->memory, a), value_text(d->sheet->memory, b));
    if (a && b && !a->text && !b->text)
        grid_add(d->grid, "%+.4g", b->value - a->value);
    else
        grid_add(d->grid, "%s", "");
    json_array_append_new(
        d->rows, json_pack("{s:s, s:s, s:o, s:o}", "cell", cell, "what", what,
                           "a", value_json(a), "b", value_json(b)));
}

/* What a has, in turn with what b has besides; both are sorted. */
static void diff_cell(struct diff *d, const struct matched *m)
{
    const struct baseline_cell *a = m->a, *b = m->b;

    for (int i = 0, k = 0; i < a->n || k < b->n;) {
        const struct baseline_value *x = i < a->n ? &a->value[i] : NULL;
        const struct baseline_value *y = k < b->n ? &b->value[k] : NULL;
        int order = !x ? 1 : !y ? -1 : strcmp(x->what, y->what);

        x = order <= 0 ? x : NULL;
        y = order >= 0 ? y : NULL;
        i += x != NULL;
        k += y != NULL;
        const char *what = x ? x->what : y->what;
        if ((d->all || !baseline_is_cost(what)) && !same_value(x, y))
            add_difference(d, a->name, what, x, y);
    }
}

/* In both, or in one alone. */
static void diff_pair(struct diff *d, const struct matched *m, const char *what)
{
    if (m->a && m->b)
        diff_cell(d, m);
    else
        add_difference(d, (m->a ? m->a : m->b)->name, what,
                       m->a ? &there : NULL, m->b ? &there : NULL);
}

static int diff(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(baseline_close) struct baseline *a = NULL, *b = NULL;
    OWNED(free) char *path_a = NULL, *path_b = NULL;
    OWNED(sheet_close) struct sheet *s = sheet_new();
    struct diff d = {.sheet = s, .rows = json_array(), .all = g->all};
    struct matched *m;
    int n;

    s->object = json_pack("{s:s, s:s, s:o}", "a", args->of[0], "b",
                          args->of[1], "rows", d.rows);
    PASS(read_named(&a, &path_a, g, args->of[0]));
    PASS(read_named(&b, &path_b, g, args->of[1]));
    n = match_baselines(&m, a, b, s->memory);
    for (int i = 0; i < n; i++)
        diff_pair(&d, &m[i], "cell");
    for (const struct baseline_cell *x = a->band; x < a->band + a->bands; x++)
        diff_pair(&d, &(struct matched){x, band_of(b, x)}, "band");
    for (const struct baseline_cell *y = b->band; y < b->band + b->bands; y++)
        if (!band_of(a, y))
            diff_pair(&d, &(struct matched){NULL, y}, "band");
    if (!json_array_size(d.rows))
        sheet_put(s, PART_LINE, "no difference in %d cells", n);
    PASS(sheet_print(s, g->format, NULL));
    return json_array_size(d.rows) ? 1 : OK;
}

static const struct command baseline_diff = {
    .name = "diff",
    .summary = "What two baselines say differently",
    .args = "A B",
    .doc = "Exit code 1 where they do.",
    .formats = command_text_json,
    .options = diff_options, .bytes = sizeof(struct given),
    .least = 2, .most = 2, .run = diff};

/* ---- remove ---- */

static const struct opt remove_options[] = {
    {.group = opts_baselines, .at = OPT_AT(folder)}, {.name = NULL}};

static int remove_one(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(free) char *path = NULL, *kept = NULL;

    PASS(path_of(&path, g, args->of[0]));
    if (unlink(path))
        return errno == ENOENT ? baseline_missing(path)
                               : err_errno(ERR_IO, "%s", path);
    say("%s is removed", path);
    kept = kept_path(path);
    if (!unlink(kept))
        say("%s is removed", kept);
    else if (errno != ENOENT)
        return err_errno(ERR_IO, "%s", kept);
    return OK;
}

static const struct command baseline_remove = {
    .name = "remove",
    .summary = "Removes a baseline",
    .args = "NAME",
    .options = remove_options, .bytes = sizeof(struct given),
    .least = 1, .most = 1, .run = remove_one};

static const struct command *const subjects[] = {
    &baseline_save, &baseline_list, &baseline_show, &baseline_diff,
    &baseline_remove, NULL};

const struct command command_baseline = {
    .name = "baseline",
    .summary = "Keeps accepted results, to hold others against",
    .args = "save|list|show|diff|remove [NAME]",
    .subjects = subjects,
    .least = 1};
