/* compare: does one cell, or variant, do better than another? */
#include "harness/base/json.h"
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/cmd/columns.h"
#include "harness/cmd/digests.h"
#include "harness/metrics/metric.h"
#include "harness/plan/target.h"
#include "harness/report/compare.h"
#include "harness/store/cell.h"
#include "harness/tasks/task.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct given {
    const char *store, *format;
    int         digests; /* compare two stores whole */
};

static const struct opt options[] = {
    {.group = opts_store, .at = OPT_AT(store)},
    {"--digests", 0, NULL, opt_flag, OPT_AT(digests),
     .doc = "Compare two whole stores, cell by cell, to the bit"},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

/* ---- the two sides ---- */

struct side {
    struct plan        *plan;
    const struct task  *task;
    struct compare_side of;
};

static int open_side(struct side *s, const char *arg, const char *store)
{
    const char **id;
    long long *seed;
    int rc;

    TRY(target_open(&s->plan, arg, store));
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
        if (c->damage)
            TRY(err_set(ERR_STORE, "%s", c->damage));
        if (c->status.state != CELL_DONE) {
            say("cell %s is %s and takes no part", c->id, plan_status(c));
            continue;
        }
        id[s->of.cells] = c->id;
        seed[s->of.cells++] = (long long)c->config.seed;
    }
    if (!s->of.cells)
        TRY(err_set(ERR_EMPTY, "%s: nothing of it is done: `synthbench run` "
                    "trains it", arg));
out:
    return rc;
}

static int check_sides(const struct side *a, const struct side *b)
{
    if (a->of.by_seed != b->of.by_seed)
        return err_set(ERR_USAGE, "%s is one cell and %s is all seeds of a "
                       "variant: name two of the same kind",
                       a->of.by_seed ? b->of.name : a->of.name,
                       a->of.by_seed ? a->of.name : b->of.name);
    if (a->task != b->task)
        return err_set(ERR_USAGE, "%s is of task %s and %s of task %s: cells "
                       "of different tasks cannot be compared", a->of.name,
                       a->task->name, b->of.name, b->task->name);
    return OK;
}

/* ---- what is compared ---- */

/* The metrics of the task, and those that they are means of (GLUE's subtasks),
 * a family of their own; NULL: there are none. */
struct families { struct comparison *whole, *parts; };

static int is_metric(const struct task *t, const char *name)
{
    for (const char *const *m = t->metrics; *m; m++)
        if (!strcmp(*m, name))
            return 1;
    return 0;
}

/* parts: what else a cell of the side has. */
static int list_parts(const char ***out, const struct side *s)
{
    struct arena *a = s->plan->memory;
    struct cell_reader *cell = NULL;
    char **name = NULL;
    size_t n = 0, parts = 0;
    int rc;

    TRY(cell_open(&cell, s->of.store, s->of.id[0]));
    TRY(cell_get_names(cell, "metrics", &name, &n));
    *out = arena_zero(a, (n + 1) * sizeof **out);
    for (size_t i = 0; i < n; i++)
        if (!is_metric(s->task, name[i]))
            (*out)[parts++] = arena_text(a, name[i]);
out:
    cell_free_strings(name, n);
    cell_close(cell);
    return rc;
}

static int compare_families(struct families *f, const struct side *a,
                            const struct side *b)
{
    const char **parts;
    int rc;

    TRY(compare(&f->whole, &a->of, &b->of, a->task->metrics,
                metric_all));
    TRY(list_parts(&parts, a));
    if (*parts)
        TRY(compare(&f->parts, &a->of, &b->of, parts, metric_all));
out:
    return rc;
}

/* ---- output ---- */

static json_t *number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static void put_seeds(json_t *j, const struct compare_seeds *s)
{
    json_object_set_new(j, "sd_a", number(s->sd_a));
    json_object_set_new(j, "sd_b", number(s->sd_b));
    json_object_set_new(j, "interquartile_mean_a", number(s->iqm_a));
    json_object_set_new(j, "interquartile_mean_b", number(s->iqm_b));
    json_object_set_new(j, "a12", number(s->a12));
    json_object_set_new(j, "hedges_g", number(s->hedges_g));
    json_object_set_new(j, "cliff_delta", number(s->cliff_delta));
}

static json_t *row_json(const struct compare_row *r)
{
    const struct verdict *v = &r->verdict;
    json_t *j = json_object();

    json_object_set_new(j, "metric", json_string(r->metric));
    json_object_set_new(j, "better", json_string(r->better > 0 ? "higher"
                                                               : "lower"));
    json_object_set_new(j, "a", number(r->a));
    json_object_set_new(j, "b", number(r->b));
    json_object_set_new(j, "difference", number(r->difference));
    json_object_set_new(j, "low", number(v->between.low));
    json_object_set_new(j, "high", number(v->between.high));
    json_object_set_new(j, "p", number(v->p));
    json_object_set_new(j, "p_unadjusted", number(v->alone));
    put_seeds(j, &r->seeds);
    json_object_set_new(j, "verdict", json_string(verdict_word(v, r->better)));
    json_object_set_new(j, "as", r->as ? json_string(r->as) : json_null());
    json_object_set_new(j, "test", json_string(r->test));
    json_object_set_new(j, "least_p", number(r->floor));
    json_object_set_new(j, "more_seeds", json_integer((json_int_t)r->more));
    return j;
}

