/*
 * power: estimates how many seeds are needed to distinguish two variants
 * (stats/design.h), from the variance over seeds and test examples in a store.
 * JSON:
 *
 *     {"schema_version": 1, "experiment", "power", "level",
 *      "difference": number or null (the observed one),
 *      "rows": [{"task", "metric", "a", "b", "tests" (in the family), "seeds"
 *                (in the store), "examples" (0: no value per example),
 *                "seen" (b minus a), "difference" (to be detected), "sd_seed"
 *                (of the difference, between seeds), "error_examples" (null
 *                if their variance was not detected: then
 *                "error_examples_below"), "power" (with the seeds in the
 *                store), "seeds_needed" and its range "seeds_least",
 *                "seeds_most" (null: over 10000), "examples_share" (of the
 *                variance), "examples_needed" (with the seeds in the store;
 *                null: more examples do not help), "why" (why no number of
 *                seeds is known),
 *                "unsettled": true if the rows have not converged
 *                (report/learning.h), so that seeds alone give no lasting
 *                verdict}],
 *      "uncompared": [tasks that the experiment does not compare]}
 *
 * Numbers that do not exist are null.  CSV has the same rows.
 */
#include "harness/base/json.h"
#include "harness/cmd/command.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/cmd/select_rows.h"
#include "harness/metrics/metric.h"
#include "harness/print/sheet.h"
#include "harness/report/evidence.h"
#include "harness/report/outcomes.h"
#include "harness/report/power.h"
#include "harness/report/result_fields.h"
#include "harness/stats/design.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct given {
    const char *store, *filter, *format, *output;
    const char *from; /* NULL: a store */
    double      power, level;
    double      difference; /* 0: the observed one */
    int         all;        /* 1: every pair, with all its numbers */
};

/* Reads a number above 0 and, if opt->most is not 0, below it. */
static int read_positive(void *field, const struct opt *opt, const char *arg,
                         struct reading *r)
{
    double *x = field;

    (void)r;
    return str_to_real(arg, x) || !(*x > 0 && (!opt->most || *x < opt->most))
               ? err_set(ERR_USAGE, "%s %s: expected a number %s", opt->name,
                         arg, opt->most ? "between 0 and 1" : "above 0")
               : OK;
}

static const struct opt options[] = {
    {"--difference", 0, "X", read_positive, OPT_AT(difference),
     .doc = "Smallest difference of interest, in the metric's unit "
            "(default: the observed one)"},
    {"--power", 0, "P", read_positive, OPT_AT(power),
     .doc = "Power: probability of detecting the difference", .initial = "0.8",
     .most = 1},
    {"--level", 0, "P", read_positive, OPT_AT(level),
     .doc = "Family-wise error rate per metric column", .initial = "0.05",
     .most = 1},
    {"--from", 0, "FILE.json", opt_text, OPT_AT(from),
     .doc = "Use the comparisons in FILE, which `table --format json` wrote, "
            "without EXPERIMENT and its store"},
    {"--all", 0, NULL, opt_flag, OPT_AT(all),
     .doc = "List every pair of variants in every metric, with their spread"},
    {"--select", 'E', "FILTER", opt_text, OPT_AT(filter),
     .doc = "Only these cells: 'variant==vanilla || variant==random'"},
    {.group = opts_store, .at = OPT_AT(store)},
    {.group = opts_verdict, .at = OPT_AT(format)},
    {.group = opts_output, .at = OPT_AT(output)},
    {.name = NULL}};

/* ---- one pair ---- */

struct need {
    const char     *task, *metric, *a, *b;
    size_t          tests;
    int             seeds; /* seeds in the store     */
    int             brief; /* 1: shown without --all */
    struct contrast observed;
    struct power    of;
};

/* Returns 1 if more seeds are needed, the test examples cause most of the
 * variance, and more of them can replace the additional seeds. */
static int is_for_examples(const struct need *n)
{
    return n->of.seeds > (size_t)n->seeds && n->of.share > 0.5 &&
           n->of.examples;
}

/* Returns the number of seeds and its range, such as "4 (2 to 31)".  If more
 * test examples can replace seeds, appends ", or 1200 test examples". */
static const char *show_needed(const void *row, struct arena *a)
{
    const struct need *n = row;
    const struct power *p = &n->of;
    const char *range = "", *examples = "";

    if (!p->seeds)
        return p->why;
    if (!p->most)
        range = arena_format(a, " (%zu to >10000)", p->least);
    else if (p->least != p->most)
        range = arena_format(a, " (%zu to %zu)", p->least, p->most);
    if (is_for_examples(n))
        examples = arena_format(a, ", or %zu examples", p->examples);
    return arena_format(a, "%zu%s%s%s", p->seeds, range, examples,
                        n->observed.unsettled ? ", not converged" : "");
}

