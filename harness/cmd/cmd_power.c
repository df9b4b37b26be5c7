/*
 * power: how many seeds it takes to tell two variants apart (stats/detect.h),
 * from how much the seeds and the test examples of a store vary.  As JSON:
 *
 *     {"schema_version": 1, "experiment", "power", "level",
 *      "difference": number or null (that which was seen),
 *      "rows": [{"task", "metric", "a", "b", "tests" (the family), "seeds"
 *                (there are), "examples" (0: they do not tell the metric),
 *                "seen" (a less b), "difference" (to be told), "sd_seed" (of
 *                the difference between seeds), "error_examples" (null if
 *                their variance was not seen, then "error_examples_below"),
 *                "power" (of the seeds there are), "seeds_needed" and its range
 *                "seeds_least", "seeds_most" (null: over 10000),
 *                "examples_share" (of the variance), "examples_needed" (with
 *                the seeds there are; null: more of them do not help), "why"
 *                (none),
 *                "unsettled": true where they still learn (report/learning.h),
 *                so that seeds alone decide nothing lasting}],
 *      "uncompared": [tasks of the experiment that are not]}
 *
 * null where there is no such number.  CSV has these rows.
 */
#include "harness/base/json.h"
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/cmd/chosen.h"
#include "harness/metrics/metric.h"
#include "harness/print/sheet.h"
#include "harness/report/evidence.h"
#include "harness/report/outcomes.h"
#include "harness/report/power.h"
#include "harness/stats/detect.h"

#include <math.h>
#include <string.h>

struct given {
    const char *store, *filter, *format, *output;
    double      power, level;
    double      difference; /* 0: that which was seen */
};

static int read_share(void *field, const struct opt *opt, const char *arg,
                      struct reading *r)
{
    double *x = field;

    (void)r;
    return str_to_real(arg, x) || !(*x > 0 && *x < 1)
               ? err_set(ERR_USAGE, "%s %s: expected a number between 0 and 1",
                         opt->name, arg)
               : OK;
}

static int read_difference(void *field, const struct opt *opt, const char *arg,
                           struct reading *r)
{
    double *x = field;

    (void)r;
    return str_to_real(arg, x) || !(*x > 0)
               ? err_set(ERR_USAGE, "%s %s: expected a number above 0",
                         opt->name, arg)
               : OK;
}

static const struct opt options[] = {
    {"--difference", 0, "X", read_difference, OPT_AT(difference),
     .doc = "Smallest difference of interest, in the metric's unit "
            "(default: the observed one)"},
    {"--power", 0, "P", read_share, OPT_AT(power),
     .doc = "Power: probability of detecting the difference", .initial = "0.8"},
    {"--level", 0, "P", read_share, OPT_AT(level),
     .doc = "Family-wise error rate per metric column", .initial = "0.05"},
    {"--select", 'E', "FILTER", opt_text, OPT_AT(filter),
     .doc = "Only these cells: 'variant==vanilla || variant==random'"},
    {.group = opts_store, .at = OPT_AT(store)},
    {.group = opts_format, .at = OPT_AT(format)},
    {.group = opts_output, .at = OPT_AT(output)},
    {.name = NULL}};

/* ---- one pair ---- */

struct need {
    const char     *task, *metric, *a, *b;
    size_t          tests;
    struct contrast seen;
    struct power    of;
};

static void fill_need(struct need *n, const struct given *g)
{
    double level = g->level / (double)n->tests;

    n->of = power_of(&n->seen, g->difference, level, g->power);
}

/* ---- the sheet ---- */

struct telling {
    const struct given *given;
    struct report      *report;
    struct sheet       *sheet;
    struct grid        *grid;
    size_t              fewest; /* seeds of a row, from 2 on; 0: none */
    int                 unsettled; /* rows                            */
    json_t             *uncompared; /* tasks                          */
};

static json_t *count_json(size_t n)
{
    return n ? json_integer((json_int_t)n) : json_null();
}

static json_t *need_json(const struct need *n)
{
    json_t *j = json_pack(
        "{s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:f, s:f, s:f, s:f, s:f}", "task",
        n->task, "metric", n->metric, "a", n->a, "b", n->b, "tests",
        (int)n->tests, "seeds", n->seen.seeds ? (int)n->seen.seeds : 1,
        "examples", (int)n->seen.examples, "seen", n->seen.difference,
        "difference", n->of.difference, "sd_seed", n->of.sd_seed,
        "error_examples", n->of.error_examples, "power", n->of.power);

    json_object_set_new(j, "error_examples_below", json_real(n->of.below));
    json_object_set_new(j, "seeds_needed", count_json(n->of.seeds));
    json_object_set_new(j, "seeds_least", count_json(n->of.least));
    json_object_set_new(j, "seeds_most", count_json(n->of.most));
    json_object_set_new(j, "examples_share", json_real(n->of.share));
    json_object_set_new(j, "examples_needed", count_json(n->of.examples));
    json_object_set_new(j, "why", json_string(n->of.why));
    json_object_set_new(j, "unsettled", json_boolean(n->seen.unsettled));
    return j;
}

