#include "harness/report/outcomes.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/stats/bootstrap.h"
#include "harness/stats/permutation.h"
#include "harness/store/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- metrics of two sums ---- */

static double itself(double x) { return x; }
static double percent(double x) { return 100 * x; }

static const struct measure measures[] = {
    {"ce", MEASURE_NLL, MEASURE_TOKENS, itself, NULL},
    {"ppl", MEASURE_NLL, MEASURE_TOKENS, exp, "ce"},
    {"ppl_word", MEASURE_NLL, MEASURE_WORDS, exp, "ce"},
    {"token_accuracy", MEASURE_HITS, MEASURE_TOKENS, percent, NULL},
    {"accuracy", MEASURE_HITS, MEASURE_TOKENS, percent, NULL},
};

const struct measure *measure_of(const char *metric)
{
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
        if (!strcmp(measures[i].metric, metric))
            return &measures[i];
    return NULL;
}

const char *measure_test(const char *metric)
{
    const struct measure *m = measure_of(metric);

    return m && m->decided ? m->decided : metric;
}

/* ---- reading ---- */

/* The arrays, in the order of tested.sum, tested.text and the groups. */
static const char *const path[MEASURE_SUMS + TESTED_TEXTS + 1] = {
    "examples/test/nll",        "examples/test/tokens",
    "examples/test/hits",       "examples/test/words",
    "examples/test/hypothesis", "examples/test/reference",
    "examples/test/subtask",    "examples/test/group"};

/* If array k of the examples is stored, reads it into *numbers or, if `numbers`
 * is NULL, into *texts.  Returns ERR_STORE if its length differs from that of
 * the first array that was read. */
static int read_array(struct tested *x, struct cell_reader *cell,
                      const char *id, int k, double **numbers, char ***texts)
{
    size_t n;
    int rc = numbers ? cell_get_array(cell, path[k], numbers, &n)
                     : cell_get_strings(cell, path[k], texts, &n);

    if (rc != OK)
        return cell_maybe(rc);
    if (x->n == 0)
        x->n = n;
    if (n == x->n && n > 0)
        return OK;
    return err_set(ERR_STORE, "cell %s: %zu values in %s, but %zu test "
                   "examples", id, n, path[k], x->n);
}

void examples_see(struct tested *x, const double *group)
{
    char **hyp = x->text[TESTED_HYPOTHESIS], **ref = x->text[TESTED_REFERENCE];
    char **subtask = x->text[TESTED_SUBTASK];

    if (!hyp || !ref)
        return;
    x->answer = calloc(x->n + 1, sizeof *x->answer);
    for (size_t i = 0; i < x->n; i++)
        x->answer[i] = (struct answer){
            .hyp = hyp[i], .ref = ref[i],
            .subtask = subtask ? subtask[i] : NULL,
            .group = group && fabs(group[i]) < 1e9 ? (int)group[i] : 0};
}

int examples_read(struct tested *out, struct cell_reader *cell,
                  const char *id)
{
    OWNED(free) double *group = NULL;
    int k = 0;

    *out = (struct tested){.n = 0};
    for (int i = 0; i < MEASURE_SUMS; i++)
        PASS(read_array(out, cell, id, k++, &out->sum[i], NULL));
    for (int i = 0; i < TESTED_TEXTS; i++)
        PASS(read_array(out, cell, id, k++, NULL, &out->text[i]));
    PASS(read_array(out, cell, id, k, &group, NULL));
    examples_see(out, group);
    return OK;
}

int examples_block(struct tested *x, struct cell_reader *cell)
{
    long long synthetic = 0;
    double ppl;
    int rc = cell_get_metric(cell, "ppl", &ppl);

    PASS(cell_maybe(rc));
    PASS(cell_maybe(cell_get_int(cell, "provenance", "synthetic", &synthetic)));
    if (rc == OK && !synthetic)
        x->block = (size_t)lround(cbrt((double)x->n));
    return OK;
}

