/* What chance could have done to the metrics of cells with other weights. */
#include "harness/gate/stages.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/gate/kept.h"
#include "harness/report/outcomes.h"
#include "harness/stats/bootstrap.h"
#include "harness/store/cell_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row that a test decides: how far its difference may be off by chance, and
 * the degrees of freedom of that. */
struct test { int row; double error, degrees; };

struct chance {
    struct judging *w;
    size_t          room;
    int             tests;
    struct test    *test;
};

static void close_chance(struct chance *c) { free(c->test); }
OWNER_OF_VALUE(close_chance, struct chance)

/* ---- which belong together ---- */

/* Of a task, not of a part of it ("rte_accuracy"), which would only add tests
 * to the family. */
static int is_whole(const struct judging *w, const struct baseline_value *v)
{
    const char *name = v->what + strlen(judge_prefix);

    for (const struct metric *const *m = w->of->metrics; *m; m++)
        if (!strcmp((*m)->name, name))
            return 1;
    return measure_of(name) != NULL;
}

static int same_task(const char *x, const char *y)
{
    const char *s = strchr(x, '/'), *t = strchr(y, '/');

    return match_group(s) == match_group(t) && !strncmp(s, t, match_group(s));
}

/* The spread of the baseline's seeds, of all variants of the task. */
static double seed_spread(const struct baseline *b, const char *name,
                          const char *metric)
{
    double squares = 0;
    size_t degrees = 0;

    for (int i = 0, k; i < b->cells; i = k) {
        OWNED(free) double *x = malloc(((size_t)b->cells + 1) * sizeof *x);
        size_t n = 0;

        for (k = i; k < b->cells && match_same_group(b->cell[i].name,
                                               b->cell[k].name); k++) {
            const struct baseline_value *v = baseline_value(&b->cell[k],
                                                            metric);

            if (v && same_task(name, b->cell[k].name))
                x[n++] = v->value;
        }
        if (n < 2)
            continue;
        squares += stats_sd(x, n) * stats_sd(x, n) * (double)(n - 1);
        degrees += n - 1;
    }
    return degrees ? sqrt(squares / (double)degrees) : NAN;
}

/* Without seeds a quarter of what another test set could do. */
static double margin_of(const struct judging *w, const char *name,
                        const struct baseline_value *a)
{
    double spread = isnan(w->of->margin)
                        ? seed_spread(w->of->old, name, a->what)
                        : w->of->margin;

    if (isnan(spread))
        spread = (a->between.high - a->between.low) / 4;
    return isnan(spread) ? 0 : spread;
}

static void add_test(struct chance *c, const struct judged *r, double error,
                     double degrees)
{
    ARRAY_ROOM(c->test, c->tests, c->room);
    c->test[c->tests++] = (struct test){(int)(r - c->w->out->row), error,
                                        degrees};
}

/* ---- over test examples ---- */

/* Of a cell; why: there are none that could decide, else NULL. */
struct pair { struct tested a, b; const char *why; };

static void close_pair(struct pair *p)
{
    examples_close(&p->a);
    examples_close(&p->b);
}
OWNER_OF_VALUE(close_pair, struct pair)

/* Those of the baseline are in a store, if that has the very cell. */
static int open_stored(struct pair *p, const struct judge_of *of,
                          const struct baseline_cell *c)
{
    OWNED(cell_close) struct cell_reader *r = NULL;
    const char *id = baseline_text(c, "id");
    const char *results = baseline_text(c, "results");
    char hex[HASH_HEX];
    int rc = of->old_store ? cell_open(&r, of->old_store, id) : ERR_EMPTY;

    if (rc == ERR_EMPTY) {
        p->why = "no test examples of the baseline: name its store";
        return OK;
    }
    PASS(rc);
    PASS(cell_results(r, hex));
    if (strncmp(hex, results, strlen(results))) {
        p->why = "the test examples are of other results: name the store that "
                 "the baseline was saved from";
        return OK;
    }
    return examples_read(&p->a, r, id);
}

