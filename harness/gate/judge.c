#include "harness/gate/judge.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/report/outcomes.h"
#include "harness/stats/bootstrap.h"
#include "harness/store/cell_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const judge_word[] = {JUDGE_VERDICTS(NAMES_WORD) NULL};

static const char prefix[] = "metrics/";

/* A row that a test decides: a difference, how far it may be off by chance,
 * and the degrees of freedom of that; NAN: unknown. */
struct test { int row; double error, degrees; };

struct work {
    const struct judge_of *of;
    struct judgement      *out;
    size_t                 room, tests_room;
    int                    tests;
    struct test           *test;
};

/* ---- rows ---- */

static struct judged *add(struct work *w, const char *cell, const char *metric,
                          enum judge_verdict verdict, const char *stage,
                          const char *why)
{
    struct judgement *j = w->out;

    ARRAY_ROOM(j->row, j->n, w->room);
    j->row[j->n] = (struct judged){
        .cell = cell, .metric = metric, .verdict = verdict, .stage = stage,
        .why = why, .old = NAN, .new = NAN, .difference = NAN, .margin = NAN,
        .p = NAN, .between = {NAN, NAN}};
    return &j->row[j->n++];
}

static struct judged *add_values(struct work *w, const char *cell,
                                 const struct baseline_value *a,
                                 const struct baseline_value *b,
                                 enum judge_verdict verdict, const char *stage,
                                 const char *why)
{
    struct judged *r = add(w, cell, a->what, verdict, stage, why);

    r->old = a->value;
    r->new = b->value;
    r->difference = b->value - a->value;
    r->better = a->better;
    return r;
}

static int is_metric(const struct baseline_value *v)
{
    return !strncmp(v->what, prefix, strlen(prefix));
}

/* Of a task, not of a part of it ("rte_accuracy"), which would only add tests
 * to the family. */
static int is_whole(const struct work *w, const struct baseline_value *v)
{
    const char *name = v->what + strlen(prefix);

    for (const struct metric *const *m = w->of->metrics; *m; m++)
        if (!strcmp((*m)->name, name))
            return 1;
    return measure_of(name) != NULL;
}

static int same_text(const struct baseline_cell *a,
                     const struct baseline_cell *b, const char *what)
{
    const char *x = baseline_text(a, what), *y = baseline_text(b, what);

    return x && y ? !strcmp(x, y) : x == y;
}

/* ---- what is certain ---- */

/* 1: the two values can be compared. */
static int comparable(struct work *w, const char *cell,
                      const struct baseline_value *a,
                      const struct baseline_value *b)
{
    struct arena *m = w->out->memory;

    if (!b)
        add(w, cell, a->what, JUDGE_MISSING, "exact", "it is not measured any "
            "more");
    else if (strcmp(a->units, b->units))
        add_values(w, cell, a, b, JUDGE_CHANGED, "exact",
                   arena_format(m, "units were %s and are %s", a->units,
                                b->units));
    else if (strcmp(a->signature, b->signature))
        add_values(w, cell, a, b, JUDGE_CHANGED, "exact",
                   arena_format(m, "computed in another way: %s, and now %s",
                                a->signature, b->signature));
    else
        return 1;
    return 0;
}

static void exact_value(struct work *w, const char *cell,
                        const struct baseline_value *a,
                        const struct baseline_value *b, int *moved)
{
    double d = b->value - a->value;

    if (d == 0 || (isnan(a->value) && isnan(b->value)))
        return;
    ++*moved;
    add_values(w, cell, a, b,
               !a->better || isnan(d)   ? JUDGE_CHANGED
               : d * a->better > 0 ? JUDGE_BETTER
                                        : JUDGE_WORSE,
               "exact", "the weights and the data are the same: it is computed "
               "otherwise");
}

static void added_metrics(struct work *w, const struct matched *m)
{
    for (int i = 0; i < m->b->n; i++)
        if (is_metric(&m->b->value[i]) &&
            !baseline_value(m->a, m->b->value[i].what))
            add(w, m->a->name, m->b->value[i].what, JUDGE_ADDED, "exact",
                "the baseline does not have it");
}

