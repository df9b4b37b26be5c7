/* compare: does one cell, or variant, do better than another? */
#include "harness/base/json.h"
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/cmd/digests.h"
#include "harness/metrics/metric.h"
#include "harness/print/sheet.h"
#include "harness/report/compare.h"
#include "harness/report/report.h"
#include "harness/store/cell.h"
#include "harness/tasks/task.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct given {
    const char *store, *format;
    int         digests; /* compare two stores whole */
};

static const struct opt options[] = {
    {.group = opts_results, .at = OPT_AT(store)},
    {"--digests", 0, NULL, opt_flag, OPT_AT(digests),
     .doc = "Compare two stores bit by bit, cell by cell"},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

/* ---- the two sides ---- */

struct side {
    struct plan        *plan;
    const struct task  *task;
    int                 synthetic; /* 1: a generator made its examples */
    struct compare_side of;
};

static void side_close(struct side *s) { plan_close(s->plan); }
OWNER_OF_VALUE(side_close, struct side)

static int open_side(struct side *s, const char *arg, const char *store)
{
    const char **id;
    long long *seed;

    PASS(target_open(&s->plan, arg, store));
    struct plan *p = s->plan;
    id = arena_take(p->memory, ((size_t)p->n + 1) * sizeof *id);
    seed = arena_take(p->memory, ((size_t)p->n + 1) * sizeof *seed);
    s->of = (struct compare_side){.store = p->store, .name = arg, .id = id,
                                  .seed = seed, .by_seed = target_group(arg)};
    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];

        if (!c->selected)
            continue;
        s->task = c->task;
        s->synthetic |= c->config.synthetic;
        if (c->damage)
            return err_set(ERR_STORE, "%s", c->damage);
        if (plan_is_trial(c))
            return err_set(ERR_EMPTY, "%s: a trial has no metrics because "
                                      "it does not use the test set", arg);
        if (c->status.state != CELL_DONE) {
            say("cell %s is %s and is left out", c->id, plan_status(c));
            continue;
        }
        id[s->of.cells] = c->id;
        seed[s->of.cells++] = (long long)c->config.seed;
    }
    if (!s->of.cells)
        return err_set(ERR_EMPTY, "%s: no finished cell; `synthbench run` "
                                  "trains it", arg);
    return OK;
}

/* Of one seed each the seeds tell nothing, and the test examples do. */
static void choose_test(struct compare_side *a, struct compare_side *b)
{
    if (a->cells == 1 && b->cells == 1)
        a->by_seed = b->by_seed = 0;
}

/* 1: of one store; of two, the same cell was run twice. */
static int are_same(const struct compare_side *a, const struct compare_side *b)
{
    OWNED(free) char *one = realpath(a->store, NULL);
    OWNED(free) char *other = realpath(b->store, NULL);
    int same = one && other && !strcmp(one, other) && a->cells == b->cells;

    for (int i = 0; same && i < a->cells; i++)
        same = !strcmp(a->id[i], b->id[i]);
    return same;
}

static int check_sides(const struct side *a, const struct side *b)
{
    if (a->of.by_seed != b->of.by_seed)
        return err_set(ERR_USAGE, "%s is one cell and %s is all seeds of a "
                                  "variant: specify two cells or two "
                                  "variants",
                       a->of.by_seed ? b->of.name : a->of.name,
                       a->of.by_seed ? a->of.name : b->of.name);
    if (a->task != b->task)
        return err_set(ERR_USAGE, "%s is of task %s and %s of task %s: cells "
                       "of different tasks cannot be compared", a->of.name,
                       a->task->name, b->of.name, b->task->name);
    if (are_same(&a->of, &b->of))
        return err_set(ERR_USAGE, "%s and %s are the same cell%s: specify "
                                  "two different ones", a->of.name, b->of.name,
                       a->of.cells == 1 ? "" : "s");
    return OK;
}

/* ---- what is compared ---- */

/* The metrics of the task, and those that they are means of (GLUE's subtasks),
 * a family of their own; NULL: there are none. */
struct families { struct comparison *whole, *parts; };

static void families_close(struct families *f)
{
    compare_close(f->whole);
    compare_close(f->parts);
}
OWNER_OF_VALUE(families_close, struct families)

/* parts: what else a cell of the side has. */
static int list_parts(const char ***out, const struct side *s)
{
    struct arena *a = s->plan->memory;
    OWNED(cell_close) struct cell_reader *cell = NULL;
    const char **name;
    size_t n, parts = 0;

    PASS(cell_open(&cell, s->of.store, s->of.id[0]));
    PASS(cell_get_names(cell, "metrics", &name, &n));
    *out = arena_zero(a, (n + 1) * sizeof **out);
    for (size_t i = 0; i < n; i++)
        if (names_index(s->task->metrics, name[i]) < 0)
            (*out)[parts++] = arena_text(a, name[i]);
    return OK;
}