static json_t *family_json(const struct comparison *c)
{
    json_t *rows = json_array();

    for (int i = 0; i < c->rows; i++)
        json_array_append_new(rows, row_json(&c->row[i]));
    return json_pack("{s:i, s:f, s:o}", "tests", c->tests, "interval_level",
                     c->level, "rows", rows);
}

static int write_json(const struct families *f, const struct arguments *args)
{
    json_t *all = family_json(f->whole);

    json_object_set_new(all, "schema_version", json_integer(1));
    json_object_set_new(all, "a", json_string(args->of[0]));
    json_object_set_new(all, "b", json_string(args->of[1]));
    if (f->parts)
        json_object_set_new(all, "subtasks", family_json(f->parts));
    json_dumpf(all, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    putchar('\n');
    json_decref(all);
    return OK;
}

static void add_interval(struct columns *t, struct interval x)
{
    if (isnan(x.low))
        columns_add(t, "unknown");
    else
        columns_add(t, "%+.4g to %+.4g", x.low, x.high);
}

static void add_verdict(struct columns *t, const struct compare_row *r)
{
    const struct verdict *v = &r->verdict;
    const char *as = r->as ? r->as : "";
    const char *comma = r->as ? ", as " : "";

    if (r->more && !isnan(v->p))
        columns_add(t, "undecided, needs %zu more seed%s of each%s%s",
                    r->more, r->more == 1 ? "" : "s", comma, as);
    else
        columns_add(t, "%s%s%s%s", v->sign ? "A is " : "",
                    verdict_word(v, r->better), comma, as);
}

/* Metrics of the same test, from the first on; returns how many.  Lines are
 * broken. */
static int write_test(const struct compare_row *r, int rows)
{
    const char *gap;
    int n = 1, at = printf("%s", r->metric);

    for (; n < rows && !strcmp(r[n].test, r->test); n++) {
        gap = at > 70 ? ",\n  " : ", ";
        at = (at > 70 ? 0 : at) + printf("%s%s", gap, r[n].metric);
    }
    printf(at > 30 ? ":\n  %s" : ": %s", r->test);
    if (r->more && r->floor < 1)
        printf("; p cannot go below %.3g", r->floor);
    putchar('\n');
    return n;
}

/* What the numbers are, and how they came about. */
static void write_notes(const struct comparison *c)
{
    if (c->tests > 1)
        printf("\n%d tests: p is multiplied by %d and the intervals are at "
               "%.4g %%, so that all verdicts hold at once with 95 %%\n",
               c->tests, c->tests, 100 * c->level);
    else
        putchar('\n');
    for (int i = 0; i < c->rows;)
        i += write_test(&c->row[i], c->rows - i);
}

static void write_family(const struct comparison *c)
{
    static const char *const head[] = {"metric", "better", "A", "B", "A - B",
                                       "interval", "p", "verdict"};
    struct columns *t = columns_new("<<>>>>><");

    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        columns_add(t, "%s", head[i]);
    for (int i = 0; i < c->rows; i++) {
        const struct compare_row *r = &c->row[i];
        char p[24];

        columns_add(t, "%s", r->metric);
        columns_add(t, "%s", r->better > 0 ? "higher" : "lower");
        columns_add(t, "%.5g", r->a);
        columns_add(t, "%.5g", r->b);
        columns_add(t, isnan(r->difference) ? "unknown" : "%+.4g",
                    r->difference);
        add_interval(t, r->verdict.between);
        columns_add(t, "%s", isnan(r->verdict.p) ? "unknown"
                                                 : verdict_p(r->verdict.p, p));
        add_verdict(t, r);
    }
    columns_print(t, stdout);
    write_notes(c);
}

static int write_text(const struct families *f, const struct arguments *args)
{
    printf("A  %s\nB  %s\n\n", args->of[0], args->of[1]);
    write_family(f->whole);
    if (f->parts) {
        printf("\nSubtasks, a family of their own\n\n");
        write_family(f->parts);
    }
    return OK;
}

static int run(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    struct side a = {.plan = NULL}, b = {.plan = NULL};
    struct families f = {NULL, NULL};
    int rc;

    if (g->digests)
        return digests_compare(args->of[0], args->of[1], g->format);
    TRY(open_side(&a, args->of[0], g->store));
    TRY(open_side(&b, args->of[1], g->store));
    TRY(check_sides(&a, &b));
    TRY(compare_families(&f, &a, &b));
    rc = (strcmp(g->format, "json") ? write_text : write_json)(&f, args);
out:
    compare_close(f.whole);
    compare_close(f.parts);
    plan_close(a.plan);
    plan_close(b.plan);
    return rc;
}

const struct command command_compare = {
    .name = "compare",
    .summary = "Does one cell, or variant, do better than another?",
    .args = "STORE#CELL STORE#CELL\n--digests STORE STORE",
    .doc = "CELL is six or more digits of its id, or variant/task/seed: the "
           "two are compared over the test examples. variant/task means all "
           "its seeds: the two are compared over the seeds that both have. "
           "With --store the STORE# may be left out. --digests: have the two "
           "stores the same cells with the same bits? Exit code 1: not.",
    .options = options,
    .bytes = sizeof(struct given),
    .least = 2,
    .most = 2,
    .formats = command_text_json,
    .run = run};