static int open_pair(struct pair *p, const struct judge_of *of,
                     const struct matched *m)
{
    OWNED(cell_close) struct cell_reader *r = NULL;
    const char *id = baseline_text(m->b, "id");

    PASS(of->kept
             ? kept_read(&p->a, of->kept, baseline_text(m->a, "id"))
             : open_stored(p, of, m->a));
    if (p->why)
        return OK;
    PASS(cell_open(&r, of->new_store, id));
    return examples_read(&p->b, r, id);
}

/* The stored value is what its examples give. */
static int open_outcomes(struct outcomes *o, const struct judge_of *of,
                         const struct tested *x, const struct baseline_cell *c,
                         const char *metric, double value)
{
    PASS(outcomes_open(o, x, metric, of->metrics));
    return o->strata ? outcomes_check(o, baseline_text(c, "id"), metric, value)
                     : OK;
}

/* The standard error of a metric's difference over n test examples; NAN: they
 * do not tell it. */
static int error_of(double *error, const struct judge_of *of,
                    const struct matched *m, const struct pair *p,
                    const struct judged *r)
{
    const char *metric = r->metric + strlen(judge_prefix);
    OWNED(outcomes_close) struct outcomes a = {.strata = 0}, b = {.strata = 0};
    const struct outcomes *const both[] = {&b, &a};
    OWNED(free) double *x = malloc(2 * BOOTSTRAP_RESAMPLES * sizeof *x);
    double *const value[] = {x, x + BOOTSTRAP_RESAMPLES};

    *error = NAN;
    PASS(open_outcomes(&a, of, &p->a, m->a, metric, r->old));
    PASS(open_outcomes(&b, of, &p->b, m->b, metric, r->new));
    if (!a.strata || !b.strata)
        return OK;
    PASS(outcomes_resample(value, both, 2, BOOTSTRAP_RESAMPLES));
    for (size_t i = 0; i < BOOTSTRAP_RESAMPLES; i++)
        x[i] -= value[1][i];
    *error = stats_sd(x, BOOTSTRAP_RESAMPLES);
    return OK;
}

static int over_examples(struct chance *c, const struct matched *m,
                         const struct pair *p, const struct baseline_value *a,
                         const struct baseline_value *b)
{
    struct judged *r = judge_values(c->w, m->a->name, a, b, JUDGE_UNDECIDED,
                                    "metrics", "paired over test examples");
    double error;

    r->margin = margin_of(c->w, m->a->name, a);
    if (p->why) {
        r->why = p->why;
        return OK;
    }
    PASS(error_of(&error, c->w->of, m, p, r));
    if (isnan(error))
        r->why = "the test examples do not tell it";
    else
        add_test(c, r, error, (double)p->a.n - 1);
    return OK;
}

/* ---- over seeds ---- */

/* Of the mean of n differences of values of that size; NAN: they do not tell.
 * Counts over few examples often move alike in all seeds, but for rounding, as
 * if nothing were left to chance; but where `is_one`, all seeds before and now
 * have the same value, nothing is. */
static double error_of_mean(const double *d, int n, double size, int is_one)
{
    double sd = stats_sd(d, (size_t)n);

    return sd > 1e-12 * size || is_one ? sd / sqrt(n) : NAN;
}

/* Of n > 1 cells that differ in their seeds, and all have the metric. */
static void over_seeds(struct chance *c, const struct matched *m, int n,
                       const struct baseline_value *first)
{
    struct arena *memory = c->w->out->memory;
    OWNED(free) double *d = malloc(((size_t)n + 1) * sizeof *d);
    double old = 0, new = 0, size = 0;
    struct baseline_value a = *first, b = *first;
    int is_one = 1;

    for (int i = 0; i < n; i++) {
        const struct baseline_value *x = baseline_value(m[i].a, first->what);
        const struct baseline_value *y = baseline_value(m[i].b, first->what);

        old += x->value;
        new += y->value;
        d[i] = y->value - x->value;
        size += fabs(x->value) + fabs(y->value);
        is_one &= x->value == first->value && y->value == first->value;
    }
    a.value = old / n;
    b.value = new / n;
    double error = error_of_mean(d, n, size, is_one);
    struct judged *r = judge_values(
        c->w, match_all_seeds(m->a->name, memory), &a, &b, JUDGE_UNDECIDED,
        "metrics", arena_format(memory, "paired over %d seeds%s", n,
                                isnan(error) ? ", which moved alike: that "
                                               "tells no spread" : ""));
    r->margin = margin_of(c->w, m->a->name, first);
    add_test(c, r, error, n - 1);
}

