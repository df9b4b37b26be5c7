/* history show: lists changes by commit, by metric of a cell, or by commit of a
 * metric. */
#include "harness/cmd/history_verbs.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/print/sheet.h"
#include "harness/stats/change_point.h"

#include <math.h>
#include <string.h>

struct given { struct history_which of; const char *format; };

static const struct opt options[] = {
    {.group = opts_machine, .at = OPT_AT(of)},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

struct shown {
    struct history *h;
    struct sheet   *sheet;
    struct grid    *grid;
    json_t         *values;   /* if one metric is shown; or NULL */
    const char     *machine;  /* of all series; NULL: several    */
};

static json_t *number(double x, const char *text)
{
    return isnan(x) && text ? json_string(text) : json_whole(x);
}

/* Returns a change as a flat row, for all formats that programs read. */
static json_t *change_json(const struct shown *v,
                           const struct history_series *s,
                           const struct history_change *c)
{
    static const char *const word[] = {"worse", "", "better"};
    const struct history_commit *at = &v->h->commit[s->point[c->at].commit];
    const struct history_point *last = &s->point[c->at - 1];

    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:f, s:s, s:f, "
                     "s:b}", "commit", at->commit, "date", at->date, "good",
                     v->h->commit[last->commit].commit, "machine", s->machine,
                     "cell", s->cell, "what", s->what, "before",
                     number(c->before, c->before_text), "after",
                     number(c->after, c->after_text), "relative",
                     history_relative(c), "verdict",
                     word[history_better(s, c) + 1], "p", c->p, "build",
                     strcmp(last->build, s->point[c->at].build) != 0);
}

/* ---- all cells: one row per commit ---- */

struct tally { int cells, moved, costs, worth; const char *first; };

/* Returns the rank of a series.  For each commit, the change in the series of
 * the highest rank is shown.  A metric ranks above a digest. */
static int worth(const struct history_series *s)
{
    return !strcmp(s->what, "metrics/ce")      ? 4
           : !strncmp(s->what, "metrics/", 8) ? 3
           : s->cost                          ? 2
                                              : 1;
}

static int is_least(const struct history_series *s)
{
    return !strcmp(s->what, "step_seconds_least");
}

