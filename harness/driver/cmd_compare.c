/* compare: does one cell, or variant, do better than another? */
#include "harness/base/json.h"
#include "harness/driver/command.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/driver/columns.h"
#include "harness/driver/registry.h"
#include "harness/driver/target.h"
#include "harness/report/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- metrics of text: what scores a file resamples it, too ---- */

/* NULL: the metric is none of text, or cannot be resampled. */
static const struct scorer *resampled(const char *metric)
{
    for (const struct scorer *const *s = registry_scorers; *s; s++)
        if (!strcmp((*s)->name, metric))
            return (*s)->segments && !((*s)->takes & SCORE_LABELS) ? *s : NULL;
    return NULL;
}

static int segments(double **stats, size_t *columns, const char *metric,
                    char **hyp, char **ref, size_t n)
{
    const struct scorer *s = resampled(metric);
    struct lines h = {.line = hyp, .n = n}, r = {.line = ref, .n = n};
    struct score_input in = {.hyp = &h, .ref = {&r}, .refs = 1};
    int rc;

    *stats = NULL;
    if (!s)
        return OK;
    struct score_options *defaults = score_options_new(s);
    in.options = defaults;
    rc = s->segments(stats, columns, &in);
    score_options_free(defaults);
    return rc;
}

static double of_sums(const char *metric, const double *sums)
{
    const struct scorer *s = resampled(metric);
    struct score_options *defaults = score_options_new(s);
    struct score_input in = {.refs = 1, .options = defaults};
    double score = s->of_sums(sums, &in);

    score_options_free(defaults);
    return score;
}

/* ---- the two sides ---- */

struct side {
    struct plan        *plan;
    const struct task  *task;
    struct compare_side of;
};

static int open_side(struct side *s, const char *arg, const struct options *o)
{
    const char **id;
    long long *seed;
    int rc;

    TRY(target_open(&s->plan, arg, o));
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
    json_t *j = json_object();

    json_object_set_new(j, "metric", json_string(r->metric));
    json_object_set_new(j, "better", json_string(r->better > 0 ? "higher"
                                                               : "lower"));
    json_object_set_new(j, "a", number(r->a));
    json_object_set_new(j, "b", number(r->b));
    json_object_set_new(j, "difference", number(r->difference));
    json_object_set_new(j, "low", number(r->between.low));
    json_object_set_new(j, "high", number(r->between.high));
    json_object_set_new(j, "p", number(r->p));
    json_object_set_new(j, "p_holm", number(r->p_holm));
    json_object_set_new(j, "p_benjamini_hochberg", number(r->p_bh));
    json_object_set_new(j, "p_randomisation", number(r->p_randomised));
    put_seeds(j, &r->seeds);
    json_object_set_new(j, "verdict", json_string(compare_verdict(r->verdict)));
    json_object_set_new(j, "test", json_string(r->test));
    json_object_set_new(j, "least_p", number(r->floor));
    json_object_set_new(j, "more_seeds", json_integer((json_int_t)r->more));
    return j;
}

static int write_json(const struct comparison *c, const struct options *o)
{
    json_t *rows = json_array(), *all;

    for (int i = 0; i < c->rows; i++)
        json_array_append_new(rows, row_json(&c->row[i]));
    all = json_pack("{s:i, s:s, s:s, s:o}", "schema_version", 1, "a",
                    o->arg[0], "b", o->arg[1], "rows", rows);
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
    if (r->more && !isnan(r->p))
        columns_add(t, "undecided, needs %zu more seed%s of each (p cannot "
                    "go below %.3g)", r->more, r->more == 1 ? "" : "s",
                    r->floor);
    else if (r->verdict == COMPARE_UNDECIDED)
        columns_add(t, "undecided");
    else
        columns_add(t, "A is %s", compare_verdict(r->verdict));
}

static int write_text(const struct comparison *c, const struct options *o)
{
    static const char *const head[] = {"metric", "better", "A", "B", "A - B",
                                       "95 %", "p", "Holm", "verdict"};
    struct columns *t = columns_new("<<>>>>>><");

    printf("A  %s\nB  %s\n\n", o->arg[0], o->arg[1]);
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        columns_add(t, "%s", head[i]);
    for (int i = 0; i < c->rows; i++) {
        const struct compare_row *r = &c->row[i];

        columns_add(t, "%s", r->metric);
        columns_add(t, "%s", r->better > 0 ? "higher" : "lower");
        columns_add(t, "%.5g", r->a);
        columns_add(t, "%.5g", r->b);
        columns_add(t, isnan(r->difference) ? "unknown" : "%+.4g",
                    r->difference);
        add_interval(t, r->between);
        columns_add(t, isnan(r->p) ? "unknown" : "%.2g", r->p);
        columns_add(t, isnan(r->p_holm) ? "unknown" : "%.2g", r->p_holm);
        add_verdict(t, r);
    }
    columns_print(t, stdout);
    putchar('\n');
    for (int i = 0; i < c->rows; i++) { /* metrics of the same test: a line */
        int more = i + 1 < c->rows && !strcmp(c->row[i].test,
                                              c->row[i + 1].test);

        printf("%s%s", c->row[i].metric, more ? ", " : ": ");
        if (!more)
            printf("%s\n", c->row[i].test);
    }
    return OK;
}

static int run(const struct options *o)
{
    static const struct outcomes_text text = {segments, of_sums};
    struct side a = {.plan = NULL}, b = {.plan = NULL};
    struct comparison *c = NULL;
    int rc;

    TRY(open_side(&a, o->arg[0], o));
    TRY(open_side(&b, o->arg[1], o));
    TRY(check_sides(&a, &b));
    TRY(compare(&c, &a.of, &b.of, a.task->metrics, &text));
    rc = (strcmp(o->format, "json") ? write_text : write_json)(c, o);
out:
    compare_close(c);
    plan_close(a.plan);
    plan_close(b.plan);
    return rc;
}

const struct command command_compare = {
    .name = "compare",
    .summary = "Does one cell, or variant, do better than another?",
    .args = "STORE#CELL STORE#CELL",
    .doc = "CELL is six or more digits of its id, or variant/task/seed: the "
           "two are compared over the test examples. variant/task means all "
           "its seeds: the two are compared over the seeds that both have. "
           "With --store the STORE# may be left out.",
    .takes = TAKES_STORE | TAKES_FORMAT,
    .least = 2,
    .most = 2,
    .formats = command_text_json,
    .run = run};
