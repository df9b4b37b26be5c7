/* gate: does this build still give the results of a baseline? */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/gate/judge.h"
#include "harness/gate/kept.h"
#include "harness/metrics/metric.h"
#include "harness/print/sheet.h"
#include "harness/run/pool.h"
#include "harness/store/cell.h"
#include "harness/train/provenance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGRESSION = 3, UNDECIDED = 4 }; /* exit codes */

struct given {
    struct plan_of      plan;
    struct pool_options pool;
    const char         *baseline, *folder, *old, *margin, *format;
};

static const struct opt options[] = {
    {"--baseline", 0, "NAME", opt_text, OPT_AT(baseline),
     .doc = "What the results are held against (`baseline save')"},
    {"--baselines", 0, "DIR", opt_text, OPT_AT(folder),
     .doc = "The folder of baselines", .initial = "results/baselines"},
    {"--examples", 0, "STORE", opt_text, OPT_AT(old),
     .doc = "Where the baseline's test examples are (default: the file beside "
            "it, or the store that it was saved from)"},
    {"--margin", 0, "X", opt_text, OPT_AT(margin),
     .doc = "The smallest difference that matters, in the metric's units "
            "(default: the spread of the baseline's seeds; without seeds a "
            "quarter of the interval over test examples)"},
    {.group = opts_plan, .at = OPT_AT(plan)},
    {.group = opts_pool, .at = OPT_AT(pool)},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

/* ---- what this build gives ---- */

/* 1: a finished cell that another build made. */
static int is_others(const struct plan *p, const struct cell *c,
                     const char *build)
{
    OWNED(cell_close) struct cell_reader *r = NULL;
    OWNED(free) char *by = NULL;

    if (c->status.state != CELL_DONE || c->damage)
        return c->damage != NULL;
    return cell_open(&r, p->store, c->id) < 0 ||
           cell_get_text(r, "provenance", "build", &by) < 0 ||
           strcmp(by, build) != 0;
}

/* Trains what is missing, or is another build's. */
static int run_plan(struct plan *p, const struct given *g)
{
    OWNED(store_close) struct store *s = NULL;
    struct pool_result r;
    char build[HASH_HEX];

    provenance_build(build);
    PASS(store_open(&s, p->store, 1));
    PASS(freeze_write(p, 1));
    PASS(plan_look(p));
    for (int i = 0; i < p->n; i++)
        p->cell[i].anew = p->cell[i].selected &&
                          is_others(p, &p->cell[i], build);
    PASS(pool_run(&r, p, s, &g->pool));
    if (r.trained)
        PASS(store_reindex(s));
    return r.signal ? 128 + r.signal : plan_look(p);
}

static int open_plan(struct plan **p, const struct given *g, const char *file)
{
    struct plan_of of = g->plan;
    OWNED(free) char *own = str_format("results/gate/%s", g->baseline);

    of.experiment = file;
    if (file && !of.store)
        of.store = own;
    if (!of.store)
        return err_set(ERR_USAGE, "gate: of what? name an experiment, which is "
                       "run, or a --store that holds results");
    return plan_open(p, &of);
}

static char *name_of(const struct cell *c)
{
    return str_format("%s/%s/%s/%llu", c->config.variant, c->config.task,
                      c->config.scale, (unsigned long long)c->config.seed);
}

/* The plan has cells of that name, and none of them is selected. */
static int is_left_out(const struct plan *p, const char *name)
{
    int there = 0;

    for (int i = 0; i < p->n; i++) {
        OWNED(free) char *own = name_of(&p->cell[i]);

        if (!strcmp(own, name) && p->cell[i].selected)
            return 0;
        there |= !strcmp(own, name);
    }
    return there;
}

/* -E left cells out: of these nothing is asked. */
static void leave_out(struct baseline *b, const struct plan *p)
{
    int n = 0;

    for (int k = 0; k < b->cells; k++)
        if (!is_left_out(p, b->cell[k].name))
            b->cell[n++] = b->cell[k];
    b->cells = n;
}

/* A cell that this build could not train again is still there, as another
 * build made it: of this one it is missing. */
static void leave_others(struct baseline *b, const struct plan *p)
{
    char build[HASH_HEX];

    provenance_build(build);
    for (int i = 0; i < p->n; i++) {
        int n = 0;

        if (!is_others(p, &p->cell[i], build))
            continue;
        for (int k = 0; k < b->cells; k++)
            if (strcmp(baseline_text(&b->cell[k], "id"), p->cell[i].id))
                b->cell[n++] = b->cell[k];
        b->cells = n;
    }
}

/* ---- the verdict ---- */

static int exit_code(const struct judgement *j)
{
    return j->count[JUDGE_WORSE] + j->count[JUDGE_CHANGED] ? REGRESSION
           : j->count[JUDGE_MISSING]                       ? 1
           : j->count[JUDGE_UNDECIDED]                     ? UNDECIDED
                                                           : OK;
}

static const char *number(struct arena *a, double x, const char *fmt)
{
    return isnan(x) ? "" : arena_format(a, fmt, x);
}

static void put_row(struct grid *g, struct arena *a, const struct judged *r)
{
    grid_add(g, "%s", judge_word[r->verdict]);
    grid_add(g, "%s", r->cell);
    grid_add(g, "%s", *r->metric ? strchr(r->metric, '/') + 1 : "");
    grid_add(g, "%s", number(a, r->old, "%.5g"));
    grid_add(g, "%s", number(a, r->new, "%.5g"));
    grid_add(g, "%s", number(a, r->difference, "%+.3g"));
    grid_add(g, "%s", isnan(r->between.low)
                          ? ""
                          : arena_format(a, "%+.3g to %+.3g", r->between.low,
                                         r->between.high));
    grid_add(g, "%s", number(a, r->margin, "%.2g"));
    grid_add(g, "%s", r->p < 1e-6 ? "<1e-6" : number(a, r->p, "%.2g"));
    grid_add(g, "%s", r->why);
}

static void put_people(struct sheet *s, const struct judgement *j,
                       const struct baseline *old, const struct baseline *new)
{
    static const char *const head[] = {
        "verdict", "cell", "metric", "baseline", "now", "difference",
        "interval", "margin", "p", "by", NULL};
    const char *was = baseline_fact(old, "commit");
    const char *is = baseline_fact(new, "commit"), *all = "";
    struct grid *g = NULL;

    for (int v = JUDGE_KINDS - 1; v > JUDGE_SAME; v--)
        for (int i = 0; i < j->n; i++)
            if (j->row[i].verdict == (enum judge_verdict)v) {
                g = g ? g : sheet_listing(s, "<<<>>>>>><", head);
                put_row(g, s->memory, &j->row[i]);
            }
    if (j->tests > 1)
        sheet_put(s, PART_PARAGRAPH, "%d tests: p by Holm, intervals that hold "
                  "all at once with 95 %%", j->tests);
    if (j->n && *j->builds)
        sheet_put(s, PART_PARAGRAPH, "Built or run otherwise: %s", j->builds);
    if (j->n && was && is && strcmp(was, is))
        sheet_put(s, PART_PARAGRAPH, "Look at: git log %.12s..%.12s", was, is);
    for (int v = JUDGE_EQUAL; v < JUDGE_KINDS; v++)
        if (j->count[v])
            all = arena_format(s->memory, "%s; %d %s", all, j->count[v],
                               judge_word[v]);
    sheet_put(s, PART_PARAGRAPH, "%d of %d cells have the same bits as "
              "baseline %s%s", j->same, j->cells, old->name, all);
}

static json_t *object_of(const struct judgement *j, const struct baseline *old)
{
    json_t *rows = json_array(), *count = json_object();

    for (int v = 0; v < JUDGE_KINDS; v++)
        json_object_set_new(count, judge_word[v], json_integer(j->count[v]));
    for (int i = 0; i < j->n; i++) {
        const struct judged *r = &j->row[i];

        json_array_append_new(
            rows, json_pack("{s:s, s:s, s:s, s:s, s:s, s:f, s:f, s:f, s:f, "
                            "s:f, s:f, s:f}", "cell", r->cell, "metric",
                            r->metric, "verdict", judge_word[r->verdict],
                            "stage", r->stage, "why", r->why, "baseline",
                            r->old, "now", r->new, "difference", r->difference,
                            "low", r->between.low, "high", r->between.high,
                            "margin", r->margin, "p", r->p));
    }
    return json_pack("{s:s, s:s?, s:i, s:i, s:i, s:s, s:o, s:o}", "baseline",
                     old->name, "commit", baseline_fact(old, "commit"), "cells",
                     j->cells, "same", j->same, "tests", j->tests, "builds",
                     j->builds, "count", count, "rows", rows);
}

/* Why a cell of the plan is not there. */
static void tell_missing(struct judgement *j, const struct plan *p)
{
    for (int i = 0; i < j->n; i++)
        for (int k = 0; j->row[i].verdict == JUDGE_MISSING && k < p->n; k++) {
            const struct cell *c = &p->cell[k];
            OWNED(free) char *name = name_of(c);

            if (!*j->row[i].metric && !strcmp(name, j->row[i].cell))
                j->row[i].why =
                    c->status.state == CELL_DONE
                        ? "this build failed to train it; the store has what "
                          "another made"
                        : arena_format(j->memory, "%s%s%s", plan_status(c),
                                       *plan_reason(c) ? ": " : "",
                                       plan_reason(c));
        }
}

static int read_margin(double *out, const char *s)
{
    *out = NAN;
    if (s && (str_to_real(s, out) || *out < 0))
        return err_set(ERR_USAGE, "--margin: '%s' is not a number from 0 on",
                       s);
    return OK;
}

static int run(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    struct judge_of of = {.metrics = metric_all};
    OWNED(baseline_close) struct baseline *old = NULL, *new = NULL;
    OWNED(plan_close) struct plan *p = NULL;
    OWNED(judge_close) struct judgement *j = NULL;
    OWNED(sheet_close) struct sheet *s = sheet_new();
    OWNED(kept_close) struct kept *kept = NULL;
    OWNED(free) char *path = NULL;

    if (!g->baseline || !cell_name_ok(g->baseline))
        return err_set(ERR_USAGE, "gate: against which --baseline NAME?");
    path = str_format("%s/%s.tsv", g->folder, g->baseline);
    PASS(read_margin(&of.margin, g->margin));
    PASS(baseline_read(&old, path));
    if (!g->old)
        PASS(kept_open(&kept, old, path));
    PASS(open_plan(&p, g, args->of[0]));
    int rc = args->of[0] ? run_plan(p, g) : plan_look(p);
    if (rc)
        return rc;
    PASS(baseline_measure(&new, "now", p->store, 0, metric_all));
    leave_out(old, p);
    leave_out(new, p);
    if (args->of[0])
        leave_others(new, p);
    of.old = old;
    of.new = new;
    of.old_store = g->old ? g->old : baseline_fact(old, "store");
    of.new_store = p->store;
    of.kept = kept;
    PASS(judge(&j, &of));
    tell_missing(j, p);
    put_people(s, j, old, new);
    s->object = object_of(j, old);
    PASS(sheet_print(s, g->format, NULL));
    return exit_code(j);
}

const struct command command_gate = {
    .name = "gate",
    .summary = "Does this build still give the results of a baseline?",
    .args = "--baseline NAME [EXPERIMENT.yaml]",
    .doc = "Trains the experiment with this build, into results/gate/NAME or "
           "--store; without one: what --store holds. Cells with the same bits "
           "are done with; where bits moved, weights, data, then metrics "
           "decide. Exit code 3: worse, or not to be compared any more; 1: a "
           "cell failed or is missing; 4: undecided; 7: nothing was measured.",
    .formats = command_text_md_json,
    COMMAND_RUNS(0, 1)};