void examples_close(struct tested *x)
{
    for (int k = 0; k < MEASURE_SUMS; k++)
        free(x->sum[k]);
    for (int k = 0; k < TESTED_TEXTS; k++)
        cell_free_strings(x->text[k], x->n);
    free(x->answer);
    *x = (struct tested){.n = 0};
}

/* ---- outcomes of metrics of two sums ---- */

static double ratio_of(const struct stratum *s, const double *sums)
{
    const struct measure *m = s->self;

    return m->of(sums[0] / sums[1]);
}

static void open_ratio(struct outcomes *o, const struct tested *x,
                       const struct measure *m)
{
    const double *over = x->sum[m->over], *under = x->sum[m->under];
    struct stratum *s = &o->stratum[0];
    size_t block = x->block ? x->block : 1;

    if (!over || !under)
        return;
    *s = (struct stratum){.of_sums = ratio_of, .self = m};
    stratum_open(s, (x->n + block - 1) / block, 2);
    for (size_t i = 0; i < x->n; i++) {
        s->x[2 * (i / block)] += over[i];
        s->x[2 * (i / block) + 1] += under[i];
    }
    o->strata = 1;
}

/* ---- outcomes of metrics of texts ---- */

/* Splits the metric into strata.  If `part` is not NULL, keeps only the stratum
 * named `part`. */
static int take_apart(struct outcomes *o, const struct tested *x,
                      const struct metric *m, const char *part)
{
    struct stratum all[METRIC_PARTS];
    int n = m->strata(m, all, x->answer, x->n);

    if (n < 0)
        return err_wrap(ERR_STORE, "test examples");
    for (int i = 0; i < n; i++) {
        if (part && strcmp(all[i].name, part))
            stratum_close(&all[i]);
        else
            o->stratum[o->strata++] = all[i];
    }
    o->metric = part ? NULL : m;
    return OK;
}

int outcomes_open(struct outcomes *out, const struct tested *x,
                  const char *metric, const struct metric *const *metrics)
{
    const struct measure *of_sums = measure_of(metric);

    *out = (struct outcomes){.strata = 0};
    if (of_sums) {
        open_ratio(out, x, of_sums);
        return OK;
    }
    for (; x->answer && metrics && *metrics && !out->strata; metrics++) {
        int whole = !strcmp((*metrics)->name, metric);
        int has_parts = (*metrics)->subtasks && x->text[TESTED_SUBTASK];

        if (!(*metrics)->strata || !(whole || has_parts) ||
            (whole && (*metrics)->subtasks && !x->text[TESTED_SUBTASK]))
            continue;
        PASS(take_apart(out, x, *metrics, whole ? NULL : metric));
    }
    return OK;
}

void outcomes_close(struct outcomes *o)
{
    for (int i = 0; i < o->strata; i++)
        stratum_close(&o->stratum[i]);
    o->strata = 0;
}

/* ---- values ---- */

static double whole(const struct outcomes *o, const double *value)
{
    return o->metric && o->metric->of_strata
               ? o->metric->of_strata(o->metric, o->stratum, value, o->strata)
               : value[0];
}

double outcomes_value(const struct outcomes *o)
{
    double value[METRIC_PARTS];

    for (int i = 0; i < o->strata; i++)
        value[i] = stratum_value(&o->stratum[i]);
    return whole(o, value);
}

/* ---- changes when one unit is left out ---- */

/* Returns the metric without unit i of stratum k; strata that share the draws
 * of stratum k lack their unit i, too.  left[j][i] is the value of stratum j
 * without its unit i; value[j] is its value with all units. */
static double without(const struct outcomes *o, double *const *left,
                      const double *value, int k, size_t i)
{
    double of[METRIC_PARTS];

    for (int j = 0; j < o->strata; j++)
        of[j] = o->stratum[j].which == o->stratum[k].which ? left[j][i]
                                                           : value[j];
    return whole(o, of);
}

/* Subtracts the mean of the n values x from each value, and multiplies the
 * results by sqrt((n - 1) / n), as stats/two_way.h defines u. */
static void centre(double *x, size_t n)
{
    double mean = stats_mean(x, n);

    for (size_t i = 0; i < n; i++)
        x[i] = sqrt(1 - 1 / (double)n) * (x[i] - mean);
}

