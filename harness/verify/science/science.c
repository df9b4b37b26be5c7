#include "harness/verify/science/science.h"

#include "harness/base/err.h"
#include "harness/stats/stats.h"
#include "harness/store/cell.h"
#include "harness/tasks/gen/law.h"
#include "harness/train/train.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double TOLERANCE = 0.05, ERRORS = 3;
/* Rounding error allowed in the mean of losses that are 0. */
static const double ROUNDING = 1e-6;

const char *const science_name[SCIENCE_PROPERTIES] = {
    "floor", "reach", "blind", "optimum", "accuracy"};

/* ---- one cell ---- */

static int read_array(const double **out, size_t *n, struct cell_reader *cell,
                      const char *path, struct arena *a)
{
    double *x;
    int rc = cell_get_array(cell, path, &x, n);

    if (rc < 0)
        return rc;
    double *kept = arena_take(a, (*n + 1) * sizeof *kept);
    memcpy(kept, x, *n * sizeof *kept);
    free(x);
    *out = kept;
    return OK;
}

int science_read(struct science_run *r, const char *store, const char *id,
                 struct arena *a)
{
    struct cell_reader *cell = NULL;
    const double *valid;
    size_t n[5];
    int rc;

    GOTO_IF_ERR(cell_open(&cell, store, id));
    GOTO_IF_ERR(read_array(&r->nll, &n[0], cell, "examples/test/nll", a));
    GOTO_IF_ERR(read_array(&r->own, &n[1], cell, "examples/test/own_nll", a));
    GOTO_IF_ERR(read_array(&r->tokens, &n[2], cell, "examples/test/tokens", a));
    GOTO_IF_ERR(read_array(&r->hits, &n[3], cell, "examples/test/hits", a));
    GOTO_IF_ERR(read_array(&valid, &n[4], cell, "curves/valid/ce", a));
    for (int i = 1; i < 4; i++)
        if (n[i] != n[0])
            GOTO_IF_ERR(err_set(ERR_STORE,
                                "%zu losses of test examples, but %zu "
                                "values in another array", n[0], n[i]));
    r->n = n[0];
    r->valid = n[4] ? valid[n[4] - 1] : NAN;
out:
    cell_close(cell);
    return rc < 0 ? err_wrap(ERR_STORE, "cell %s", id) : OK;
}

/* The mean of x_i - y_i - z t_i, divided by the mean of t_i, and its standard
 * error.  t_i is the number of tokens of example i.  If y is NULL, y_i is 0. */
struct mean { double value, error; };

static struct mean mean_of(const struct science_run *r, const double *x,
                           const double *y, double z)
{
    double *d = malloc((r->n + 1) * sizeof *d), tokens = 0;

    for (size_t i = 0; i < r->n; i++) {
        d[i] = x[i] - (y ? y[i] : 0) - z * r->tokens[i];
        tokens += r->tokens[i] / (double)r->n;
    }
    struct mean m = {stats_mean(d, r->n) / tokens,
                     stats_sd(d, r->n) / sqrt((double)r->n) / tokens};
    free(d);
    return m;
}

static double ce_of(const struct science_run *r)
{
    return mean_of(r, r->nll, NULL, 0).value;
}

static double floor_of(const struct science_run *r)
{
    return mean_of(r, r->own, NULL, 0).value;
}

/* Returns P(z < value / error): the probability of a mean this low if the true
 * mean is 0. */
static double below(struct mean m)
{
    double value = m.value + ROUNDING;

    if (!(m.error > 0))
        return value >= 0 ? 1 : 0;
    return erfc(-value / m.error / sqrt(2)) / 2;
}

/* ---- what theory predicts for a variant ---- */

/* Returns 1 if the variant can have weights of the kind `asked` (law.h).
 * Low-rank scores cannot if their rank is 1: they find only two columns. */