static const char *show_error(const void *row, struct arena *a)
{
    const struct power *p = &((const struct need *)row)->of;

    if (!isnan(p->below))
        return arena_format(a, "< %.2g", p->below);
    return isnan(p->error_examples) ? "-"
                                    : arena_format(a, "%.3g",
                                                   p->error_examples);
}

#define TASK {"task", "task", COLUMN(struct need, task)}
#define METRIC {"metric", "metric", COLUMN(struct need, metric)}
#define OBSERVED                                                              \
    {"seen", "B - A", COLUMN(struct need, observed.difference), "%+.4g"}
#define PAIR                                                                  \
    {"a", "A", COLUMN(struct need, a)}, {"b", "B", COLUMN(struct need, b)}
#define NEEDED                                                                \
    {NULL, "seeds needed", COLUMN_SHOWN, .show = show_needed, .left = 1}

static const struct column brief_columns[] = {
    NEEDED, OBSERVED, TASK, METRIC, PAIR, {.type = COLUMN_END}};

static const struct column columns[] = {
    TASK, METRIC, PAIR,
    {"tests", NULL, COLUMN(struct need, tests)},
    {"seeds", "seeds", COLUMN(struct need, seeds)},
    {"examples", NULL, COLUMN(struct need, observed.examples)},
    OBSERVED,
    {"difference", NULL, COLUMN(struct need, of.difference)},
    {"sd_seed", "sd over seeds", COLUMN(struct need, of.sd_seed), "%.3g", "-"},
    {"error_examples", "error of examples",
     COLUMN(struct need, of.error_examples), .show = show_error},
    {"power", "power", COLUMN(struct need, of.power), "%.2f", "-"},
    {"error_examples_below", NULL, COLUMN(struct need, of.below)},
    {"seeds_needed", NULL, COLUMN_AS(COLUMN_COUNT, struct need, of.seeds)},
    {"seeds_least", NULL, COLUMN_AS(COLUMN_COUNT, struct need, of.least)},
    {"seeds_most", NULL, COLUMN_AS(COLUMN_COUNT, struct need, of.most)},
    {"examples_share", NULL, COLUMN(struct need, of.share)},
    {"examples_needed", NULL, COLUMN_AS(COLUMN_COUNT, struct need,
                                        of.examples)},
    {"why", NULL, COLUMN(struct need, of.why)},
    {"unsettled", NULL, COLUMN_AS(COLUMN_BOOL, struct need,
                                  observed.unsettled)},
    NEEDED,
    {.type = COLUMN_END}};

/* ---- output ---- */

struct estimates {
    const struct given *given;
    struct report      *report;     /* NULL: read from a file */
    int                 contrasts;  /* of the experiment      */
    struct sheet       *sheet;
    const struct need **need;
    int                 needs;
    size_t              room;
    /* smallest number of seeds among the pairs with 2 seeds or more; 0: there
     * is no such pair */
    size_t              fewest;
    int                 unsettled;  /* printed rows not converged     */
    int                 examples;   /* printed rows that examples help */
    json_t             *uncompared; /* names of tasks                 */
};

static void close_estimates(struct estimates *t)
{
    free(t->need);
    json_decref(t->uncompared);
    report_close(t->report);
    sheet_close(t->sheet);
}
OWNER_OF_VALUE(close_estimates, struct estimates)

/* Adds the sentence that says for how many of the n pairs the seeds in the
 * store are enough. */
static void put_verdict(struct estimates *t, const struct need *const *pair,
                        int n)
{
    struct sheet *s = t->sheet;
    int enough = 0, unknown = 0;
    size_t most = 0;

    for (int i = 0; i < n; i++) {
        const struct power *p = &pair[i]->of;

        enough += p->seeds && p->seeds <= (size_t)pair[i]->seeds;
        unknown += !p->seeds;
        most = p->seeds > most ? p->seeds : most;
    }
    sheet_put(s, PART_PARAGRAPH, "%d of %d differences can be detected with "
              "the seeds in the store%s%s. The power is %g, if %s.",
              enough, n,
              enough + unknown < n
                  ? arena_format(s->memory, "; %d need more, up to %zu",
                                 n - enough - unknown, most)
                  : "",
              unknown ? arena_format(s->memory, "; for %d, no number is known",
                                     unknown)
                      : "",
              t->given->power,
              t->given->difference > 0
                  ? arena_format(s->memory, "the true difference is %g",
                                 t->given->difference)
                  : "the observed difference is the true one");
}

