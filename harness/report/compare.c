#include "harness/report/compare.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/report/outcomes.h"
#include "harness/report/seeds.h"
#include "harness/stats/bootstrap.h"
#include "harness/stats/stats.h"
#include "harness/store/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { A, B, SIDES };
enum { FEWEST = 10 }; /* test examples of a subtask needed for a verdict */

/* One side of the comparison.  Each list has one element per cell; `value` and
 * `influence` belong to the metric that is being compared. */
struct side {
    const struct compare_side *is;
    struct cell_reader       **cell;
    struct tested             *examples;
    double                    *value;
    double                   **influence; /* NULL: unknown */
};

/* What the test of a row computes.  If the sides are single cells, `seeds` is
 * zero. */
struct row_test { struct known known; struct seeds_test seeds; };

struct work {
    struct comparison          *out;
    struct side                 side[SIDES];
    const struct metric *const *metrics;
    size_t                      families, names; /* names: number of metrics */
    struct row_test            *test; /* [rows] */
};

/* ---- stored values of a metric ---- */

/* Returns ERR_USAGE if the cells of both sides do not all have the same value
 * of the text attribute `name` of the group `group`. */
static int check_same(struct work *w, const char *group, const char *name,
                      const char *complaint)
{
    OWNED(free) char *first = NULL;

    for (int s = 0; s < SIDES; s++)
        for (int i = 0; i < w->side[s].is->cells; i++) {
            OWNED(free) char *text = NULL;

            PASS(cell_get_text(w->side[s].cell[i], group, name, &text));
            if (first && strcmp(first, text))
                return err_set(ERR_USAGE, "%s and %s cannot be compared: %s "
                               "(%s, but %s in cell %s)",
                               w->side[A].is->name, w->side[B].is->name,
                               complaint, first, text, w->side[s].is->id[i]);
            if (!first) {
                first = text;
                text = NULL;
            }
        }
    return OK;
}

/* Reads a metric of every cell.  Returns 1 if all cells have the metric, 0 if
 * none has it, or ERR_USAGE if only some have it. */
static int read_values(struct work *w, const char *metric)
{
    int have = 0, cells = 0;

    for (int s = 0; s < SIDES; s++)
        for (int i = 0; i < w->side[s].is->cells; i++, cells++) {
            int rc = cell_get_metric(w->side[s].cell[i], metric,
                                     &w->side[s].value[i]);

            PASS(cell_maybe(rc));
            have += rc == OK;
        }
    if (have && have < cells)
        return err_set(ERR_USAGE, "%s and %s cannot be compared: %d of their "
                       "%d cells lack metric %s", w->side[A].is->name,
                       w->side[B].is->name, cells - have, cells, metric);
    return have > 0;
}

static int read_better(struct work *w, struct compare_row *r)
{
    OWNED(free) char *path = str_format("metrics/%s", r->metric);
    long long better;

    PASS(cell_get_int(w->side[A].cell[0], path, "better", &better));
    r->better = better < 0 ? -1 : 1;
    return check_same(w, path, "signature", "the metric was computed in "
                      "different ways");
}

/* ---- examples ---- */

static int take_apart(struct outcomes *o, const struct work *w,
                      const struct side *s, int cell, const char *metric)
{
    PASS(outcomes_open(o, &s->examples[cell], metric, w->metrics));
    return o->strata ? outcomes_check(o, s->is->id[cell], metric,
                                      s->value[cell])
                     : OK;
}

/* Returns the number of resamples to draw for a family of m tests.  It grows
 * with m, because the intervals of a larger family depend on more extreme
 * resamples, of which there must not be too few. */
static size_t resamples_for(size_t m)
{
    enum { TESTS = 100 }; /* BOOTSTRAP_RESAMPLES suffice for up to 100 tests */

    return (m + TESTS - 1) / TESTS * BOOTSTRAP_RESAMPLES;
}

static int compare_examples(struct known *k, struct work *w,
                            struct compare_row *r)
{
    OWNED(outcomes_close) struct outcomes x = {.strata = 0}, y = x;
    const struct outcomes *const o[SIDES] = {&x, &y};
    struct arena *a = w->out->memory;
    size_t n = resamples_for(w->families * w->names);
    OWNED(free) double *drawn = NULL;

    r->test = "no scores per example are stored";
    PASS(take_apart(&x, w, &w->side[A], 0, r->metric));
    PASS(take_apart(&y, w, &w->side[B], 0, r->metric));
    if (!x.strata || !y.strata)
        return OK;
    int subtask = *x.stratum[0].name && x.strata == 1;
    size_t examples = subtask ? x.stratum[0].n : w->side[A].examples->n;
    if (subtask && examples < FEWEST) {
        r->test = arena_format(a, "%zu test example%s: too few for a verdict",
                               examples, examples == 1 ? "" : "s");
        return OK;
    }
    drawn = malloc(2 * n * sizeof *drawn);
    PASS(outcomes_resample((double *const[]){drawn, drawn + n}, o, SIDES, n));
    k->n = n;
    k->t = malloc(n * sizeof *k->t);
    outcomes_differences(k->t, drawn + n, drawn, n); /* B - A */
    r->test = arena_format(a, "paired bootstrap over %s%zu test examples%s",
                           subtask ? "the subtask's " : "", examples,
                           x.strata > 1 ? ", stratified by subtask" : "");
    return OK;
}