static int gives(const struct variant *v, enum law_rows asked, int rank)
{
    static const enum depends least[] = {
        [ROWS_EVEN] = DEPENDS_NOTHING, [ROWS_OF_POSITIONS] = DEPENDS_NOTHING,
        [ROWS_OF_TOKENS] = DEPENDS_TOKEN, [ROWS_OF_PAIRS] = DEPENDS_PAIRS};

    if (asked <= ROWS_ANY)
        return asked == ROWS_ANY;
    if (v->traits & VARIANT_UNIVERSAL && v->depends >= least[asked])
        return !(v->traits & VARIANT_LOW_RANK) || rank > 1;
    return asked == ROWS_EVEN && v->depends == DEPENDS_NOTHING &&
           v->traits & VARIANT_SYMMETRIC;
}

/* Returns 1 if a part of the mixture can have weights of the kind `asked`. */
static int reaches(const struct science_run *r, enum law_rows asked)
{
    for (int i = 0; i < r->mix->n; i++)
        if (gives(r->mix->part[i], asked, r->config->model.rank))
            return 1;
    return 0;
}

static int is_blind(const struct science_run *r)
{
    int blind = r->config->model.probe;

    for (int i = 0; i < r->mix->n; i++)
        blind &= r->mix->part[i]->depends == DEPENDS_NOTHING;
    return blind;
}

static int same(const struct science_run *a, const struct science_run *b)
{
    return a->task == b->task &&
           a->config->model.probe == b->config->model.probe &&
           !strcmp(a->config->variant, b->config->variant);
}

/* ---- rows ---- */

struct judging {
    const struct science_run *run;
    int                 runs;
    struct science_row *row;
    int                 rows;
    int                *of; /* row of test i         */
    double             *p;  /* probability of test i */
    int                 tests;
};

static struct science_row *add_row(struct judging *j,
                                   const struct science_run *r,
                                   enum science_property property)
{
    struct science_row *row = &j->row[j->rows++];

    *row = (struct science_row){.first = r, .property = property,
                                .verdict = VERDICT_PASS, .p = NAN};
    return row;
}

static struct mean test_of(const struct science_run *r,
                           enum science_property property, double bound)
{
    struct mean m;

    if (property == SCIENCE_FLOOR)
        return mean_of(r, r->nll, r->own, 0);
    if (property == SCIENCE_BLIND)
        return mean_of(r, r->nll, NULL, bound);
    m = mean_of(r, r->hits, NULL, bound);
    m.value = -m.value; /* a share fails if too high, a loss if too low */
    return m;
}

/* Adds a row with one test for each cell of the group of `first`: the cells for
 * which same() returns 1.  The row shows the test with the smallest p. */
static void add_tests(struct judging *j, const struct science_run *first,
                      enum science_property property, double bound)
{
    struct science_row *row = add_row(j, first, property);
    double least = 2;

    for (int i = 0; i < j->runs; i++) {
        const struct science_run *r = &j->run[i];

        if (!same(r, first) || !r->n)
            continue;
        struct mean m = test_of(r, property, bound);
        double p = below(m);
        j->of[j->tests] = j->rows - 1;
        j->p[j->tests++] = p;
        if (p >= least)
            continue;
        least = p;
        row->exact = property == SCIENCE_FLOOR ? floor_of(r) : bound;
        row->measured = property == SCIENCE_ACCURACY ? bound - m.value
                                                     : ce_of(r);
        row->bound = property == SCIENCE_ACCURACY ? bound + ERRORS * m.error
                                                  : row->measured - m.value -
                                                        ERRORS * m.error;
        snprintf(row->remark, sizeof row->remark, "seed %llu",
                 (unsigned long long)r->config->seed);
    }
    if (least > 1) {
        row->verdict = VERDICT_NONE;
        row->measured = row->exact = row->bound = NAN;
        snprintf(row->remark, sizeof row->remark, "every seed diverged");
    }
}

/* Means over the cells of a group with one learning rate. */
struct rate { double scale, valid, ce, floor; int n, diverged; };

