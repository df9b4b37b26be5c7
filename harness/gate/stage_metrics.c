/* stage_metrics: implements the stage "metrics" of judge.h.  It decides whether
 * randomness explains the changed metrics of cells with different weights. */
#include "harness/gate/stages.h"

#include "harness/base/err.h"
#include "harness/report/outcomes.h"
#include "harness/stats/bootstrap.h"
#include "harness/stats/permutation.h"
#include "harness/stats/verdict.h"
#include "harness/store/cell_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- groups and margins ---- */

/* Returns 1 for a metric of a whole task, or 0 for a metric of a part of a task
 * ("rte_accuracy"), which is not tested, because it would only enlarge the
 * family of tests. */
static int is_whole(const struct judging *w, const struct baseline_value *v)
{
    const char *name = v->what + strlen(baseline_metric);

    for (const struct metric *const *m = w->of->metrics; *m; m++)
        if (!strcmp((*m)->name, name))
            return 1;
    return measure_of(name) != NULL;
}

static int same_task(const char *x, const char *y)
{
    const char *s = strchr(x, '/'), *t = strchr(y, '/');

    return pair_group(s) == pair_group(t) && !strncmp(s, t, pair_group(s));
}

/* Returns the standard deviation of a metric over the baseline's seeds, pooled
 * over all variants that have the task and scale of the cell named `name`.
 * Returns NAN if the deviation is unknown or 0. */