/* " (2 to 31)"; ", or 1200 test examples", if these have most of the
 * variance. */
static const char *range_text(struct arena *a, const struct power *p)
{
    const char *most = p->most ? arena_format(a, "%zu", p->most)
                               : "over 10000";

    return arena_format(a, " (%zu to %s)%s", p->least, most,
                        p->share > 0.5 && p->examples
                            ? arena_format(a, ", or %zu test examples",
                                           p->examples)
                            : "");
}

static void put_need(struct telling *t, const struct need *n)
{
    struct grid *g = t->grid;
    size_t seeds = n->seen.mean.parts ? n->seen.seeds : 0;

    grid_add(g, "%s\t%s\t%s\t%s\t%zu", n->task, n->metric, n->a, n->b,
             seeds ? seeds : 1);
    grid_number(g, "%+.4g", n->seen.difference, "-");
    grid_number(g, "%.3g", n->of.sd_seed, "-");
    if (isnan(n->of.below))
        grid_number(g, "%.3g", n->of.error_examples, "-");
    else
        grid_add(g, "< %.2g", n->of.below);
    grid_number(g, "%.2f", n->of.power, "-");
    if (n->of.seeds)
        grid_add(g, "%zu%s%s", n->of.seeds,
                 range_text(t->sheet->memory, &n->of),
                 n->seen.unsettled ? ", not converged" : "");
    else
        grid_add(g, "%s", n->of.why);
    t->unsettled += n->of.seeds && n->seen.unsettled;
    json_array_append_new(t->sheet->records, need_json(n));
    if (seeds && (!t->fewest || seeds < t->fewest))
        t->fewest = seeds;
}

static void put_head(struct telling *t)
{
    static const char *const head[] = {
        "task", "metric", "A", "B", "seeds", "A - B", "sd over seeds",
        "error of examples", "power", "seeds needed", NULL};
    const struct given *g = t->given;

    if (g->difference > 0)
        sheet_put(t->sheet, PART_PARAGRAPH, "Seeds per variant that detect "
                                            "a difference of %g with a "
                                            "power of %g.", g->difference,
                  g->power);
    else
        sheet_put(t->sheet, PART_PARAGRAPH, "Seeds per variant that detect "
                                            "the observed difference, if it "
                                            "is the true one, with a power "
                                            "of %g.", g->power);
    t->grid = sheet_listing(t->sheet, "<<<<>>>>>>", head);
}

/* What seeds do not decide, and what nobody asks of them. */
static void put_left(const struct telling *t)
{
    OWNED(text_free) struct text tasks = {0};
    const json_t *task;
    size_t i;

    if (t->unsettled)
        sheet_put(t->sheet, PART_ITEM, "not converged: the gains of the last "
                  "tenth of training differ by more than the cross-entropies; "
                  "more training steps may change the result");
    json_array_foreach(t->uncompared, i, task)
        text_format(&tasks, "%s%s", i ? ", " : "", json_string_value(task));
    if (tasks.n)
        sheet_put(t->sheet, PART_ITEM, "reported, not compared: %s", tasks.s);
}

static void put_notes(struct telling *t)
{
    struct sheet *s = t->sheet;

    sheet_put(s, PART_ITEM, "level: %g, two-sided, for %s", t->given->level,
              t->report->contrasts
                  ? "all contrasts of the experiment together"
                  : "all tests of a table column together. Each variant with "
                    "two seeds or more is tested against the best one, and p "
                    "is corrected for the number of these tests");
    put_left(t);
    sheet_put(s, PART_ITEM, "sd over seeds: standard deviation of the "
                            "difference between seeds. Error of examples: "
                            "standard error due to the test examples, which "
                            "more seeds do not reduce; `<X`: not detected, so "
                            "below X; `-`: the metric is not computed per "
                            "example");
    sheet_put(s, PART_ITEM, "seeds needed: seeds per variant, including those "
                            "that are there. `or N test examples`: the seeds "
                            "that are there suffice with N test examples");
    if (t->fewest) {
        struct interval by = detect_spread(t->fewest);

        sheet_put(s, PART_ITEM, "the sd over %zu seeds is uncertain by "
                                "factors of %.2g to %.2g (95 %%); the range "
                                "of the seeds needed follows from it",
                  t->fewest, by.low, by.high);
    } else {
        sheet_put(s, PART_ITEM, "one seed does not show the spread: "
                                "`synthbench run --extend --seeds 3` trains "
                                "more");
    }
}

/* ---- all pairs ---- */

struct variants {
    const char **name;
    size_t       n, several; /* of two seeds or more */
};

/* Those of a task with a finished cell. */
static struct variants variants_of(const struct report *r, const char *task)
{
    size_t room = (size_t)r->n + 1;
    struct variants v = {arena_take(r->memory, room * sizeof *v.name), 0, 0};
    size_t *seeds = arena_zero(r->memory, room * sizeof *seeds);

