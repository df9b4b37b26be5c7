/* gate: checks whether this build reproduces the results of a baseline. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/gate/cost.h"
#include "harness/gate/gate_report.h"
#include "harness/metrics/metric.h"
#include "harness/print/sheet.h"
#include "harness/run/pool.h"
#include "harness/store/cell.h"
#include "harness/train/provenance.h"

#include <math.h>
#include <string.h>

struct given {
    struct plan_of      plan;
    struct pool_options pool;
    const char         *baseline, *folder, *old, *margin, *format;
    const char         *against, *least, *junit;
    int                 exact, rounds, threads;
};

static const struct opt options[] = {
    {"--baseline", 0, "NAME", opt_text, OPT_AT(baseline),
     .doc = "Baseline to compare the results with (`baseline save`)"},
    {.group = opts_baselines, .at = OPT_AT(folder)},
    {"--examples", 0, "STORE", opt_text, OPT_AT(old),
     .doc = "Store with the baseline's values per test example (default: "
            "that from which the baseline was saved)"},
    {"--margin", 0, "X", opt_text, OPT_AT(margin),
     .doc = "The smallest difference that matters, in the metric's units "
            "(default: the spread of the baseline's seeds; with a single "
            "seed, a quarter of the width of the interval over test "
            "examples)"},
    {"--exact", 0, NULL, opt_flag, OPT_AT(exact),
     .doc = "Treat any changed bit as a regression, whatever the metrics say; "
            "if a change is intended, save the baseline again"},
    {"--against", 0, "PROGRAM", opt_text, OPT_AT(against),
     .doc = "Also compare time and memory of a step with another build of "
            "synthbench by alternating between the two builds"},
    {"--cost-margin", 0, "PERCENT", opt_text, OPT_AT(least),
     .doc = "The smallest change of time or memory that matters",
     .initial = "2"},
    {"--rounds", 0, "N", opt_count, OPT_AT(rounds),
     .doc = "Rounds of --against, each with new processes", .initial = "10",
     .most = 1000},
    {"--threads", 0, "N", opt_count, OPT_AT(threads),
     .doc = "Threads per step of --against", .initial = "1", .most = 256},
    {"--junit", 0, "FILE", opt_output, OPT_AT(junit),
     .doc = "Also write the verdicts as JUnit XML, or the error if the gate "
            "ends before a verdict"},
    {.group = opts_choice, .at = OPT_AT(plan)},
    {"--store", 0, "DIR", opt_text, OPT_AT(plan.store),
     .doc = "Results folder (default: results/gate/BASELINE; required without "
            "EXPERIMENT.yaml)"},
    {.group = opts_pool, .at = OPT_AT(pool)},
    {.group = opts_verdict, .at = OPT_AT(format)},
    {.name = NULL}};

/* ---- results of this build ---- */

/* Returns 1 if the cell is damaged, or was finished by another build. */
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

/* Trains the cells that are missing or were trained by another build. */
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
    if (r.signal)
        return 128 + r.signal;
    if (r.busy)
        return err_set(ERR_BUSY, "%s: another process is training %d of its "
                                 "cells; repeat this command when it has "
                                 "finished",
                       p->store, r.busy);
    return plan_look(p);
}

static const char *name_of(const struct cell *c, struct arena *a)
{
    return cell_name(a, c->row, c->config.task, c->config.scale,
                     (long long)c->config.seed);
}

/* Removes from the baseline the cells that -E excluded: cells whose name occurs
 * in the plan, but not among its selected cells. */
static void leave_out(struct baseline *b, const struct plan *p)
{
    OWNED(map_free) struct map *asked = map_of_copies(); /* name -> 1 or 0 */
    int n = 0;

    for (int selected = 1; selected >= 0; selected--)
        for (int i = 0; i < p->n; i++) {
            const char *name = name_of(&p->cell[i], p->memory);

            if (p->cell[i].selected == selected)
                map_add(asked, name, selected);
        }
    for (int k = 0; k < b->cells; k++)
        if (map_get(asked, b->cell[k].name, 1))
            b->cell[n++] = b->cell[k];
    b->cells = n;
}