/* 1: all n pairs can be compared in what the first has. */
static int all_comparable(struct judging *w, const struct matched *m, int n,
                          const struct baseline_value *first)
{
    int good = 1;

    for (int i = 0; i < n; i++) {
        const struct baseline_value *a = baseline_value(m[i].a, first->what);

        if (!a)
            judge_add(w->out, m[i].a->name, first->what, JUDGE_CHANGED,
                      "exact", "the baseline has it of other seeds alone");
        good &= a && certain_comparable(w, m[i].a->name, a,
                                        baseline_value(m[i].b, first->what));
    }
    return good;
}

/* n cells of one group that have other weights. */
static int judge_group(struct chance *c, const struct matched *m, int n)
{
    OWNED(close_pair) struct pair p = {.why = NULL};
    int rows = c->w->out->n;

    if (n == 1)
        PASS(open_pair(&p, c->w->of, m));
    for (int i = 0; i < m->a->n; i++) {
        const struct baseline_value *a = &m->a->value[i];
        const struct baseline_value *b = baseline_value(m->b, a->what);

        if (!judge_is_metric(a) || !all_comparable(c->w, m, n, a) ||
            !is_whole(c->w, a))
            continue;
        if (n > 1)
            over_seeds(c, m, n, a);
        else
            PASS(over_examples(c, m, &p, a, b));
    }
    int told = c->w->out->n > rows;
    for (int i = 0; i < n && !told; i++)
        judge_add(c->w->out, m[i].a->name, "", JUDGE_UNDECIDED, "metrics",
                  "other weights, and the baseline has no metric to tell them "
                  "by");
    for (int i = 0; i < n; i++)
        certain_added(c->w, &m[i]);
    return OK;
}

/* ---- all of them are one family ---- */

/* The test that decides test i: ppl rises and falls with ce, and is no test of
 * its own; i itself where there is no other. */
static int decider(const struct chance *c, int i)
{
    const struct judged *row = c->w->out->row, *r = &row[c->test[i].row];
    const char *by = measure_test(r->metric + strlen(judge_prefix));

    for (int k = 0; k < c->tests; k++) {
        const struct judged *other = &row[c->test[k].row];

        if (!strcmp(other->cell, r->cell) &&
            !strcmp(other->metric + strlen(judge_prefix), by))
            return k;
    }
    return i;
}

static void conclude(struct judged *r, const struct test *t, double p, int m)
{
    double far = t->error *
                 stats_t_at(1 - STATS_LEVEL / (2.0 * m), t->degrees);

    r->p = p;
    r->between = (struct interval){r->difference - far, r->difference + far};
    if (p < STATS_LEVEL && fabs(r->difference) > r->margin)
        r->verdict = r->difference * r->better > 0 ? JUDGE_BETTER
                                                   : JUDGE_WORSE;
    else if (fabs(r->difference) + far <= r->margin)
        r->verdict = JUDGE_EQUAL;
}

static void decide(struct chance *c)
{
    struct judged *row = c->w->out->row;
    size_t room = (size_t)c->tests + 1;
    OWNED(free) double *p = malloc(room * sizeof *p);
    OWNED(free) int *at = malloc(room * sizeof *at); /* of a decider, in p */
    int m = 0;

    for (int i = 0; i < c->tests; i++)
        if (decider(c, i) == i) {
            at[i] = m;
            p[m++] = judge_p(row[c->test[i].row].difference, c->test[i].error,
                             c->test[i].degrees);
        }
    stats_holm(p, p, (size_t)m);
    for (int i = 0; i < c->tests; i++)
        conclude(&row[c->test[i].row], &c->test[i], p[at[decider(c, i)]], m);
    c->w->out->tests = m;
}

int chance_judge(struct judging *w, const struct matched *m, int n)
{
    OWNED(close_chance) struct chance c = {.w = w};

    for (int i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && match_same_group(m[i].a->name,
                                                  m[next].a->name);)
            next++;
        PASS(judge_group(&c, &m[i], next - i));
    }
    decide(&c);
    return OK;
}