/* Sets s->influence[i] to the changes of the metric of cell i when single units
 * of its test set are left out (outcomes_influence).  Sets *units to the number
 * of units, or to 0 if the metric of some cell is not computed per example or
 * the cells have different numbers of units. */
static int fill_influence(size_t *units, struct work *w, struct side *s,
                const char *metric)
{
    for (int i = 0; i < s->is->cells; i++) {
        OWNED(outcomes_close) struct outcomes o = {.strata = 0};
        size_t n = 0;

        PASS(take_apart(&o, w, s, i, metric));
        if (o.strata)
            s->influence[i] = outcomes_influence(&n, &o, w->out->memory);
        *units = i == 0 || n == *units ? n : 0;
        if (*units == 0)
            break;
    }
    return OK;
}

/* ---- seeds ---- */

static const char *test_of(const struct work *w, const struct seeds_test *s)
{
    struct arena *a = w->out->memory;
    const char *many = s->na == 1 ? "" : "s";
    size_t n = w->side[A].examples->n;

    if (s->crossed && s->paired)
        return arena_format(a, "Student's t over %zu common seed%s x %zu test "
                            "examples", s->na, many, n);
    if (s->crossed)
        return arena_format(a, "Student's t over %zu and %zu seeds, none in "
                            "common, x %zu test examples", s->nb, s->na, n);
    if (s->paired)
        return arena_format(a, "sign permutation test over %zu common seed%s",
                            s->na, many);
    return arena_format(a, "permutation test over %zu and %zu seeds, none in "
                        "common", s->nb, s->na);
}

static int compare_seeds(struct row_test *out, struct work *w,
                         struct compare_row *r)
{
    struct seeds side[SIDES];
    struct seeds_test s;

    for (int i = 0; i < SIDES; i++) {
        struct side *of = &w->side[i];
        size_t units = 0;

        PASS(fill_influence(&units, w, of, r->metric));
        side[i] = (struct seeds){(size_t)of->is->cells, of->is->seed, of->value,
                                 units, (const double *const *)of->influence};
    }
    seeds_open(&s, &side[B], &side[A]); /* s.a is side B, s.b is side A */
    *out = (struct row_test){s.known, s};
    r->a = s.b;
    r->b = s.a;
    r->test = test_of(w, &s);
    const double *a = w->side[A].value, *b = w->side[B].value;
    size_t na = side[A].n, nb = side[B].n;
    r->seeds = (struct compare_seeds){
        .sd_a = stats_sd(a, na), .sd_b = stats_sd(b, nb),
        .iqm_a = stats_interquartile_mean(a, na),
        .iqm_b = stats_interquartile_mean(b, nb),
        .a12 = stats_a12(b, nb, a, na),
        .hedges_g = stats_hedges_g(b, nb, a, na),
        .cliff_delta = stats_cliff_delta(b, nb, a, na)};
    return OK;
}

/* ---- the whole comparison ---- */

/* Adds the row of a metric, or no row if no cell has the metric. */
static int compare_metric(struct work *w, const char *metric)
{
    static const struct compare_seeds unknown = {NAN, NAN, NAN, NAN,
                                                 NAN, NAN, NAN};
    struct compare_row *r = &w->out->row[w->out->rows];
    struct row_test *x = &w->test[w->out->rows];
    int rc = read_values(w, metric);

    if (rc <= 0)
        return rc;
    *r = (struct compare_row){.metric = metric, .verdict = verdict_unknown,
                              .seeds = unknown, .floor = NAN,
                              .a = w->side[A].value[0],
                              .b = w->side[B].value[0]};
    PASS(read_better(w, r));
    PASS(w->side[A].is->by_seed ? compare_seeds(x, w, r)
                                : compare_examples(&x->known, w, r));
    r->difference = r->b - r->a;
    w->out->rows++;
    return OK;
}

/* Returns the number of the row whose test decides row i: the row of the metric
 * that measure_test returns, if this metric was tested, otherwise i. */
static int decider(const struct work *w, int i)
{
    const struct comparison *c = w->out;
    const char *test = measure_test(c->row[i].metric);

    for (int k = 0; k < c->rows; k++)
        if (k != i && !strcmp(c->row[k].metric, test) &&
            known_values(&w->test[k].known))
            return k;
    return i;
}

/* Sets the verdict of every row.  Rows that share a verdict count as one test
 * of the family. */