/* Returns 1 if an earlier stratum shares the draws of stratum k. */
static int is_drawn(const struct outcomes *o, int k)
{
    for (int j = 0; j < k; j++)
        if (o->stratum[j].which == o->stratum[k].which)
            return 1;
    return 0;
}

static size_t units_of(const struct outcomes *o)
{
    size_t n = 0;

    for (int k = 0; k < o->strata; k++)
        n += o->stratum[k].n;
    return n;
}

double *outcomes_influence(size_t *n, const struct outcomes *o,
                           struct arena *a)
{
    size_t units = units_of(o), at = 0;
    OWNED(free) double *all = malloc((units + 1) * sizeof *all);
    double *left[METRIC_PARTS], value[METRIC_PARTS];
    double *u = arena_take(a, (units + 1) * sizeof *u);

    for (int k = 0; k < o->strata; at += o->stratum[k++].n) {
        left[k] = all + at;
        stratum_leave_out(left[k], &o->stratum[k]);
        value[k] = stratum_value(&o->stratum[k]);
    }
    *n = 0;
    for (int k = 0; k < o->strata; k++) {
        if (is_drawn(o, k))
            continue;
        for (size_t i = 0; i < o->stratum[k].n; i++)
            u[*n + i] = without(o, left, value, k, i);
        centre(u + *n, o->stratum[k].n);
        *n += o->stratum[k].n;
    }
    for (size_t i = 0; i < *n; i++)
        if (!isfinite(u[i]))
            *n = 0;
    return u;
}

/* ---- resampling ---- */

static int check_alike(const struct outcomes *const *o, int systems)
{
    for (int i = 1; i < systems; i++) {
        int alike = o[i]->strata == o[0]->strata;

        for (int k = 0; alike && k < o[0]->strata; k++)
            alike = o[i]->stratum[k].n == o[0]->stratum[k].n &&
                    o[i]->stratum[k].which == o[0]->stratum[k].which;
        if (!alike)
            return err_set(ERR_STORE, "two cells with the same test set have "
                           "different examples");
    }
    return OK;
}

int outcomes_resample(double *const *value, const struct outcomes *const *o,
                      int systems, size_t resamples)
{
    OWNED(free) const struct stratum **s = calloc((size_t)systems + 1,
                                                  sizeof *s);
    OWNED(free) double **part = calloc((size_t)systems + 1, sizeof *part);
    OWNED(free) double *all = NULL;
    size_t strata = (size_t)o[0]->strata;

    PASS(check_alike(o, systems));
    all = malloc((size_t)systems * strata * resamples * sizeof *all);
    for (size_t k = 0; k < strata; k++) {
        for (size_t i = 0; i < (size_t)systems; i++) {
            s[i] = &o[i]->stratum[k];
            part[i] = all + (i * strata + k) * resamples;
        }
        stratum_resample(part, s, systems, resamples, OUTCOMES_SEED);
    }
    for (size_t i = 0; i < (size_t)systems; i++)
        for (size_t r = 0; r < resamples; r++) {
            double of[METRIC_PARTS];

            for (size_t k = 0; k < strata; k++)
                of[k] = all[(i * strata + k) * resamples + r];
            value[i][r] = whole(o[i], of);
        }
    return OK;
}

void outcomes_differences(double *d, const double *a, const double *b,
                          size_t n)
{
    for (size_t r = 0; r < n; r++)
        d[r] = permutation_clean(a[r] - b[r], fabs(a[r]) + fabs(b[r]));
}

int outcomes_check(const struct outcomes *o, const char *id, const char *metric,
                   double stored)
{
    double got = outcomes_value(o);

    if (got == stored || (isnan(got) && isnan(stored)) ||
        fabs(got - stored) <= 1e-6 * fmax(1e-3, fmax(fabs(got), fabs(stored))))
        return OK;
    return err_set(ERR_STORE, "cell %s: %s is %.9g, but its examples give "
                   "%.9g: another version of synthbench wrote it; remove its "
                   "file and train it again with `synthbench run`", id, metric,
                   stored, got);
}
