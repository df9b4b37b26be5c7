#include "harness/report/evidence_private.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/report/seeds.h"
#include "harness/stats/bootstrap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- metrics from the examples ---- */

/* Returns the stored value of a metric, or NAN if the cell has none. */
static double stored_value(const struct seed *s, const char *metric)
{
    for (size_t i = 0; i < s->n; i++)
        if (!strcmp(s->metric[i].metric, metric))
            return s->metric[i].value;
    return NAN;
}

/* Prepares a metric of one seed for resampling.  If the metric is not computed
 * per example, o->strata is 0.  The caller closes `o`, even after an error. */
static int take_apart(struct outcomes *o, const struct evidence *e,
                      const struct system *s, const struct seed *seed,
                      const char *metric)
{
    double stored = stored_value(seed, metric);

    *o = (struct outcomes){.strata = 0};
    if (!s->reference && isnan(stored))
        return OK;
    PASS(outcomes_open(o, &seed->examples, metric, e->metrics));
    return s->reference || !o->strata
               ? OK
               : outcomes_check(o, seed->id, metric, stored);
}

/* Computes the metric of every system that has one seed and was tested on the
 * data set `set`, for all examples and for each resample. */
static int resample(struct scores *out, struct evidence *e, int set)
{
    size_t systems = (size_t)e->systems + 1;
    OWNED(free) struct outcomes *o = calloc(systems, sizeof *o);
    OWNED(free) const struct outcomes **each = calloc(systems, sizeof *each);
    OWNED(free) double **in = calloc(systems, sizeof *in);
    int n = 0, rc = OK;

    for (int i = 0; i < e->systems && rc == OK; i++) {
        const struct system *s = &e->system[i];

        if (s->seeds != 1 || s->set != set)
            continue;
        rc = take_apart(&o[n], e, s, s->seed, out->metric);
        if (!o[n].strata)
            continue;
        in[n] = arena_take(e->memory, BOOTSTRAP_RESAMPLES * sizeof **in);
        out->in[i] = in[n];
        out->value[i] = outcomes_value(&o[n]);
        each[n] = &o[n];
        n++;
    }
    if (rc == OK && n)
        rc = outcomes_resample(in, each, n, BOOTSTRAP_RESAMPLES);
    while (n > 0)
        outcomes_close(&o[--n]);
    return rc;
}

static int add_influence(double **influence, struct scores *out,
                         struct evidence *e, const struct system *s,
                         const struct seed *seed)
{
    OWNED(outcomes_close) struct outcomes o = {.strata = 0};
    size_t n, *units = &out->units[s->set];

    PASS(take_apart(&o, e, s, seed, out->metric));
    if (!o.strata)
        return OK;
    *influence = outcomes_influence(&n, &o, e->memory);
    if (n == 0)
        *influence = NULL;
    else if (*units == 0)
        *units = n;
    else if (*units != n)
        return err_set(ERR_STORE, "cell %s: %zu units of %s, but others with "
                       "the same test set have %zu", seed->id, n, out->metric,
                       *units);
    return OK;
}

static int fill_influence(struct scores *out, struct evidence *e)
{
    for (int i = 0; i < e->systems; i++) {
        const struct system *s = &e->system[i];

        out->influence[i] = arena_zero(e->memory, ((size_t)s->seeds + 1) *
                                                  sizeof **out->influence);
        for (int k = 0; k < s->seeds && (s->seeds > 1 || s->reference); k++)
            PASS(add_influence(&out->influence[i][k], out, e, s, &s->seed[k]));
    }
    return OK;
}

static int compute_scores(struct scores *out, struct evidence *e,
                        const char *metric)
{
    size_t systems = (size_t)e->systems + 1, sets = (size_t)e->data.sets + 1;

    *out = (struct scores){
        .metric = arena_text(e->memory, metric),
        .value = arena_zero(e->memory, systems * sizeof *out->value),
        .in = arena_zero(e->memory, systems * sizeof *out->in),
        .influence = arena_zero(e->memory, systems * sizeof *out->influence),
        .units = arena_zero(e->memory, sets * sizeof *out->units)};
    for (int k = 0; k < e->data.sets; k++)
        PASS(resample(out, e, k));
    return e->several ? fill_influence(out, e) : OK;
}

/* Sets *out to the values of a metric, which are computed when the metric is
 * requested for the first time. */