static int compare_families(struct families *f, const struct side *a,
                            const struct side *b)
{
    const char **parts;

    PASS(compare(&f->whole, &a->of, &b->of, a->task->metrics, metric_all,
                 1));
    PASS(list_parts(&parts, a));
    if (*parts)
        PASS(compare(&f->parts, &a->of, &b->of, parts, metric_all, 1));
    return OK;
}

/* ---- output ---- */

/* Of a comparison whose verdicts may be withheld. */
static const char *verdict_of_row(const struct comparison *c,
                                  const struct compare_row *r)
{
    return c->unsettled && r->verdict.sign ? "not converged"
                                           : verdict_word(&r->verdict,
                                                          r->better);
}

static json_t *row_json(const struct comparison *c, const struct compare_row *r)
{
    const struct verdict *v = &r->verdict;
    const struct compare_seeds *s = &r->seeds;

    return json_pack(
        "{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, "
        "s:f, s:f, s:f, s:s, s:s?, s:s, s:f, s:I}",
        "metric", r->metric, "better", r->better > 0 ? "higher" : "lower",
        "a", r->a, "b", r->b, "difference", r->difference, "low",
        v->between.low, "high", v->between.high, "p", v->p, "p_unadjusted",
        v->alone, "sd_a", s->sd_a, "sd_b", s->sd_b, "interquartile_mean_a",
        s->iqm_a, "interquartile_mean_b", s->iqm_b, "a12", s->a12, "hedges_g",
        s->hedges_g, "cliff_delta", s->cliff_delta, "verdict",
        verdict_of_row(c, r), "as", r->as, "test", r->test, "least_p",
        r->floor, "more_seeds", (json_int_t)r->more);
}

static json_t *family_json(const struct comparison *c)
{
    json_t *rows = json_array();

    for (int i = 0; i < c->rows; i++)
        json_array_append_new(rows, row_json(c, &c->row[i]));
    return json_pack("{s:i, s:f, s:f, s:f, s:b, s:o}", "tests", c->tests,
                     "interval_level", c->level, "settled_a",
                     learning_gained(&c->a), "settled_b",
                     learning_gained(&c->b), "unsettled", c->unsettled, "rows",
                     rows);
}

static json_t *object_of(const struct families *f, const struct arguments *args)
{
    json_t *all = json_pack("{s:s, s:s}", "a", args->of[0], "b",
                            args->of[1]);
    OWNED(json_decref) json_t *whole = family_json(f->whole);

    json_object_update(all, whole);
    if (f->parts)
        json_object_set_new(all, "subtasks", family_json(f->parts));
    return all;
}

static void add_interval(struct grid *g, const struct verdict *v)
{
    if (isnan(v->between.low))
        grid_add(g, isnan(v->p) ? "unknown" : "too few seeds");
    else
        grid_add(g, "%+.4g to %+.4g", v->between.low, v->between.high);
}

/* on: " on this seed", of one seed; "": there are several. */
static void add_verdict(struct grid *g, const struct comparison *c,
                        const struct compare_row *r, const char *on)
{
    const struct verdict *v = &r->verdict;
    int sign = v->sign && !c->unsettled;
    const char *as = r->as ? r->as : "";
    const char *comma = r->as ? ", as " : "";

    if (r->more && !isnan(v->p))
        grid_add(g, "undecided, needs %zu more seed%s of each%s%s", r->more,
                 r->more == 1 ? "" : "s", comma, as);
    else
        grid_add(g, "%s%s%s%s%s", sign ? "A is " : "", verdict_of_row(c, r),
                 sign ? on : "", comma, as);
}

static void add_row(struct grid *g, const struct comparison *c,
                    const struct compare_row *r, const char *on)
{
    char p[24];

    grid_add(g, "%s\t%s\t%.5g\t%.5g", r->metric,
             r->better > 0 ? "higher" : "lower", r->a, r->b);
    grid_number(g, "%+.4g", r->difference, "unknown");
    add_interval(g, &r->verdict);
    grid_add(g, "%s", isnan(r->verdict.p) ? "unknown"
                                          : verdict_p(r->verdict.p, p));
    add_verdict(g, c, r, on);
}

static const char *gained(char out[24], const struct learning *l)
{
    double x = learning_gained(l);

    if (isnan(x))
        snprintf(out, 24, "an unknown number of");
    else
        snprintf(out, 24, "%.4f", x);
    return out;
}