static void count(struct shown *v, struct tally *t)
{
    for (int i = 0; i < v->h->series; i++) {
        const struct history_series *s = &v->h->of[i];
        int results = !strcmp(s->what, "results");

        for (int k = 0; k < s->n && results; k++)
            t[s->point[k].commit].cells++;
        for (int k = 0; k < s->changes; k++) {
            int at = s->point[s->change[k].at].commit;

            t[at].moved += results;
            t[at].costs += s->cost && !is_least(s);
            if (worth(s) <= t[at].worth)
                continue;
            t[at].worth = worth(s);
            t[at].first = arena_format(
                v->sheet->memory, "%s %s %s", s->cell, history_metric(s->what),
                history_text(v->sheet->memory, s, &s->change[k]));
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

    count(v, t);
    v->grid = sheet_listing(v->sheet, "<<>>><", head);
    for (int i = 0; i < v->h->commits; i++)
        if (t[i].cells || t[i].costs)
            grid_add(v->grid, "%.*s\t%.10s\t%d\t%d\t%d\t%s", HISTORY_SHORT,
                     v->h->commit[i].commit, v->h->commit[i].date, t[i].cells,
                     t[i].moved, t[i].costs, t[i].first ? t[i].first : "");
}

/* ---- one cell: one row per metric ---- */

static void put_machine(struct shown *v, const struct history_series *s)
{
    if (!v->machine)
        grid_add(v->grid, "%s", s->machine);
}

static void put_metrics(struct shown *v)
{
    static const char *const head[] = {"machine", "cell", "what", "units",
                                       "commits", "first", "last", "changes",
                                       "the last change", NULL};
    struct arena *a = v->sheet->memory;

    v->grid = sheet_listing(v->sheet, v->machine ? "<<<>>>><" : "<<<<>>>><",
                            head + (v->machine != NULL));
    for (int i = 0; i < v->h->series; i++) {
        const struct history_series *s = &v->h->of[i];
        const struct history_point *p = s->point;
        const struct history_change *c =
            s->changes ? &s->change[s->changes - 1] : NULL;

        if (!s->n)
            continue;
        put_machine(v, s);
        grid_add(v->grid, "%s\t%s\t%s\t%d", s->cell, history_metric(s->what),
                 s->units, s->n);
        grid_number(v->grid, "%.6g", p->value, p->text);
        grid_number(v->grid, "%.6g", p[s->n - 1].value, p[s->n - 1].text);
        grid_add(v->grid, "%d\t%s", s->changes,
                 !c ? "" : arena_format(a, "%.*s: %s", HISTORY_SHORT,
                                        v->h->commit[p[c->at].commit].commit,
                                        history_text(a, s, c)));
    }
}

/* ---- one metric: one row per commit ---- */

static const struct history_change *change_at(const struct history_series *s,
                                              int point)
{
    for (int k = 0; k < s->changes; k++)
        if (s->change[k].at == point)
            return &s->change[k];
    return NULL;
}

static const char *remark(const struct shown *v, const struct history_series *s,
                          int i)
{
    struct arena *a = v->sheet->memory;
    const struct history_change *c = change_at(s, i);
    const struct history_point *p = &s->point[i];

    return arena_format(
        a, "%s%s%s%s%s", c ? history_text(a, s, c) : "",
        c && s->cost ? arena_format(a, ", p %.2g", c->p) : "",
        i && strcmp(p->build, p[-1].build) ? " (built otherwise)" : "",
        p->several ? " (its lines differ: the first)" : "",
        v->h->commit[p->commit].known ? "" : " (not in this branch)");
}

static json_t *value_json(const struct history_series *s, int i,
                          const struct history_commit *c)
{
    const struct history_point *p = &s->point[i];

    return json_pack("{s:s, s:s, s:b, s:s, s:s, s:s, s:s, s:o, s:s, s:s, s:b}",
                     "commit", c->commit, "date", c->date, "known", c->known,
                     "machine", s->machine, "build", p->build, "cell", s->cell,
                     "what", s->what, "value", number(p->value, p->text),
                     "digits", p->text, "units", s->units, "change",
                     change_at(s, i) != NULL);
}

static void put_values(struct shown *v)
{
    static const char *const head[] = {"machine", "cell", "commit", "date",
                                       "value", "units", "changes here", NULL};

    v->grid = sheet_listing(v->sheet, v->machine ? "<<<><<" : "<<<<><<",
                            head + (v->machine != NULL));
    v->values = json_array();
    for (int k = 0; k < v->h->series; k++)
        for (int i = 0; i < v->h->of[k].n; i++) {
            const struct history_series *s = &v->h->of[k];
            const struct history_point *p = &s->point[i];
            const struct history_commit *c = &v->h->commit[p->commit];

            put_machine(v, s);
            grid_add(v->grid, "%s\t%.*s\t%.10s", s->cell, HISTORY_SHORT,
                     c->commit, c->date);
            grid_number(v->grid, "%.6g", p->value, p->text);
            grid_add(v->grid, "%s\t%s", s->units, remark(v, s, i));
            json_array_append_new(v->values, value_json(s, i, c));
        }
}

/* ---- the command ---- */

/* If the times have too few values for changes to be detected, adds a note. */
static void tell_few(struct shown *v)
{
    int most = 0;

    for (int i = 0; i < v->h->series; i++)
        if (v->h->of[i].cost && v->h->of[i].n > most)
            most = v->h->of[i].n;
    if (most && most < CHANGE_SOONEST)
        sheet_put(v->sheet, PART_PARAGRAPH, "Changes of times and memory are "
                  "reported only once the history has at least %d commits.",
                  CHANGE_SOONEST);
}

static void find_machine(struct shown *v)
{
    for (int i = 0; i < v->h->series; i++) {
        const struct history_series *s = &v->h->of[i];

        if (!s->n)
            continue;
        if (v->machine && strcmp(v->machine, s->machine)) {
            v->machine = NULL;
            return;
        }
        v->machine = s->machine;
    }
}

static json_t *changes_json(const struct shown *v)
{
    json_t *rows = json_array();

    for (int c = 0; c < v->h->commits; c++)
        for (int i = 0; i < v->h->series; i++) {
            const struct history_series *s = &v->h->of[i];

            for (int k = 0; k < s->changes; k++)
                if (s->point[s->change[k].at].commit == c)
                    json_array_append_new(rows,
                                          change_json(v, s, &s->change[k]));
        }
    return rows;
}

static int show(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    const char *cell = args->n > 0 ? args->of[0] : NULL;
    const char *metric = args->n > 1 ? args->of[1] : NULL;
    OWNED(history_close) struct history *h = NULL;
    OWNED(sheet_close) struct sheet *s = sheet_new();
    struct shown v = {.sheet = s};
    json_t *changes;

    PASS(history_select(&h, &g->of, cell, metric));
    v.h = h;
    find_machine(&v);
    (metric ? put_values : cell ? put_metrics : put_commits)(&v);
    if (cell && !metric)
        sheet_put(s, PART_PARAGRAPH, "start: training losses of the first "
                  "steps; results, data, weights: digests");
    if (v.machine)
        sheet_put(s, PART_PARAGRAPH, "Machine: %s", v.machine);
    tell_few(&v);
    changes = changes_json(&v);
    s->records = metric ? v.values : json_incref(changes);
    s->object = json_pack("{s:s, s:o}", "history", h->path, "changes", changes);
    if (metric)
        json_object_set(s->object, "values", v.values);
    return sheet_print(s, g->format, NULL);
}

const struct command history_show = {
    .name = "show",
    .summary = "Show what changed, and at which commit",
    .args = "[CELL [METRIC]]",
    .doc = "CELL is variant/task/scale/seed, preceded by EXPERIMENT# if "
           "several experiments have it. Results are exact: any changed bit "
           "is a change. Changes of times and memory are reported "
           "statistically (E-divisive means, p 0.001 per series).",
    .formats = format_names,
    .options = options, .bytes = sizeof(struct given),
    .most = 2, .run = show};