enum { SCREEN = 20 }; /* pairs listed without --all */

/* Adds the pairs.  Without --all, text shows only the contrasts of the
 * experiment or, if it has none, the pairs of the first variant in the first
 * metric of each task. */
static void put_pairs(struct estimates *t)
{
    struct sheet *s = t->sheet;
    const struct need **shown = arena_zero(s->memory, (size_t)t->needs *
                                                          sizeof *shown);
    const struct relation all = {"rows", columns, t->need, 0, t->needs};
    int n = 0;

    for (int i = 0; i < t->needs; i++) {
        const struct need *one = t->need[i];

        if (!one->brief && !t->given->all)
            continue;
        shown[n++] = one;
        t->unsettled += one->of.seeds && one->observed.unsettled;
        t->examples += is_for_examples(one);
    }
    put_verdict(t, shown, n);
    if (t->given->all) {
        sheet_relation(s, &all);
        return;
    }
    int most = n < SCREEN ? n : SCREEN;
    sheet_grid_of(s, &(struct relation){NULL, brief_columns, shown, 0, most});
    sheet_fact(s, all.name, relation_json(&all, s->memory));
    s->records = json_incref(json_object_get(s->object, all.name));
    if (most < t->needs)
        sheet_put(s, PART_PARAGRAPH, "`--all` lists all %d differences and "
                  "their spread, from which the seeds needed are computed.",
                  t->needs);
}

/* Adds the notes.  `experiment` and `store` are words of a command line: the
 * name of the experiment, and " --store S" or "". */
static void put_notes(struct estimates *t, const char *experiment,
                      const char *store)
{
    OWNED(text_free) struct text tasks = {0};
    struct sheet *s = t->sheet;
    const json_t *task;
    size_t i;

    sheet_put(s, PART_ITEM, "level: %g, two-sided, for %s", t->given->level,
              t->contrasts
                  ? "all contrasts of the experiment together"
                  : "all tests of a table column together. Each line tests "
                    "B against A; p is corrected for n - 1 tests per column, "
                    "where n is the number of variants");
    if (t->unsettled)
        sheet_put(s, PART_ITEM, "not converged: the gains of the last tenth of "
                  "training differ by more than the cross-entropies; more "
                  "training steps may change the result");
    json_array_foreach(t->uncompared, i, task)
        text_format(&tasks, "%s%s", i ? ", " : "", json_string_value(task));
    if (tasks.n)
        sheet_put(s, PART_ITEM, "reported, not compared: %s", tasks.s);
    if (t->given->all)
        sheet_put(s, PART_ITEM, "sd over seeds: standard deviation of the "
                  "difference between seeds. Error of examples: standard error "
                  "due to the test examples, which more seeds do not reduce; "
                  "`<X`: not detected, so below X; `-`: the metric is not "
                  "computed per example%s",
                  t->report ? "" : ", or not detected: then the seeds needed "
                                   "may be more than their range says");
    sheet_put(s, PART_ITEM, "seeds needed: seeds per variant, including the "
                            "seeds in the store%s",
              t->examples ? ". `or N examples`: with N test examples, "
                            "the seeds in the store are enough" : "");
    if (t->fewest) {
        struct interval by = design_spread(t->fewest);

        sheet_put(s, PART_ITEM, "the sd over %zu seeds is uncertain by "
                                "factors of %.2g to %.2g (95 %%); the range "
                                "of the seeds needed follows from it",
                  t->fewest, by.low, by.high);
    } else {
        sheet_put(s, PART_ITEM, "one seed does not show the spread: "
                                "`synthbench run %s --extend --seeds 3%s` "
                                "trains more", experiment, store);
    }
}

/* ---- all pairs ---- */

struct variants {
    const char **name;
    size_t       n, several; /* variants with two or more seeds */
};

/* Returns the variants of a task that have a finished cell.  Rows that other
 * programs trained are included only if the experiment has contrasts, which
 * may name them. */
static struct variants variants_of(const struct report *r, const char *task)
{
    size_t room = (size_t)r->n + 1;
    struct variants v = {arena_take(r->memory, room * sizeof *v.name), 0, 0};
    size_t *seeds = arena_zero(r->memory, room * sizeof *seeds);