/* Metrics of the same test, from the first on; returns how many. */
static int put_test(struct sheet *s, const struct compare_row *r, int rows)
{
    const char *all = r->metric, *least = "";
    int n = 1;

    for (; n < rows && !strcmp(r[n].test, r->test); n++)
        all = arena_format(s->memory, "%s, %s", all, r[n].metric);
    if (r->more && r->floor < 1)
        least = arena_format(s->memory, "; p cannot go below %.3g", r->floor);
    sheet_put(s, PART_ITEM, "%s: %s%s", all, r->test, least);
    return n;
}

/* And what the numbers are, and how they came about. */
static void put_family(struct sheet *s, const struct comparison *c,
                       const char *on)
{
    static const char *const head[] = {"metric", "better", "A", "B", "A - B",
                                       "interval", "p", "verdict"};
    struct grid *g = sheet_listing(s, "<<>>>>><", head);

    for (int i = 0; i < c->rows; i++)
        add_row(g, c, &c->row[i], on);
    if (c->tests > 1)
        sheet_put(s, PART_PARAGRAPH, "Bonferroni correction for %d tests: p "
                                     "is multiplied by %d and the intervals "
                                     "are %.4g %% CIs (95 %% jointly)",
                                     c->tests, c->tests, 100 * c->level);
    for (int i = 0; i < c->rows;)
        i += put_test(s, &c->row[i], c->rows - i);
}

static void put_learning(struct sheet *s, const struct comparison *c)
{
    char a[24], b[24];

    if (c->unsettled)
        sheet_put(s, PART_ITEM, "not converged: in the last tenth of training "
                  "A gained %s nats, B %s: these differ by more than their "
                  "cross-entropies, so there is no verdict",
                  gained(a, &c->a), gained(b, &c->b));
}

/* What stands behind a verdict of one cell against one other. */
static const char *on_seed(const struct compare_side *a,
                           const struct compare_side *b)
{
    return a->by_seed               ? ""
           : a->seed[0] == b->seed[0] ? " (this seed only)"
                                      : " (these seeds only)";
}

/* 1: an experiment of theirs runs the task, and does not compare it. */
static int is_uncompared(const struct side *a, const struct side *b)
{
    return plan_uncompared(a->plan, a->task->name) ||
           plan_uncompared(b->plan, b->task->name);
}

static void put_people(struct sheet *s, const struct families *f,
                       const char *on)
{
    put_family(s, f->whole, on);
    put_learning(s, f->whole);
    if (f->parts) {
        sheet_put(s, PART_HEADING, "Subtasks, a family of tests of their "
                                   "own");
        put_family(s, f->parts, on);
    }
}

static int run(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(side_close) struct side a = {.plan = NULL}, b = {.plan = NULL};
    OWNED(families_close) struct families f = {NULL, NULL};
    OWNED(sheet_close) struct sheet *s = NULL;

    if (g->digests)
        return digests_compare(args->of[0], args->of[1], g->format);
    PASS(open_side(&a, args->of[0], g->store));
    PASS(open_side(&b, args->of[1], g->store));
    PASS(check_sides(&a, &b));
    choose_test(&a.of, &b.of);
    PASS(compare_families(&f, &a, &b));
    s = sheet_new();
    sheet_put(s, PART_LINE, "A  %s", args->of[0]);
    sheet_put(s, PART_LINE, "B  %s", args->of[1]);
    if (is_uncompared(&a, &b))
        sheet_put(s, PART_LINE, "   the experiment trains task %s without "
                                "comparing variants: no table ranks "
                                "it", a.task->name);
    if (a.synthetic || b.synthetic)
        sheet_put(s, PART_WARNING, "%s", report_synthetic);
    put_people(s, &f, on_seed(&a.of, &b.of));
    s->object = object_of(&f, args);
    json_object_set_new(s->object, "uncompared",
                        json_boolean(is_uncompared(&a, &b)));
    json_object_set_new(s->object, "synthetic",
                        json_boolean(a.synthetic || b.synthetic));
    return sheet_print(s, g->format, NULL);
}

const struct command command_compare = {
    .name = "compare",
    .summary = "Compare two cells or variants",
    .args = "STORE#CELL STORE#CELL\n--digests STORE STORE",
    .doc = "CELL is six or more digits of a cell id, or variant/task/seed: "
           "two cells are compared over their test examples. variant/task "
           "means all seeds: two variants are compared over the seeds that "
           "both have, and also over the test examples if the metric has a "
           "value for each. With --store, STORE# can be omitted. --digests "
           "compares all cells of two stores bit by bit; exit code 1 if "
           "they differ.",
    .formats = command_text_json,
    COMMAND_RUNS(2, 2)};
