/* history: adds, shows and draws the values of every commit. The values are
 * stored as text to be committed (history/history.h). */
#include "harness/cmd/history_verbs.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/print/sheet.h"
#include "harness/stats/change_point.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct opt which_options[] = {
    {"--history", 0, "FILE", opt_text, OPT_AT(file),
     .doc = "The history", .initial = "results/history.tsv"},
    {"--repository", 0, "DIR", opt_folder, OPT_AT(repository),
     .doc = "Folder in the git repository of the commits (default: the "
            "working directory)"},
    {.name = NULL}};

const struct opt history_machine_options[] = {
    {.group = which_options, .at = 0},
    {"--machine", 0, "TEXT", opt_text, OPT_AT(machine),
     .doc = "Only values measured on machines whose name contains this text"},
    {.name = NULL}};

/* ---- selection of series ---- */

const char *history_metric(const char *what)
{
    return strncmp(what, "metrics/", 8) ? what : what + 8;
}

/* Reports an unknown cell, or an unknown metric of the cell, with the nearest
 * name. */
static int none_like_it(const struct history *h, const char *cell,
                        const char *metric)
{
    OWNED(free) const char **names = calloc((size_t)h->series + 1,
                                            sizeof *names);
    int n = 0, cells = 0;

    for (int i = 0; i < h->series; i++)
        cells += history_is(h->of[i].cell, cell);
    for (int i = 0; i < h->series; i++) {
        const struct history_series *s = &h->of[i];
        const char *name = cells ? history_metric(s->what) : s->cell;

        if ((!cells || history_is(s->cell, cell)) &&
            (!n || strcmp(names[n - 1], name)))
            names[n++] = name;
    }
    return cells ? names_unknown("metric", metric, names, NULL)
                 : names_unknown("cell", cell, names,
                                 "synthbench history show");
}

int history_select(struct history **out, const struct given *g,
                   const struct arguments *args)
{
    const char *cell = args->n > 0 ? args->of[0] : NULL;
    const char *metric = args->n > 1 ? args->of[1] : NULL;
    OWNED(history_close) struct history *h = NULL;
    int n = 0, machines = 0;

    *out = NULL;
    PASS(history_open(&h, g->file, g->repository));
    for (int i = 0; i < h->series; i++) {
        struct history_series *s = &h->of[i];
        int here = !g->machine || strstr(s->machine, g->machine);

        machines += here;
        if (here && (!cell || history_is(s->cell, cell)) &&
            (!metric || !strcmp(s->what, metric) ||
             !strcmp(history_metric(s->what), metric))) {
            history_changes(h, s);
            if (!n++)
                h->machine = s->machine;
            else if (h->machine && strcmp(h->machine, s->machine))
                h->machine = NULL;
        } else {
            s->n = 0;
        }
    }
    if (!machines)
        return err_set(ERR_EMPTY, "%s: no value of a machine '%s'", h->path,
                       g->machine);
    return n ? MOVE_OUT(out, h) : none_like_it(h, cell, metric);
}

/* ---- texts of changes ---- */

/* Returns the relative change, or NAN for texts and changes from 0. */
static double relative(const struct history_change *c)
{
    return c->before != 0 ? (c->after - c->before) / fabs(c->before) : NAN;
}

/* Returns "better" or "worse", or "" if neither direction is better.  For times
 * and memory, less is better. */
static const char *verdict(const struct history_series *s,
                           const struct history_change *c)
{
    int way = s->cost ? -1 : s->better;
    double d = (c->after - c->before) * way;

    return d > 0 ? "better" : d < 0 ? "worse" : "";
}

const char *history_units(const struct history_series *s, const char *before,
                          struct arena *a)
{
    return strcmp(s->units, "1") && *s->units
               ? arena_format(a, "%s%s", before, s->units) : "";
}

/* Returns one side of a change: a number, or the first digits of a text. */
static const char *side(const char *word, double x, struct arena *a)
{
    return !word   ? arena_format(a, "%.5g", x)
           : *word ? arena_format(a, "%.8s", word)
                   : "none";
}