/* The same weights on the same data. */
static void judge_exactly(struct work *w, const struct matched *m)
{
    int moved = 0;

    for (int i = 0; i < m->a->n; i++) {
        const struct baseline_value *a = &m->a->value[i];
        const struct baseline_value *b = baseline_value(m->b, a->what);

        if (is_metric(a) && comparable(w, m->a->name, a, b))
            exact_value(w, m->a->name, a, b, &moved);
    }
    added_metrics(w, m);
    if (!moved)
        add(w, m->a->name, "", JUDGE_EQUAL, "exact", "weights and metrics are "
            "the same, other results are not: `synthbench compare --digests` "
            "names them");
}

/* ---- what chance could do ---- */

/* "random/lm1b/smoke/" of "random/lm1b/smoke/1": how long it is. */
static size_t group_of(const char *name)
{
    return (size_t)(strrchr(name, '/') + 1 - name);
}

static int same_group(const char *x, const char *y)
{
    return group_of(x) == group_of(y) && !strncmp(x, y, group_of(x));
}

static int same_task(const char *x, const char *y)
{
    const char *s = strchr(x, '/'), *t = strchr(y, '/');

    return group_of(s) == group_of(t) && !strncmp(s, t, group_of(s));
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

        for (k = i; k < b->cells && same_group(b->cell[i].name,
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
static double margin_of(const struct work *w, const char *name,
                        const struct baseline_value *a)
{
    double spread = isnan(w->of->margin)
                        ? seed_spread(w->of->old, name, a->what)
                        : w->of->margin;

    if (isnan(spread))
        spread = (a->between.high - a->between.low) / 4;
    return isnan(spread) ? 0 : spread;
}

static void add_test(struct work *w, struct judged *r, double error,
                     double degrees)
{
    ARRAY_ROOM(w->test, w->tests, w->tests_room);
    w->test[w->tests++] = (struct test){(int)(r - w->out->row), error,
                                        degrees};
}

/* One side of a cell whose examples decide. */
struct side {
    struct cell_reader *cell;
    struct tested       examples;
    struct outcomes     outcomes;
};

static void close_side(struct side *s)
{
    outcomes_close(&s->outcomes);
    examples_close(&s->examples);
    cell_close(s->cell);
}
OWNER_OF_VALUE(close_side, struct side)

static int open_side(struct side *s, const struct work *w, const char *store,
                     const struct baseline_cell *c, const char *metric,
                     double value)
{
    const char *id = baseline_text(c, "id");

    PASS(cell_open(&s->cell, store, id));
    PASS(examples_read(&s->examples, s->cell, id));
    PASS(outcomes_open(&s->outcomes, &s->examples, metric, w->of->metrics));
    return s->outcomes.strata
               ? outcomes_check(&s->outcomes, id, metric, value) : OK;
}

/* The standard error of a metric's difference over n test examples; NAN: they
 * do not tell it. */
static int error_of(double *error, double *degrees, const struct work *w,
                    const struct matched *m, const struct judged *r)
{
    const char *metric = r->metric + strlen(prefix);
    OWNED(close_side) struct side a = {.cell = NULL}, b = {.cell = NULL};
    const struct outcomes *const both[] = {&b.outcomes, &a.outcomes};
    OWNED(free) double *x = malloc(2 * BOOTSTRAP_RESAMPLES * sizeof *x);
    double *const value[] = {x, x + BOOTSTRAP_RESAMPLES};

    PASS(open_side(&a, w, w->of->old_store, m->a, metric, r->old));
    PASS(open_side(&b, w, w->of->new_store, m->b, metric, r->new));
    if (!a.outcomes.strata || !b.outcomes.strata)
        return OK;
    PASS(outcomes_resample(value, both, 2));
    for (size_t i = 0; i < BOOTSTRAP_RESAMPLES; i++)
        x[i] -= value[1][i];
    *error = stats_sd(x, BOOTSTRAP_RESAMPLES);
    *degrees = (double)a.examples.n - 1;
    return OK;
}

/* The cell of the baseline's store is that of the baseline. */
static int has_examples(const struct work *w, const struct matched *m)
{
    OWNED(cell_close) struct cell_reader *r = NULL;
    char hex[HASH_HEX];

    if (!w->of->old_store ||
        cell_open(&r, w->of->old_store, baseline_text(m->a, "id")) < 0 ||
        cell_results(r, hex) < 0)
        return 0;
    return !strncmp(hex, baseline_text(m->a, "results"),
                    strlen(baseline_text(m->a, "results")));
}

static int over_examples(struct work *w, const struct matched *m,
                         const struct baseline_value *a,
                         const struct baseline_value *b)
{
    struct judged *r = add_values(w, m->a->name, a, b, JUDGE_UNDECIDED,
                                  "metrics", "paired over test examples");
    double error = NAN, degrees = NAN;

    r->margin = margin_of(w, m->a->name, a);
    if (!has_examples(w, m)) {
        r->why = "no test examples of the baseline: name its store";
        return OK;
    }
    PASS(error_of(&error, &degrees, w, m, r));
    if (isnan(error))
        r->why = "the test examples do not tell it";
    else
        add_test(w, r, error, degrees);
    return OK;
}

/* Of n cells that differ in their seeds. */
static void over_seeds(struct work *w, const struct matched *m, int n,
                       const struct baseline_value *first)
{
    struct arena *memory = w->out->memory;
    OWNED(free) double *d = malloc(((size_t)n + 1) * sizeof *d);
    double old = 0, new = 0;
    struct baseline_value a = *first, b = *first;
    size_t pairs = 0;

    for (int i = 0; i < n; i++) {
        const struct baseline_value *x = baseline_value(m[i].a, first->what);
        const struct baseline_value *y = baseline_value(m[i].b, first->what);

        if (!x || !y)
            continue;
        old += x->value;
        new += y->value;
        d[pairs++] = y->value - x->value;
    }
    a.value = old / (double)pairs;
    b.value = new / (double)pairs;
    struct judged *r = add_values(
        w, arena_format(memory, "%.*s*", (int)group_of(m->a->name),
                        m->a->name), &a, &b, JUDGE_UNDECIDED, "metrics",
        arena_format(memory, "paired over %zu seeds", pairs));
    r->margin = margin_of(w, m->a->name, first);
    if (pairs > 1)
        add_test(w, r, stats_sd(d, pairs) / sqrt((double)pairs),
                 (double)pairs - 1);
}

/* Cells of one group that other weights have. */
static int judge_group(struct work *w, const struct matched *m, int n)
{
    for (int i = 0; i < m->a->n; i++) {
        const struct baseline_value *a = &m->a->value[i];
        const struct baseline_value *b = baseline_value(m->b, a->what);

        if (!is_metric(a) || !comparable(w, m->a->name, a, b) ||
            !is_whole(w, a))
            continue;
        if (n > 1)
            over_seeds(w, m, n, a);
        else
            PASS(over_examples(w, m, a, b));
    }
    for (int i = 0; i < n; i++)
        added_metrics(w, &m[i]);
    return OK;
}

/* The test that decides test i: ppl rises and falls with ce, and is no test of
 * its own; i itself where there is no other. */
static int decider(const struct work *w, int i)
{
    const struct judged *row = w->out->row, *r = &row[w->test[i].row];
    const char *by = measure_test(r->metric + strlen(prefix));

    for (int k = 0; k < w->tests; k++)
        if (!strcmp(row[w->test[k].row].cell, r->cell) &&
            !strcmp(row[w->test[k].row].metric + strlen(prefix), by))
            return k;
    return i;
}

static double p_alone(const struct work *w, const struct test *t)
{
    double d = w->out->row[t->row].difference;

    return d == 0          ? 1
           : t->error == 0 ? 0
                           : stats_t_p(d / t->error, t->degrees);
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

/* All tests are one family. */
static void decide(struct work *w)
{
    size_t room = (size_t)w->tests + 1;
    OWNED(free) double *p = malloc(room * sizeof *p);
    OWNED(free) int *at = malloc(room * sizeof *at); /* of a decider, in p */
    int m = 0;

    for (int i = 0; i < w->tests; i++)
        if (decider(w, i) == i) {
            at[i] = m;
            p[m++] = p_alone(w, &w->test[i]);
        }
    stats_holm(p, p, (size_t)m);
    for (int i = 0; i < w->tests; i++)
        conclude(&w->out->row[w->test[i].row], &w->test[i],
                 p[at[decider(w, i)]], m);
    w->out->tests = m;
}

/* ---- all of it ---- */

/* 1: other weights, whose metrics chance may have moved. */
static int judge_pair(struct work *w, const struct matched *m)
{
    const char *name = (m->a ? m->a : m->b)->name;

    if (!m->b) {
        add(w, name, "", JUDGE_MISSING, "exact", "it did not run, or is not "
            "done");
        return 0;
    }
    if (!m->a) {
        add(w, name, "", JUDGE_ADDED, "exact", "the baseline does not have "
            "it");
        return 0;
    }
    w->out->cells++;
    if (!match_moved(m)) {
        w->out->same++;
        return 0;
    }
    if (!same_text(m->a, m->b, "data")) {
        add(w, name, "", JUDGE_CHANGED, "exact", "other data: training, "
            "validation or test text is not what it was");
        return 0;
    }
    if (same_text(m->a, m->b, "weights")) {
        judge_exactly(w, m);
        return 0;
    }
    return 1;
}

static int judge_all(struct work *w)
{
    struct arena *memory = w->out->memory;
    struct matched *all, *moved;
    int n = match_baselines(&all, w->of->old, w->of->new, memory), k = 0;

    moved = arena_zero(memory, ((size_t)n + 1) * sizeof *moved);
    for (int i = 0; i < n; i++)
        if (judge_pair(w, &all[i]))
            moved[k++] = all[i];
    for (int i = 0, next; i < k; i = next) {
        for (next = i + 1; next < k && same_group(moved[i].a->name,
                                                  moved[next].a->name);)
            next++;
        PASS(judge_group(w, &moved[i], next - i));
    }
    decide(w);
    for (int i = 0; i < w->out->n; i++)
        w->out->count[w->out->row[i].verdict]++;
    w->out->count[JUDGE_SAME] = w->out->same;
    return OK;
}

/* "compiler: gcc 12, now gcc 13; ..." */
static const char *builds_differ_in_words(const struct judge_of *of,
                                          struct arena *a)
{
    const char *all = "";

    for (int i = 0; i < of->old->facts; i++) {
        const struct baseline_fact *f = &of->old->fact[i];
        const char *now = baseline_fact(of->new, f->name);

        if (!strcmp(f->name, "experiment") || !strcmp(f->name, "store") ||
            (now && !strcmp(now, f->text)))
            continue;
        all = arena_format(a, "%s%s%s: %.60s, now %.60s", all,
                           *all ? "; " : "", f->name, f->text,
                           now ? now : "not said");
    }
    return all;
}

int judge(struct judgement **out, const struct judge_of *of)
{
    struct arena *memory = arena_new();
    OWNED(judge_close) struct judgement *j = arena_zero(memory, sizeof *j);
    struct work w = {.of = of, .out = j};

    *out = NULL;
    j->memory = memory;
    int rc = judge_all(&w);
    free(w.test);
    PASS(rc);
    if (!j->cells)
        return err_set(ERR_EMPTY, "baseline %s has no cell in common with %s",
                       of->old->name, of->new_store);
    j->builds = builds_differ_in_words(of, memory);
    *out = j;
    j = NULL;
    return OK;
}

void judge_close(struct judgement *j)
{
    if (!j)
        return;
    free(j->row);
    arena_free(j->memory);
}