    for (int i = 0; i < r->n; i++) {
        const struct report_cell *c = &r->cell[i];
        size_t k = 0;

        if (strcmp(c->task, task) || c->state != CELL_DONE)
            continue;
        while (k < v.n && strcmp(v.name[k], c->variant))
            k++;
        v.n += k == v.n;
        v.name[k] = c->variant;
        v.several += ++seeds[k] == 2;
    }
    return v;
}

/* A table compares rows of two seeds or more; where there are no two, as it
 * will when all have them. */
static size_t tests_of(const struct variants *v)
{
    return (v->several > 1 ? v->several : v->n) - 1;
}

static int tell_metric(struct telling *t, struct evidence *e, const char *task,
                       const char *metric)
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
            PASS(evidence_contrast(&n.seen, e, n.a, n.b, metric, n.tests));
            if (isnan(n.seen.difference))
                continue;
            fill_need(&n, t->given);
            put_need(t, &n);
        }
    return OK;
}

/* A perplexity has no test of its own. */
static int tell_task(struct telling *t, const char *name)
{
    OWNED(evidence_close) struct evidence *e = NULL;
    const struct task *task;

    PASS(task_find(&task, name));
    int rc = evidence_open(&e, t->report, name, metric_all);
    PASS(rc == ERR_EMPTY ? OK : rc);
    for (const char *const *m = task->metrics; e && *m; m++)
        if (!strcmp(measure_test(*m), *m))
            PASS(tell_metric(t, e, name, *m));
    return OK;
}

static int tell_all(struct telling *t)
{
    const struct report *r = t->report;

    for (int i = 0; i < r->n; i++) {
        int before = 0;

        while (strcmp(r->cell[before].task, r->cell[i].task))
            before++;
        if (before < i)
            continue;
        if (report_uncompared(r, r->cell[i].task))
            json_array_append_new(t->uncompared, json_string(r->cell[i].task));
        else
            PASS(tell_task(t, r->cell[i].task));
    }
    return OK;
}

/* ---- which cells ---- */

static int check_scale(const struct report *r)
{
    for (int i = 1; i < r->n; i++)
        if (strcmp(r->cell[i].scale, r->cell[0].scale))
            return err_set(ERR_USAGE, "%s holds cells of scale %s and of scale "
                           "%s: choose one, -E scale==%s", r->store,
                           r->cell[0].scale, r->cell[i].scale,
                           r->cell[0].scale);
    return OK;
}

static int open_report(struct report **out, const struct given *g,
                       const char *experiment)
{
    OWNED(plan_close) struct plan *p = NULL;
    OWNED(report_close) struct report *r = NULL;

    PASS(plan_open(&p, &(struct plan_of){.experiment = experiment,
                                         .store = g->store}));
    OWNED(free) char *word = text_quoted(experiment);
    OWNED(free) char *store = text_quoted(p->store);
    int rc = report_open(&r, p->store);
    if (rc == ERR_EMPTY)
        return err_set(rc, "%s: no results of %s to learn from: `synthbench "
                       "run %s --seeds 3%s%s` trains three seeds", p->store,
                       experiment, word, g->store ? " --store " : "",
                       g->store ? store : "");
    PASS(rc);
    if (strcmp(r->name, p->name))
        return err_set(ERR_USAGE, "%s holds experiment %s, not %s", p->store,
                       r->name, p->name);
    PASS(chosen_leave(r, g->filter));
    PASS(check_scale(r));
    return HAND_ON(out, r);
}

static json_t *object_of(const struct telling *t)
{
    const struct given *g = t->given;

    return json_pack("{s:s, s:f, s:f, s:f, s:O, s:O}", "experiment",
                     t->report->name, "power", g->power, "level", g->level,
                     "difference", g->difference > 0 ? g->difference : NAN,
                     "rows", t->sheet->records, "uncompared", t->uncompared);
}

static int run(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(report_close) struct report *r = NULL;
    OWNED(sheet_close) struct sheet *s = NULL;
    OWNED(json_decref) json_t *uncompared = json_array();
    OWNED(free) char *experiment = text_quoted(args->of[0]);

    PASS(open_report(&r, g, args->of[0]));
    s = sheet_new();
    s->records = json_array();
    struct telling t = {.given = g, .report = r, .sheet = s,
                        .uncompared = uncompared};
    put_head(&t);
    PASS(tell_all(&t));
    if (!json_array_size(s->records))
        return err_set(ERR_EMPTY, "%s: fewer than two selected variants of a "
                                  "task are finished; select more, or train "
                                  "them with `synthbench run %s`",
                       r->store, experiment);
    put_notes(&t);
    s->object = object_of(&t);
    PASS(sheet_print(s, g->format, g->output));
    return report_damage(r);
}

const struct command command_power = {
    .name = "power",
    .summary = "Estimate the seeds needed to distinguish two variants",
    .args = "EXPERIMENT.yaml",
    .doc = "Uses a store of the experiment in which some cells have two "
           "seeds or more. Perplexities are tested as cross-entropies.",
    .formats = format_names,
    COMMAND_RUNS(1, 1)};