static int scores_of(const struct scores **out, struct evidence *e,
                   const char *metric)
{
    for (int i = 0; i < e->metrics_known; i++)
        if (!strcmp(e->scores[i].metric, metric)) {
            *out = &e->scores[i];
            return OK;
        }
    ARRAY_ROOM(e->scores, e->metrics_known, e->room);
    PASS(compute_scores(&e->scores[e->metrics_known], e, metric));
    *out = &e->scores[e->metrics_known++];
    return OK;
}

/* Sets *out to the scores of system `s`, one for each of its seeds.  If `s` is
 * a reference, it gets the same score for each seed of the system `other`.  If
 * a score lacks its `influence` (struct scores), out->units is 0. */
static int seeds_of(struct seeds *out, struct evidence *e,
                    const struct system *s, const struct system *other,
                    const char *metric)
{
    const struct system *of = s->reference ? other : s;
    size_t n = (size_t)of->seeds + 1;
    long long *seed = arena_take(e->memory, n * sizeof *seed);
    double *value = arena_take(e->memory, n * sizeof *value);
    const double **influence = arena_zero(e->memory, n * sizeof *influence);
    size_t at = (size_t)(s - e->system);
    const struct scores *scores;

    PASS(scores_of(&scores, e, metric));
    size_t units = scores->units[of->set];
    *out = (struct seeds){(size_t)of->seeds, seed, value, units, influence};
    for (int i = 0; i < of->seeds; i++) {
        seed[i] = of->seed[i].seed;
        value[i] = !s->reference  ? stored_value(&of->seed[i], metric)
                   : scores->in[at] ? scores->value[at]
                                  : NAN;
        if (units)
            influence[i] = scores->influence[at][s->reference ? 0 : i];
        if (!influence[i] && !isnan(value[i]))
            out->units = 0;
    }
    return OK;
}

/* ---- estimates ---- */

static int of_one(struct estimate *out, struct evidence *e,
                  const struct system *s, const char *metric)
{
    enum { R = BOOTSTRAP_RESAMPLES };
    const struct scores *scores;
    int finite = 1;

    PASS(scores_of(&scores, e, metric));
    const double *in = scores->in[s - e->system];
    if (!in)
        return OK;
    out->value = scores->value[s - e->system];
    OWNED(free) double *x = malloc(R * sizeof *x); /* sorted in place */
    for (int i = 0; i < R; i++)
        finite &= isfinite(x[i] = in[i]) != 0;
    if (finite)
        out->between = stats_percentiles(x, R);
    return OK;
}

/* Returns the interval of a mean.  For a perplexity, the interval is symmetric
 * on a logarithmic scale, because the logarithm is a cross-entropy: its bounds
 * are the mean divided by a ratio and multiplied by the same ratio.  If a bound
 * is not finite, the interval is NAN. */
static struct interval interval_of(const struct two_way *mean,
                                   const char *metric)
{
    const struct measure *m = measure_of(metric);
    struct interval between = two_way_interval(mean);
    double ratio = exp(between.high / mean->mean - 1);

    if (!m || m->of != exp)
        return between;
    return isfinite(ratio * mean->mean)
               ? (struct interval){mean->mean / ratio, mean->mean * ratio}
               : (struct interval){NAN, NAN};
}

static int of_several(struct estimate *out, struct evidence *e,
                      const struct system *s, const char *metric)
{
    struct seeds x;

    PASS(seeds_of(&x, e, s, s, metric));
    if (!x.units)
        return OK;
    struct two_way mean = seeds_mean(&x);
    if (mean.parts)
        *out = (struct estimate){mean.mean, interval_of(&mean, metric)};
    return OK;
}

int evidence_of(struct estimate *out, struct evidence *e, const char *system,
                const char *metric)
{
    const struct system *s = evidence_system(e, system);

    *out = (struct estimate){NAN, {NAN, NAN}};
    if (s)
        PASS((s->seeds == 1 ? of_one : of_several)(out, e, s, metric));
    out->between = stats_spread(out->between);
    return OK;
}

/* ---- learning ---- */

int evidence_learning(struct learning *out, struct evidence *e,
                      const char *system)
{
    const struct system *s = evidence_system(e, system);
    const struct scores *scores;

    *out = (struct learning){.cells = 0};
    for (int i = 0; s && !s->reference && i < s->seeds; i++)
        learning_add(out, stored_value(&s->seed[i], "ce"), s->seed[i].settled,
                     s->seed[i].error);
    if (!s || !s->reference)
        return OK;
    PASS(scores_of(&scores, e, "ce"));
    if (scores->in[s - e->system])
        learning_add(out, scores->value[s - e->system], NAN, NAN);
    return OK;
}