    for (int i = 0; i < r->n; i++) {
        const struct report_cell *c = &r->cell[i];
        size_t k = 0;

        if (strcmp(c->task, task) || c->state != CELL_DONE ||
            (!r->contrasts && str_ends(c->variant, CELL_EXTERNAL)))
            continue;
        while (k < v.n && strcmp(v.name[k], c->variant))
            k++;
        v.n += k == v.n;
        v.name[k] = c->variant;
        v.several += ++seeds[k] == 2;
    }
    return v;
}

/* Returns the number of tests in a table column.  A table compares rows with
 * two or more seeds.  If fewer than two rows have so many, returns the number
 * for a table in which all rows have them. */
static size_t tests_of(const struct variants *v)
{
    return (v->several > 1 ? v->several : v->n) - 1;
}

/* Adds a pair with all members but `of`.  `brief` is 1 if it is shown without
 * --all. */
static void add_need(struct estimates *t, struct need n)
{
    size_t seeds = n.observed.mean.parts ? n.observed.seeds : 0;
    struct need *kept = arena_zero(t->sheet->memory, sizeof n);

    n.seeds = seeds ? (int)seeds : 1;
    n.of = power_of(&n.observed, t->given->difference,
                    t->given->level / (double)n.tests, t->given->power);
    *kept = n;
    ARRAY_ROOM(t->need, t->needs, t->room);
    t->need[t->needs++] = kept;
    if (seeds && (!t->fewest || seeds < t->fewest))
        t->fewest = seeds;
}

static int add_metric(struct estimates *t, struct evidence *e, const char *task,
                       const char *metric, int first)
{
    struct variants v = variants_of(t->report, task);

    for (size_t i = 0; i < v.n; i++)
        for (size_t k = i + 1; k < v.n; k++) {
            struct need n = {.task = task, .metric = metric, .a = v.name[i],
                             .b = v.name[k]};

            if (!report_judges(t->report, &(struct contrast_named){
                                              task, metric, n.a, n.b}))
                continue;
            n.tests = report_family(t->report, tests_of(&v));
            PASS(evidence_contrast(&n.observed, e, n.b, n.a, metric, n.tests));
            if (isnan(n.observed.difference))
                continue;
            n.brief = t->report->contrasts || (first && !i);
            add_need(t, n);
        }
    return OK;
}

/* Adds the pairs for each metric of a task.  A perplexity is not tested
 * separately. */
static int add_task(struct estimates *t, const char *name)
{
    OWNED(evidence_close) struct evidence *e = NULL;
    const struct task *task;
    int first = 0;

    PASS(task_find(&task, name));
    int rc = evidence_open(&e, t->report, name, metric_all);
    PASS(rc == ERR_EMPTY ? OK : rc);
    for (const char *const *m = task->metrics; e && *m; m++)
        if (!strcmp(measure_test(*m), *m))
            PASS(add_metric(t, e, name, *m, !first++));
    return OK;
}

static int add_tasks(struct estimates *t)
{
    const struct report *r = t->report;

    t->contrasts = r->contrasts;
    for (int i = 0; i < r->n; i++) {
        int before = 0;

        while (strcmp(r->cell[before].task, r->cell[i].task))
            before++;
        if (before < i)
            continue;
        if (report_uncompared(r, r->cell[i].task))
            json_array_append_new(t->uncompared, json_string(r->cell[i].task));
        else
            PASS(add_task(t, r->cell[i].task));
    }
    return OK;
}

/* ---- the file of a table ---- */

/* Adds the pairs of a table.  Its first row is B, so that B - A is the
 * difference in the file. */
static void add_pairs(struct estimates *t, const struct result_table *s)
{
    struct arena *a = t->sheet->memory;

    t->contrasts = s->judged;
    for (int i = 0; i < s->pairs; i++) {
        const struct result_pair *p = &s->pair[i];
        size_t tests = (size_t)(s->judged ? s->judged : s->pairs);

        add_need(t, (struct need){
            .task = arena_text(a, p->task->task),
            .metric = arena_text(a, p->metric), .a = arena_text(a, p->b),
            .b = arena_text(a, p->a), .tests = tests, .brief = 1,
            .observed = power_observed(p, tests)});
    }
    for (int i = 0; i < s->tasks; i++)
        if (s->task[i].uncompared)
            json_array_append_new(t->uncompared,
                                  json_string(s->task[i].task));
}