/* Returns the text of a change: "3.1 -> 3.4 nats/token, +9.7 % worse". */
static const char *change_text(struct arena *a, const struct history_series *s,
                               const struct history_change *c)
{
    const char *how = verdict(s, c);
    double by = 100 * relative(c);

    if (c->before_text || c->after_text)
        return arena_format(a, "%s -> %s", side(c->before_text, c->before, a),
                            side(c->after_text, c->after, a));
    return arena_format(a, "%.5g -> %.5g%s%s%s%s", c->before, c->after,
                        history_units(s, " ", a),
                        isnan(by) ? "" : arena_format(a, ", %+.2g %%", by),
                        *how ? " " : "", how);
}

/* ---- add ---- */

static const struct opt add_options[] = {
    {.group = opts_results, .at = OPT_AT(store)},
    {.group = which_options, .at = 0},
    {"--commit", 0, "REV", opt_text, OPT_AT(commit),
     .doc = "Commit that produced the results (default: the recorded one)"},
    {.name = NULL}};

static int add_results(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(baseline_close) struct baseline *b = NULL;
    int added;

    (void)args;
    if (!g->store)
        return err_set(ERR_USAGE, "history add: specify the results with "
                                  "--store DIR");
    PASS(baseline_measure(&b, "history", g->store, 0, NULL));
    PASS(history_extend(&added, g->file, b, g->repository, g->commit));
    say("%s: added %d value%s of %d cells of %s%s", g->file, added,
        added == 1 ? "" : "s", b->cells, g->store,
        added ? "" : ": all are recorded already");
    return OK;
}

static const struct command history_add_command = {
    .name = "add",
    .summary = "Add a store's values under its commit",
    .args = "--store STORE",
    .doc = "Values that are already recorded are not added again. Results "
           "of a tree with uncommitted changes are refused: commit first, "
           "or specify the commit with --commit. Branches merge line by "
           "line with `results/history.tsv merge=union` in .gitattributes.",
    .options = add_options, .bytes = sizeof(struct given), .run = add_results};

/* ---- show ---- */