int evidence_set(const struct evidence *e, const char *system)
{
    const struct system *s = evidence_system(e, system);

    return s ? s->set : -1;
}

/* ---- contrasts ---- */

/* A contrast to compute: system `a` against system `b`, as one of `m` tests. */
struct question {
    struct evidence     *e;
    const struct system *a, *b;
    size_t               m;
};

static int of_examples(struct known *out, struct contrast *c,
                       const struct question *q, const char *metric)
{
    const struct scores *scores;
    size_t i = (size_t)(q->a - q->e->system);
    size_t j = (size_t)(q->b - q->e->system);

    PASS(scores_of(&scores, q->e, metric));
    if (!scores->in[i] || !scores->in[j])
        return OK;
    c->difference = scores->value[i] - scores->value[j];
    c->examples = q->e->examples[q->a->set];
    out->n = BOOTSTRAP_RESAMPLES;
    out->t = malloc(out->n * sizeof *out->t);
    outcomes_differences(out->t, scores->in[i], scores->in[j], out->n);
    return OK;
}

static int of_seeds(struct known *out, struct contrast *c,
                    const struct question *q, const char *metric)
{
    struct seeds x, y;
    struct seeds_test s;

    size_t examples = q->e->examples[q->a->set];
    PASS(seeds_of(&x, q->e, q->a, q->b, metric));
    PASS(seeds_of(&y, q->e, q->b, q->a, metric));
    seeds_open(&s, &x, &y);
    *c = (struct contrast){.difference = s.a - s.b, .verdict = verdict_unknown,
                           .seeds = s.na < s.nb ? s.na : s.nb,
                           .examples = s.crossed ? examples : 0,
                           .more = seeds_more(&s, q->m), .mean = s.mean};
    *out = s.known;
    return OK;
}

static int known_of(struct known *out, struct contrast *c,
                    const struct question *q, const char *metric)
{
    return (q->a->seeds == 1 && q->b->seeds == 1 ? of_examples : of_seeds)(
        out, c, q, metric);
}

int evidence_contrast(struct contrast *out, struct evidence *e, const char *a,
                      const char *b, const char *metric, size_t m)
{
    struct question q = {e, evidence_system(e, a), evidence_system(e, b), m};
    const char *test = measure_test(metric);
    struct contrast of_test = {.difference = NAN};
    OWNED(known_close) struct known own = {.n = 0}, decides = own;
    struct learning of_a, of_b;

    *out = (struct contrast){.difference = NAN, .verdict = verdict_unknown};
    if (!q.a || !q.b || q.a->set != q.b->set)
        return OK;
    PASS(known_of(&own, out, &q, metric));
    if (strcmp(test, metric))
        PASS(known_of(&decides, &of_test, &q, test));
    int shared = known_values(&decides) > 0;
    out->verdict = verdict_of(shared ? &decides : &own, m);
    if (shared) {
        struct verdict alone = verdict_of(&own, m);
        out->verdict = verdict_shared(&out->verdict, &alone);
    }
    PASS(evidence_learning(&of_a, e, a));
    PASS(evidence_learning(&of_b, e, b));
    out->unsettled = learning_unsettled(&of_a, &of_b);
    out->drift = learning_drift(&of_a, &of_b);
    return OK;
}

/* ---- values by seed ---- */

/* Returns the entry of a seed in the list of n entries, and adds the entry,
 * with NAN values, if the list does not have it. */
static struct result_by_seed *values_of(struct result_by_seed *list, int *n,
                                        long long seed)
{
    int k = 0;

    while (k < *n && list[k].seed < seed)
        k++;
    if (k < *n && list[k].seed == seed)
        return &list[k];
    memmove(&list[k + 1], &list[k], (size_t)((*n)++ - k) * sizeof *list);
    list[k] = (struct result_by_seed){seed, NAN, NAN};
    return &list[k];
}

int evidence_by_seed(struct result_by_seed **out, const struct evidence *e,
                     const char *a, const char *b, const char *metric,
                     struct arena *memory)
{
    const struct system *of[] = {evidence_system(e, a), evidence_system(e, b)};
    int n = 0;

    *out = arena_zero(memory, ((size_t)e->report->n + 1) * sizeof **out);
    for (int k = 0; k < 2; k++)
        for (int i = 0; of[k] && !of[k]->reference && i < of[k]->seeds; i++) {
            const struct seed *s = &of[k]->seed[i];
            struct result_by_seed *x = values_of(*out, &n, s->seed);

            *(k ? &x->b : &x->a) = stored_value(s, metric);
        }
    return n;
}