static int read_pairs(struct estimates *t, const char **experiment,
                      const struct arguments *args)
{
    OWNED(result_close) struct result_table *s = NULL;
    const struct given *g = t->given;

    if (g->store || g->filter || args->n)
        return err_set(ERR_USAGE, "--from uses the comparisons of a file; it "
                       "cannot be combined with EXPERIMENT, --store or "
                       "--select");
    PASS(result_read(&s, g->from));
    add_pairs(t, s);
    *experiment = arena_text(t->sheet->memory, s->experiment);
    return t->needs ? OK
                    : err_set(ERR_EMPTY, "%s: compares no pair of rows: the "
                              "table has only pairs that are contrasts of the "
                              "experiment or that the paper compares; "
                              "`synthbench power %s` uses the results of a "
                              "store", g->from, s->experiment);
}

/* ---- selection of cells ---- */

/* Returns " --store S" if --store was given, else "". */
static char *store_option(const struct given *g)
{
    OWNED(free) char *store = text_quoted(g->store ? g->store : "");

    return str_format("%s%s", g->store ? " --store " : "",
                      g->store ? store : "");
}

/* Returns 1 if the plan has more than one seed. */
static int has_seeds(const struct plan *p)
{
    for (int i = 1; i < p->n; i++)
        if (p->cell[i].config.seed != p->cell[0].config.seed)
            return 1;
    return 0;
}

static int open_report(struct report **out, const struct given *g,
                       const char *experiment)
{
    OWNED(plan_close) struct plan *p = NULL;
    OWNED(report_close) struct report *r = NULL;

    PASS(plan_open(&p, &(struct plan_of){.experiment = experiment,
                                         .store = g->store}));
    OWNED(free) char *word = text_quoted(experiment);
    OWNED(free) char *store = store_option(g);
    int rc = report_open(&r, p->store);
    if (rc == ERR_EMPTY)
        return err_set(rc, "%s: no results of %s: `synthbench run %s%s%s` "
                       "trains them", p->store, experiment, word,
                       has_seeds(p) ? "" : " --seeds 3", store);
    PASS(rc);
    if (strcmp(r->name, p->name))
        return err_set(ERR_USAGE, "%s holds experiment %s, not %s", p->store,
                       r->name, p->name);
    PASS(select_rows(r, g->filter));
    for (int i = 1; i < r->n; i++)
        if (strcmp(r->cell[i].scale, r->cell[0].scale))
            return err_set(ERR_USAGE, "%s holds cells of scale %s and of scale "
                           "%s: choose one, -E scale==%s", r->store,
                           r->cell[0].scale, r->cell[i].scale,
                           r->cell[0].scale);
    return MOVE_OUT(out, r);
}

static int read_store(struct estimates *t, const char **experiment,
                      const struct arguments *args)
{
    OWNED(free) char *word = text_quoted(args->n ? args->of[0] : "");

    if (!args->n)
        return err_set(ERR_USAGE, "power: specify an experiment, or --from "
                       "with the file of a table");
    PASS(open_report(&t->report, t->given, args->of[0]));
    PASS(add_tasks(t));
    *experiment = t->report->name;
    return t->needs ? OK
                    : err_set(ERR_EMPTY, "%s: fewer than two selected variants "
                              "of a task are finished; select more, or train "
                              "them with `synthbench run %s`",
                              t->report->store, word);
}

static int run_power(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(close_estimates) struct estimates t = {
        .given = g, .sheet = sheet_new(), .uncompared = json_array()};
    OWNED(free) char *store = store_option(g);
    const char *experiment = NULL;

    PASS((g->from ? read_pairs : read_store)(&t, &experiment, args));
    OWNED(free) char *word = text_quoted(args->n ? args->of[0] : experiment);
    sheet_fact(t.sheet, "experiment", json_string(experiment));
    sheet_fact(t.sheet, "power", json_real(g->power));
    sheet_fact(t.sheet, "level", json_real(g->level));
    sheet_fact(t.sheet, "difference",
               json_real(g->difference > 0 ? g->difference : NAN));
    put_pairs(&t);
    sheet_fact(t.sheet, "uncompared", json_incref(t.uncompared));
    put_notes(&t, word, store);
    PASS(sheet_print(t.sheet, g->format, g->output));
    return t.report ? report_damage(t.report) : OK;
}

const struct command command_power = {
    .name = "power",
    .summary = "Estimate the seeds needed to distinguish two variants",
    .args = "EXPERIMENT.yaml\n--from FILE.json",
    .doc = "Uses a store of the experiment in which some cells have two "
           "seeds or more. Perplexities are tested as cross-entropies. --from "
           "answers the same for committed results, such as "
           "results/baselines/quick/table2.json: for the pairs that the file "
           "compares, in the metric that it compares.",
    .formats = format_names,
    COMMAND_RUNS(run_power, 0, 1)};