static struct rate at_rate(const struct judging *j,
                           const struct science_run *first, double scale)
{
    struct rate sum = {.scale = scale};

    for (int i = 0; i < j->runs; i++) {
        const struct science_run *r = &j->run[i];

        if (!same(r, first) || r->config->lr_scale < scale ||
            r->config->lr_scale > scale)
            continue;
        sum.valid += r->n ? r->valid : INFINITY;
        sum.ce += r->n ? ce_of(r) : INFINITY;
        sum.floor += r->n ? floor_of(r) : 0;
        sum.diverged += !r->n;
        sum.n++;
    }
    return (struct rate){scale, sum.valid / sum.n, sum.ce / sum.n,
                         sum.floor / (sum.n - sum.diverged), sum.n,
                         sum.diverged};
}

static struct rate best_rate(const struct judging *j,
                             const struct science_run *first)
{
    struct rate best = at_rate(j, first, first->config->lr_scale);

    for (int i = 0; i < j->runs; i++)
        if (same(&j->run[i], first)) {
            struct rate r = at_rate(j, first, j->run[i].config->lr_scale);

            best = r.valid < best.valid ? r : best;
        }
    return best;
}

/* Adds a row that passes if the loss of the group exceeds `bound`, or the floor
 * if `bound` is NAN, by at most TOLERANCE.  If `claimed` is 0, theory does not
 * predict this, and the row only reports the loss. */
static void add_reach(struct judging *j, const struct science_run *first,
                      enum science_property property, double bound, int claimed)
{
    struct rate r = best_rate(j, first);
    struct science_row *row = add_row(j, first, property);

    row->measured = r.ce;
    row->exact = isnan(bound) ? r.floor : bound;
    row->bound = row->exact + TOLERANCE;
    row->verdict = !claimed                   ? VERDICT_NONE
                   : row->measured <= row->bound ? VERDICT_PASS
                                                 : VERDICT_FAIL;
    snprintf(row->remark, sizeof row->remark,
             "%sschedule.scale %g, %d seed%s%s", claimed ? "" : "no claim; ",
             r.scale, r.n, r.n == 1 ? "" : "s", r.diverged ? ", diverged" : "");
}

static void add_group(struct judging *j, const struct science_run *first)
{
    const struct law *law = first->task->law;
    struct task_opts o = train_data(first->config, NULL, NULL);

    add_tests(j, first, SCIENCE_FLOOR, 0);
    add_reach(j, first, SCIENCE_REACH, NAN, reaches(first, law->reach));
    if (!law->blind || !is_blind(first))
        return;
    double bound = law->blind(&o);
    add_tests(j, first, SCIENCE_BLIND, bound);
    add_reach(j, first, SCIENCE_OPTIMUM, bound,
              reaches(first, law->blind_reach));
    if (law->blind_accuracy)
        add_tests(j, first, SCIENCE_ACCURACY, law->blind_accuracy(&o));
}

/* Corrects the tests together by Holm's method and sets the verdicts. */
static void decide(struct judging *j)
{
    double level = erfc(ERRORS / sqrt(2)) / 2;

    stats_holm(j->p, j->p, (size_t)j->tests);
    for (int i = 0; i < j->tests; i++) {
        struct science_row *row = &j->row[j->of[i]];

        if (!(row->p <= j->p[i]))
            row->p = j->p[i];
        if (j->p[i] < level)
            row->verdict = VERDICT_FAIL;
    }
}

struct science_row *science_judge(const struct science_run *run, int runs,
                                  int *rows)
{
    size_t most = SCIENCE_PROPERTIES * (size_t)runs + 1;
    struct judging j = {.run = run, .runs = runs,
                        .row = calloc(most, sizeof *j.row),
                        .of = calloc(most, sizeof *j.of),
                        .p = calloc(most, sizeof *j.p)};

    for (int i = 0; i < runs; i++) {
        int before = 0;

        while (!same(&run[before], &run[i]))
            before++;
        if (before == i)
            add_group(&j, &run[i]);
    }
    decide(&j);
    free(j.of);
    free(j.p);
    *rows = j.rows;
    return j.row;
}