/* ---- the verdict ---- */

/* Sets the reason in the rows of the missing cell `name` to `why`.  Returns the
 * number of these rows. */
static int set_reason(struct judgement *j, const char *name, const char *why)
{
    int rows = 0;

    for (int i = 0; i < j->n; i++) {
        struct judged *r = &j->row[i];

        if (r->verdict == JUDGE_MISSING && !*r->metric &&
            !strcmp(r->cell, name)) {
            r->why = why;
            rows++;
        }
    }
    return rows;
}

/* Adds the reasons why cells of the plan are missing, also cells that the
 * baseline does not have.  Finished trials are not missing: a baseline has the
 * cells with the chosen settings, not the trials. */
static void explain_missing(struct judgement *j, const struct plan *p,
                         const struct baseline *new)
{
    OWNED(map_free) struct map *there = map_new();

    for (int i = 0; i < new->cells; i++)
        map_add(there, baseline_text(&new->cell[i], "id"), i);
    for (int k = 0; k < p->n; k++) {
        const struct cell *c = &p->cell[k];
        const char *name = name_of(c, j->memory);

        if (!c->selected || c->older || (plan_is_trial(c) && plan_tried(c)) ||
            map_get(there, c->id, -1) >= 0)
            continue;
        const char *why =
            c->status.state == CELL_DONE && !c->damage
                ? "this build failed to train it; the store holds another "
                  "build's result"
                : arena_format(j->memory, "%s%s%s", plan_status(c),
                               *plan_reason(c) ? ": " : "", plan_reason(c));
        if (set_reason(j, name, why) || c->refused)
            continue;
        if (plan_state(c) == CELL_MISSING) {
            j->untrained++;
            continue;
        }
        judge_add(j, name, "", JUDGE_MISSING, "exact",
                  arena_format(j->memory, "in neither the baseline nor the "
                                          "store: %s", why));
    }
}

static int read_margin(double *out, const char *option, const char *s)
{
    *out = NAN;
    if (s && (str_to_real(s, out) || *out < 0))
        return err_set(ERR_USAGE, "%s: '%s': expected a number, 0 or "
                                  "greater", option,
                       s);
    return OK;
}

/* ---- cost ---- */

static void cost_progress(const char *cell, int done, int of, double left)
{
    char text[32];

    say("timed %s: %d of %d, %s left", cell, done, of,
        str_duration(left, text));
}

static int read_cost(struct cost_of *of, const struct baseline *old,
                     const struct given *g)
{
    *of = (struct cost_of){.old = old, .against = g->against,
                           .program = "/proc/self/exe", .rounds = g->rounds,
                           .threads = g->threads, .progress = cost_progress};
    PASS(read_margin(&of->margin, "--cost-margin", g->least));
    of->margin /= 100;
    if (g->rounds < 2)
        return err_set(ERR_USAGE, "--rounds: expected 2 or more: one round "
                                  "cannot separate a change from noise");
    return of->against ? cost_probe(of) : OK;
}

/* ---- the command ---- */

/* The inputs that a gate reads before it trains or judges. */
struct inputs {
    struct baseline *old;
    struct plan     *p;
    struct cost_of   cost;
    struct judge_of  of;
    int              printed; /* 1: the verdict was printed */
};

/* Sets *new to the results of the store.  Removes what cannot be compared from
 * both baselines. */
static int measure(struct baseline **new, const struct inputs *in, int trained)
{
    struct baseline *old = in->old;
    char build[HASH_HEX];

    PASS(baseline_measure(new, "now", in->p->store, 0, metric_all));
    leave_out(old, in->p);
    leave_out(*new, in->p);
    if (!trained)
        return OK;
    provenance_build(build);
    /* Cells of other builds then count as missing: this build failed to train
     * them. */
    baseline_remove_others(*new, build);
    int n = baseline_remove_others(old, NULL);
    if (n)
        say("not compared: %d cell%s of baseline %s that another program "
            "trained; to compare existing results, use `gate --store` without "
            "an experiment", n, n == 1 ? "" : "s", old->name);
    return OK;
}