static void decide(struct work *w)
{
    struct comparison *c = w->out;
    size_t m = 0;

    for (int i = 0; i < c->rows; i++)
        m += decider(w, i) == i && known_values(&w->test[i].known);
    m *= w->families;
    c->tests = (int)m;
    c->level = 1 - STATS_LEVEL / (double)(m ? m : 1);
    for (int i = 0; i < c->rows; i++) {
        struct compare_row *r = &c->row[i];
        struct row_test *own = &w->test[i];
        int by = decider(w, i);
        struct row_test *x = &w->test[by];

        if (!known_values(&x->known))
            continue;
        r->verdict = verdict_of(&x->known, m);
        r->floor = verdict_floor(known_values(&x->known), m);
        if (x->seeds.na)
            r->more = seeds_more(&x->seeds, m);
        r->paired = x->seeds.paired;
        if (by == i)
            continue;
        r->as = c->row[by].metric;
        struct verdict alone = verdict_of(&own->known, m);
        r->verdict = verdict_shared(&r->verdict, &alone);
    }
}

static int open_side(struct side *s, const struct compare_side *is,
                     struct arena *a)
{
    size_t n = (size_t)is->cells;

    REQUIRE(is->cells > 0, "%s: no cells", is->name);
    *s = (struct side){.is = is, .cell = arena_zero(a, n * sizeof *s->cell),
                       .examples = arena_zero(a, n * sizeof *s->examples),
                       .value = arena_zero(a, n * sizeof *s->value),
                       .influence = arena_zero(a, n * sizeof *s->influence)};
    for (int i = 0; i < is->cells; i++)
        PASS(cell_open(&s->cell[i], is->store, is->id[i]));
    return OK;
}

static void close_side(struct side *s)
{
    for (int i = 0; s->cell && i < s->is->cells; i++) {
        cell_close(s->cell[i]);
        examples_close(&s->examples[i]);
    }
}

static void close_work(struct work *w)
{
    close_side(&w->side[A]);
    close_side(&w->side[B]);
    for (int i = 0; w->test && i < w->out->rows; i++)
        known_close(&w->test[i].known);
    free(w->test);
}
OWNER_OF_VALUE(close_work, struct work)

/* Reads the test examples of all cells.  Returns ERR_STORE if the cells have
 * different numbers of examples. */
static int read_examples(struct work *w)
{
    const struct side *first = &w->side[A];

    for (int k = 0; k < SIDES; k++)
        for (int i = 0; i < w->side[k].is->cells; i++) {
            const struct side *s = &w->side[k];

            PASS(examples_read(&s->examples[i], s->cell[i], s->is->id[i]));
            PASS(examples_block(&s->examples[i], s->cell[i]));
            if (s->examples[i].n != first->examples->n)
                return err_set(ERR_STORE, "%s has %zu test examples, %s has "
                               "%zu", first->is->name, first->examples->n,
                               s->is->name, s->examples[i].n);
        }
    return OK;
}

static int learn(struct learning *out, const struct side *s)
{
    for (int i = 0; i < s->is->cells; i++) {
        double ce = NAN, settled, error;

        PASS(cell_maybe(cell_get_metric(s->cell[i], "ce", &ce)));
        PASS(learning_read(&settled, &error, s->cell[i]));
        learning_add(out, ce, settled, error);
    }
    return OK;
}

int compare(struct comparison **out, const struct compare_side *a,
            const struct compare_side *b, const char *const *names,
            const struct metric *const *metrics, int families)
{
    struct arena *memory = arena_new();
    OWNED(compare_close) struct comparison *c = arena_zero(memory, sizeof *c);
    OWNED(close_work) struct work w = {.out = c, .metrics = metrics,
                                   .families = (size_t)families};

    *out = NULL;
    c->memory = memory;
    while (names[w.names])
        w.names++;
    c->row = arena_zero(memory, (w.names + 1) * sizeof *c->row);
    w.test = calloc(w.names + 1, sizeof *w.test);
    PASS(open_side(&w.side[A], a, memory));
    PASS(open_side(&w.side[B], b, memory));
    PASS(check_same(&w, "provenance", "data_digest", "their training, "
                    "validation or test data differ"));
    PASS(read_examples(&w));
    for (size_t i = 0; i < w.names; i++)
        PASS(compare_metric(&w, names[i]));
    if (!c->rows)
        return err_set(ERR_EMPTY, "%s and %s have no metric in common",
                       a->name, b->name);
    decide(&w);
    PASS(learn(&c->a, &w.side[A]));
    PASS(learn(&c->b, &w.side[B]));
    c->unsettled = learning_unsettled(&c->a, &c->b);
    return MOVE_OUT(out, c);
}

const char *compare_verdict(const struct comparison *c,
                            const struct compare_row *r)
{
    return c->unsettled && r->verdict.sign
               ? "not converged" : verdict_word(&r->verdict, r->better);
}

void compare_close(struct comparison *c)
{
    if (c)
        arena_free(c->memory);
}