static const struct opt show_options[] = {
    {.group = history_machine_options, .at = 0},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

struct shown {
    struct history *h;
    struct sheet   *sheet;
};

/* A change, as a flat row for programs. */
struct change_row {
    const char           *commit, *date, *good, *machine, *cell, *what;
    struct history_change is;
    double                relative;
    const char           *verdict;
    int                   build; /* 1: the build changed, too */
};

#define CHANGE(member) COLUMN(struct change_row, member)
static const struct column change_columns[] = {
    {"commit", NULL, CHANGE(commit)},
    {"date", NULL, CHANGE(date)},
    {"good", NULL, CHANGE(good)},
    {"machine", NULL, CHANGE(machine)},
    {"cell", NULL, CHANGE(cell)},
    {"what", NULL, CHANGE(what)},
    {"before", NULL, COLUMN_TEXT_OR(struct change_row, is.before_text,
                                    is.before)},
    {"after", NULL, COLUMN_TEXT_OR(struct change_row, is.after_text,
                                   is.after)},
    {"relative", NULL, CHANGE(relative)},
    {"verdict", NULL, CHANGE(verdict)},
    {"p", NULL, CHANGE(is.p)},
    {"build", NULL, COLUMN_AS(COLUMN_BOOL, struct change_row, build)},
    {.type = COLUMN_END}};

/* Adds all changes to the JSON object, the oldest first. */
static void put_changes(struct shown *v)
{
    struct history *h = v->h;
    /* A change is at a point, and each point has a line. */
    struct change_row *row = arena_zero(v->sheet->memory,
                                        (size_t)h->n * sizeof *row);
    int n = 0;

    for (int c = 0; c < h->commits; c++)
        for (int i = 0; i < h->series; i++)
            for (int k = 0; k < h->of[i].changes; k++) {
                const struct history_series *s = &h->of[i];
                const struct history_change *is = &s->change[k];
                const struct history_point *at = &s->point[is->at];

                if (at->commit == c)
                    row[n++] = (struct change_row){
                        h->commit[c].commit, h->commit[c].date,
                        h->commit[at[-1].commit].commit, s->machine, s->cell,
                        s->what, *is, relative(is), verdict(s, is),
                        strcmp(at[-1].build, at->build) != 0};
            }
    sheet_relation(v->sheet, &(struct relation){"changes", change_columns, row,
                                                sizeof *row, n});
}

/* ---- all cells: one row per commit ---- */

/* first: the first changed metric or, if there is none, value. */
struct tally { int cells, moved, costs, metric; const char *first; };

static void count(struct shown *v, struct tally *t)
{
    for (int i = 0; i < v->h->series; i++) {
        const struct history_series *s = &v->h->of[i];
        int results = !strcmp(s->what, "results");
        int metric = history_metric(s->what) != s->what;

        for (int k = 0; k < s->n && results; k++)
            t[s->point[k].commit].cells++;
        for (int k = 0; k < s->changes; k++) {
            int at = s->point[s->change[k].at].commit;

            t[at].moved += results;
            t[at].costs += s->cost && strcmp(s->what, "step_seconds_least");
            if (t[at].first && metric <= t[at].metric)
                continue;
            t[at].metric = metric;
            t[at].first = arena_format(
                v->sheet->memory, "%s %s %s", s->cell, history_metric(s->what),
                change_text(v->sheet->memory, s, &s->change[k]));
        }
    }
}

static void put_commits(struct shown *v)
{
    static const char *const head[] = {"commit", "date", "cells",
                                       "results changed", "costs changed",
                                       "first changed value",
                                       NULL};
    size_t n = (size_t)v->h->commits;
    struct tally *t = arena_zero(v->sheet->memory, n * sizeof *t);
    struct grid *g = sheet_listing(v->sheet, "<<>>><", head);

    count(v, t);
    for (int i = 0; i < v->h->commits; i++)
        if (t[i].cells || t[i].costs)
            grid_add(g, "%.*s\t%.10s\t%d\t%d\t%d\t%s", HISTORY_SHORT,
                     v->h->commit[i].commit, v->h->commit[i].date, t[i].cells,
                     t[i].moved, t[i].costs, t[i].first ? t[i].first : "");
}

/* ---- one cell: one row per metric ---- */

static void put_metrics(struct shown *v)
{
    static const char *const head[] = {"machine", "cell", "what", "units",
                                       "commits", "first", "last", "changes",
                                       "the last change", NULL};
    struct arena *a = v->sheet->memory;
    int one = v->h->machine != NULL;
    struct grid *g = sheet_listing(v->sheet, &"<<<<>>>><"[one], head + one);

    for (int i = 0; i < v->h->series; i++) {
        const struct history_series *s = &v->h->of[i];
        const struct history_point *p = s->point;
        const struct history_change *c =
            s->changes ? &s->change[s->changes - 1] : NULL;

        if (!s->n)
            continue;
        if (!one)
            grid_add(g, "%s", s->machine);
        grid_add(g, "%s\t%s\t%s\t%d", s->cell, history_metric(s->what),
                 s->units, s->n);
        grid_number(g, "%.6g", p->value, p->text);
        grid_number(g, "%.6g", p[s->n - 1].value, p[s->n - 1].text);
        grid_add(g, "%d\t%s", s->changes,
                 !c ? "" : arena_format(a, "%.*s: %s", HISTORY_SHORT,
                                        v->h->commit[p[c->at].commit].commit,
                                        change_text(a, s, c)));
    }
    sheet_put(v->sheet, PART_PARAGRAPH, "start: training losses of the first "
              "steps; results, data, weights: digests");
}

/* ---- one metric: one row per commit ---- */

struct value_row {
    const char          *commit, *date, *machine, *cell, *what, *units, *remark;
    int                  known, change;
    struct history_point is;
};

static const char *show_commit(const void *row, struct arena *a)
{
    return arena_format(a, "%.*s", HISTORY_SHORT,
                        ((const struct value_row *)row)->commit);
}

static const char *show_date(const void *row, struct arena *a)
{
    return arena_format(a, "%.10s", ((const struct value_row *)row)->date);
}

#define VALUE(member) COLUMN(struct value_row, member)
static const struct column value_columns[] = {
    {"machine", "machine", VALUE(machine)},
    {"cell", "cell", VALUE(cell)},
    {"commit", "commit", VALUE(commit), .show = show_commit},
    {"date", "date", VALUE(date), .show = show_date},
    {"known", NULL, COLUMN_AS(COLUMN_BOOL, struct value_row, known)},
    {"build", NULL, VALUE(is.build)},
    {"what", NULL, VALUE(what)},
    {"value", "value", COLUMN_TEXT_OR(struct value_row, is.word, is.value),
     .form = "%.6g"},
    {"digits", NULL, VALUE(is.text)},
    {"units", "units", VALUE(units)},
    {"change", NULL, COLUMN_AS(COLUMN_BOOL, struct value_row, change)},
    {NULL, "changes here", VALUE(remark)},
    {.type = COLUMN_END}};

static struct value_row value_of(const struct shown *v,
                                 const struct history_series *s, int i)
{
    struct arena *a = v->sheet->memory;
    const struct history_point *p = &s->point[i];
    const struct history_commit *at = &v->h->commit[p->commit];
    const struct history_change *c = NULL;

    for (int k = 0; k < s->changes; k++)
        if (s->change[k].at == i)
            c = &s->change[k];
    return (struct value_row){
        at->commit, at->date, s->machine, s->cell, s->what, s->units,
        arena_format(
            a, "%s%s%s%s%s", c ? change_text(a, s, c) : "",
            c && s->cost ? arena_format(a, ", p %.2g", c->p) : "",
            i && strcmp(p->build, p[-1].build) ? " (built otherwise)" : "",
            p->several ? " (its lines differ: the first)" : "",
            at->known ? "" : " (not in this branch)"),
        at->known, c != NULL, *p};
}

static void put_values(struct shown *v)
{
    struct column columns[RELATION_COLUMNS];
    struct value_row *row = arena_zero(v->sheet->memory,
                                       (size_t)v->h->n * sizeof *row);
    int n = 0;

    memcpy(columns, value_columns, sizeof value_columns);
    if (v->h->machine)
        columns->head = NULL;
    for (int k = 0; k < v->h->series; k++)
        for (int i = 0; i < v->h->of[k].n; i++)
            row[n++] = value_of(v, &v->h->of[k], i);
    sheet_relation(v->sheet, &(struct relation){"values", columns, row,
                                                sizeof *row, n});
}

/* ---- show: the command ---- */

static int show(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(history_close) struct history *h = NULL;
    OWNED(sheet_close) struct sheet *s = sheet_new();
    struct shown v = {.sheet = s};
    int most = 0; /* maximum number of values of a time or of memory */

    PASS(history_select(&h, g, args));
    v.h = h;
    sheet_fact(s, "history", json_string(h->path));
    (args->n > 1 ? put_values : args->n ? put_metrics : put_commits)(&v);
    if (h->machine)
        sheet_put(s, PART_PARAGRAPH, "Machine: %s", h->machine);
    for (int i = 0; i < h->series; i++)
        if (h->of[i].cost && h->of[i].n > most)
            most = h->of[i].n;
    if (most && most < CHANGE_SOONEST)
        sheet_put(s, PART_PARAGRAPH, "Changes of times and memory are "
                  "reported only once the history has at least %d commits.",
                  CHANGE_SOONEST);
    put_changes(&v);
    return sheet_print(s, g->format, NULL);
}

static const struct command history_show = {
    .name = "show",
    .summary = "Show what changed, and at which commit",
    .args = "[CELL [METRIC]]",
    .doc = "CELL is variant/task/scale/seed, preceded by EXPERIMENT# if "
           "several experiments have it. Results are exact: any changed bit "
           "is a change. Changes of times and memory are reported "
           "statistically (E-divisive means, p 0.001 per series).",
    .formats = format_names,
    .options = show_options, .bytes = sizeof(struct given),
    .most = 2, .run = show};

static const struct command *const subjects[] = {
    &history_add_command, &history_show, &history_plot, NULL};

const struct command command_history = {
    .name = "history",
    .summary = "Track values by commit: changes, trends, causes",
    .args = "add|show|plot [CELL [METRIC]]",
    .subjects = subjects,
    .least = 1};