static double seed_spread(const struct baseline *b, const char *name,
                          const char *metric)
{
    double squares = 0;
    size_t degrees = 0;

    for (int i = 0, k; i < b->cells; i = k) {
        OWNED(free) double *x = malloc(((size_t)b->cells + 1) * sizeof *x);
        size_t n = 0;

        for (k = i; k < b->cells && pair_same_group(b->cell[i].name,
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
    return squares > 0 ? sqrt(squares / (double)degrees) : NAN;
}

/* Returns the margin for the metric of the value `a`.  This is the first of the
 * following that is known: the margin that the user has given; the standard
 * deviation over seeds; a quarter of the interval over test examples; 0. */
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

/* ---- over test examples ---- */

/* Pairs that differ from each other only in the seed.  The two cells of each
 * pair have different model weights (stage_exact_pair returned 1).  The test
 * examples are read when they are first needed. */
struct group {
    const struct cell_pair *m;
    int                     n;
    struct tested          *x;   /* [2 n]: for each pair, the examples of the
                                    new cell, then those of the old cell; NULL:
                                    not yet read */
    const char             *why; /* reason if examples are not usable */
};

static void close_group(struct group *g)
{
    for (int i = 0; g->x && i < 2 * g->n; i++)
        examples_close(&g->x[i]);
    free(g->x);
}
OWNER_OF_VALUE(close_group, struct group)

/* Reads the examples of the baseline's cell from the old store.  If the store
 * does not have the cell, or has other results of it, sets g->why. */
static int open_stored(struct tested *x, struct group *g,
                       const struct judge_of *of, const struct baseline_cell *c)
{
    OWNED(cell_close) struct cell_reader *r = NULL;
    const char *id = baseline_text(c, "id");
    const char *results = baseline_text(c, "results");
    char hex[HASH_HEX];
    int rc = of->old_store ? cell_open(&r, of->old_store, id) : ERR_EMPTY;

    if (rc == ERR_EMPTY) {
        g->why = "no test examples of the baseline: name its store with "
                 "--examples";
        return OK;
    }
    PASS(rc);
    PASS(cell_results(r, hex));
    if (strncmp(hex, results, strlen(results))) {
        g->why = "the test examples that were found belong to other results: "
                 "name the store that the baseline was saved from with "
                 "--examples";
        return OK;
    }
    return examples_read(x, r, id);
}

static int open_group(struct group *g, const struct judge_of *of)
{
    const char *first = baseline_text(g->m->a, "data");

    if (g->x)
        return OK;
    g->x = calloc(2 * (size_t)g->n, sizeof *g->x);
    for (int i = 0; i < g->n; i++) {
        const struct cell_pair *m = &g->m[i];
        const char *data = baseline_text(m->a, "data");
        const char *new = baseline_text(m->b, "id");
        OWNED(cell_close) struct cell_reader *r = NULL;

        if (i && (!first || !data || strcmp(data, first))) {
            g->why = "the seeds were tested on different examples";
            break;
        }
        PASS(open_stored(&g->x[2 * i + 1], g, of, m->a));
        if (g->why)
            break;
        PASS(cell_open(&r, of->new_store, new));
        PASS(examples_read(&g->x[2 * i], r, new));
    }
    return OK;
}

/* The outcomes of a metric over the test examples, in the order of
 * group.x. */
struct sides { int n; struct outcomes *of; };

static void close_sides(struct sides *s)
{
    for (int i = 0; i < s->n; i++)
        outcomes_close(&s->of[i]);
    free(s->of);
}
OWNER_OF_VALUE(close_sides, struct sides)

/* Computes the mean, over the pairs of the group, of the metric's difference
 * (new - old) in each resample.  Sets *error to the standard deviation of these
 * means over the resamples. */
static int resample(double *error, const struct sides *s)
{
    const size_t n = (size_t)s->n, many = BOOTSTRAP_RESAMPLES;
    OWNED(free) const struct outcomes **of = calloc(n, sizeof *of);
    OWNED(free) double **value = calloc(n, sizeof *value);
    OWNED(free) double *x = malloc(n * many * sizeof *x);
    OWNED(free) double *mean = calloc(many, sizeof *mean);

    for (size_t i = 0; i < n; i++) {
        of[i] = &s->of[i];
        value[i] = x + i * many;
    }
    PASS(outcomes_resample(value, of, s->n, many));
    for (size_t i = 0; i < n; i += 2)
        for (size_t r = 0; r < many; r++)
            mean[r] += (value[i][r] - value[i + 1][r]) / (double)(n / 2);
    *error = stats_sd(mean, many);
    return OK;
}

/* error_of sets *error to the standard error of a metric's difference over the
 * test examples, or to NAN if the examples do not determine the metric;
 * no_error then returns the reason.  Returns ERR_STORE if a stored value of the
 * metric does not equal the value computed from the outcomes. */
static int error_of(double *error, const struct judge_of *of, struct group *g,
                    const char *what)
{
    OWNED(close_sides) struct sides s = {0, NULL};
    const char *metric = what + strlen(baseline_metric);
    int known = 1;

    *error = NAN;
    PASS(open_group(g, of));
    if (g->why)
        return OK;
    s.of = calloc(2 * (size_t)g->n, sizeof *s.of);
    for (; s.n < 2 * g->n;) {
        const struct cell_pair *m = &g->m[s.n / 2];
        const struct baseline_cell *c = s.n % 2 ? m->a : m->b;
        const struct tested *x = &g->x[s.n];
        struct outcomes *o = &s.of[s.n++];

        PASS(outcomes_open(o, x, metric, of->metrics));
        if (o->strata)
            PASS(outcomes_check(o, baseline_text(c, "id"), metric,
                                baseline_value(c, what)->value));
        known &= o->strata > 0;
    }
    return known ? resample(error, &s) : OK;
}

static const char *no_error(const struct group *g)
{
    return g->why ? g->why : "not computed from the test examples";
}

static int over_examples(struct judging *w, struct group *g,
                         const struct baseline_value *a,
                         const struct baseline_value *b)
{
    const char *name = g->m->a->name;
    struct judged *r = judge_values(w, name, a, b, JUDGE_UNDECIDED, "metrics",
                                    "paired over test examples");

    r->margin = margin_of(w, name, a);
    PASS(error_of(&r->error, w->of, g, a->what));
    if (isnan(r->error))
        r->why = no_error(g);
    else
        r->degrees = (double)g->x[1].n - 1;
    return OK;
}

/* ---- over seeds ---- */

/* The means of a metric over the seeds of the old and the new cells; their
 * difference, its standard error and the degrees of freedom of this error. */
struct mean { double old, new, difference, error, degrees; const char *why; };

/* Computes the mean difference over seeds and its standard error.  A metric
 * that counts few examples often changes by the same amount for all seeds, so
 * that the spread over seeds is 0 although the metric is random.  In this case,
 * the error is computed over the test examples.  But if the metric of no seed
 * has changed, the error is 0. */
static int mean_of(struct mean *out, struct judging *w, struct group *g,
                   const char *what)
{
    struct arena *memory = w->out->memory;
    int n = g->n;
    OWNED(free) double *d = malloc((size_t)n * sizeof *d);
    double size = 0, moved = 0;

    *out = (struct mean){.degrees = n - 1};
    for (int i = 0; i < n; i++) {
        double x = baseline_value(g->m[i].a, what)->value;
        double y = baseline_value(g->m[i].b, what)->value;

        out->old += x / n;
        out->new += y / n;
        d[i] = permutation_clean(y - x, fabs(x) + fabs(y));
        size += fabs(x) + fabs(y);
        moved += fabs(d[i]);
    }
    double sd = stats_sd(d, (size_t)n);
    out->difference = stats_mean(d, (size_t)n);
    out->error = sd / sqrt(n);
    out->why = arena_format(memory, "paired over %d seeds", n);
    if (sd > 1e-12 * size || moved == 0)
        return OK;
    PASS(error_of(&out->error, w->of, g, what));
    out->degrees = isnan(out->error) ? 1 : (double)g->x[1].n - 1;
    out->why = arena_format(memory, "%s, which changed equally%s%s", out->why,
                            isnan(out->error) ? ": their spread is unknown; "
                                              : ", and over test examples",
                            isnan(out->error) ? no_error(g) : "");
    return OK;
}

/* Compares a metric that all cells of the group have.  The group has more than
 * one pair. */
static int over_seeds(struct judging *w, struct group *g,
                      const struct baseline_value *first)
{
    const char *name = g->m->a->name;
    struct baseline_value a = *first, b = *first;
    struct mean mean;

    PASS(mean_of(&mean, w, g, first->what));
    a.value = mean.old;
    b.value = mean.new;
    struct judged *r = judge_values(
        w, pair_all_seeds(name, w->out->memory), &a, &b,
        JUDGE_UNDECIDED, "metrics", mean.why);
    r->difference = mean.difference;
    r->margin = margin_of(w, name, first);
    r->error = mean.error;
    r->degrees = mean.degrees;
    return OK;
}

/* Returns 1 if the metric of the value `first` can be compared in all n pairs.
 * Otherwise adds rows with the reasons and returns 0. */
static int all_comparable(struct judging *w, const struct cell_pair *m, int n,
                          const struct baseline_value *first)
{
    int good = 1;

    for (int i = 0; i < n; i++) {
        const struct baseline_value *a = baseline_value(m[i].a, first->what);

        if (!a)
            judge_add(w->out, m[i].a->name, first->what, JUDGE_CHANGED,
                      "exact", "the baseline has it only for other seeds");
        const struct baseline_value *b = baseline_value(m[i].b, first->what);
        good &= a && stage_exact_comparable(w, m[i].a->name, a, b);
    }
    return good;
}

/* Judges the n pairs of one group (struct group). */
static int judge_group(struct judging *w, const struct cell_pair *m, int n)
{
    OWNED(close_group) struct group g = {m, n, NULL, NULL};
    int rows = w->out->n;

    for (int i = 0; i < m->a->n; i++) {
        const struct baseline_value *a = &m->a->value[i];

        if (!baseline_is_metric(a) || !all_comparable(w, m, n, a) ||
            !is_whole(w, a))
            continue;
        PASS(n > 1 ? over_seeds(w, &g, a)
                   : over_examples(w, &g, a, baseline_value(m->b, a->what)));
    }
    int compared = w->out->n > rows;
    for (int i = 0; i < n && !compared; i++)
        judge_add(w->out, m[i].a->name, "", JUDGE_UNDECIDED, "metrics",
                  "different weights, and the baseline has no metric to "
                  "compare");
    for (int i = 0; i < n; i++)
        stage_exact_added(w, &m[i]);
    return OK;
}

/* ---- the family of all tests ---- */

/* Returns 1 if a test of this stage decides the row. */
static int is_tested(const struct judged *r)
{
    return !isnan(r->degrees) && !strcmp(r->stage, "metrics");
}

/* Returns the index of the row whose test decides row i.  This is i itself,
 * unless measure_test names another metric that was tested for the same cell:
 * ce decides ppl, because the two rise and fall together. */
static int decider(const struct judgement *j, int i)
{
    const struct judged *r = &j->row[i];
    const char *by = measure_test(r->metric + strlen(baseline_metric));

    for (int k = 0; k < j->n; k++)
        if (is_tested(&j->row[k]) && !strcmp(j->row[k].cell, r->cell) &&
            !strcmp(j->row[k].metric + strlen(baseline_metric), by))
            return k;
    return i;
}

static void decide(struct judgement *j)
{
    OWNED(free) struct verdict *of = calloc((size_t)j->n + 1, sizeof *of);
    int m = 0;

    for (int i = 0; i < j->n; i++)
        m += is_tested(&j->row[i]) && decider(j, i) == i;
    for (int i = 0; i < j->n; i++)
        if (is_tested(&j->row[i]))
            of[i] = verdict_t(j->row[i].difference, j->row[i].error,
                              j->row[i].degrees,
                              (size_t)m);
    for (int i = 0; i < j->n; i++) {
        struct judged *r = &j->row[i];

        if (!is_tested(r))
            continue;
        int by = decider(j, i);
        struct verdict v = by == i ? of[i] : verdict_shared(&of[by], &of[i]);
        r->p = v.p;
        r->between = v.between;
        if (r->difference * v.sign > r->margin)
            r->verdict = v.sign * r->better > 0 ? JUDGE_BETTER : JUDGE_WORSE;
        else if (v.between.low >= -r->margin && v.between.high <= r->margin)
            r->verdict = JUDGE_EQUAL;
    }
    j->tests = m;
}

int stage_metrics(struct judging *w, const struct cell_pair *m, int n)
{
    for (int i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && pair_same_group(m[i].a->name,
                                                  m[next].a->name);)
            next++;
        PASS(judge_group(w, &m[i], next - i));
    }
    decide(w->out);
    return OK;
}