/* Prints the verdict and writes the JUnit file.  The file is written even if
 * printing fails. */
static int decide(const struct given *g, struct inputs *in, int train)
{
    OWNED(baseline_close) struct baseline *new = NULL;
    OWNED(judge_close) struct judgement *j = NULL;
    OWNED(sheet_close) struct sheet *s = sheet_new();
    int rc = train ? run_plan(in->p, g) : plan_look(in->p);

    if (rc)
        return rc;
    PASS(measure(&new, in, train));
    in->of.old = in->old;
    in->of.new = in->cost.new = new;
    in->of.old_store = g->old ? g->old : baseline_fact(in->old, "store");
    in->of.new_store = in->p->store;
    PASS(judge(&j, &in->of));
    explain_missing(j, in->p, new);
    if (in->cost.against)
        PASS(cost_judge(j, &in->cost));
    gate_sheet(s, j, in->old, new);
    rc = sheet_print(s, g->format, NULL);
    in->printed = 1;
    if (g->junit)
        PASS(gate_junit(g->junit, j, in->old));
    PASS(rc);
    return gate_exit_code(j);
}

/* If there is no verdict, writes a JUnit file with the reason. */
static int end_junit(const struct given *g, const struct inputs *in, int rc)
{
    if (!g->junit || in->printed)
        return rc;
    OWNED(free) char *why = rc < 0 ? str_copy(err_last())
                                   : str_format("exit code %d", rc);
    gate_junit_error(g->junit, g->baseline, why);
    return rc < 0 ? err_set(rc, "%s", why) : rc;
}

static int run_gate(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    struct inputs in = {.of = {.metrics = metric_all, .exact = g->exact}};
    OWNED(baseline_close) struct baseline *old = NULL;
    OWNED(plan_close) struct plan *p = NULL;
    struct plan_of of = g->plan;

    if (!g->baseline || !cell_name_ok(g->baseline))
        return err_set(ERR_USAGE, "gate: specify the baseline with "
                                  "--baseline NAME");
    OWNED(free) char *path = str_format("%s/%s.tsv", g->folder, g->baseline);
    PASS(read_margin(&in.of.margin, "--margin", g->margin));
    PASS(baseline_read(&old, path));
    OWNED(free) char *own = str_format("results/gate/%s", g->baseline);
    of.experiment = args->of[0];
    if (of.experiment && !of.store)
        of.store = own;
    if (!of.store)
        return err_set(ERR_USAGE, "gate: specify an experiment to run, or "
                                  "--store with existing results");
    PASS(plan_open(&p, &of));
    PASS(read_cost(&in.cost, old, g));
    in.old = old;
    in.p = p;
    /* Before the work begins, the JUnit file reports an error, so that the file
     * of an earlier run is not taken for the result of a run that is killed.  A
     * pipe or a device is written only once, at the end. */
    if (g->junit && file_output_check(g->junit) != 0)
        PASS(gate_junit_error(g->junit, g->baseline,
                              "the gate did not finish"));
    return end_junit(g, &in, decide(g, &in, args->of[0] != NULL));
}

const struct command command_gate = {
    .name = "gate",
    .summary = "Check results against a baseline",
    .args = "--baseline NAME [EXPERIMENT.yaml]",
    .doc = "With EXPERIMENT.yaml, trains the experiment with this build; the "
           "results go to --store. Without it, checks the results in --store. "
           "Bit-identical cells pass. If bits differ, weights and data are "
           "compared, then metrics, and cost on request. A value is equal if "
           "the whole interval of its difference is within the margin; "
           "changed: it is no longer comparable, because its settings, data or "
           "metric changed; added: only the new results have it; missing: only "
           "the baseline has it. Exit code 3: worse or changed; 1: a cell "
           "failed or is missing; 4: undecided; 7: nothing was measured. If "
           "several apply, 3 precedes 1, and 1 precedes 4.",
    .formats = command_text_md_json,
    COMMAND_RUNS(run_gate, 0, 1)};
