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

struct side {
    const struct compare_side *is;
    struct cell_reader       **cell;  /* [is->cells]                     */
    double                    *value; /* [is->cells] of the metric asked */
    struct tested            examples; /* of the cell, not by_seed     */
};

/* Typical values of a row's difference (stats/verdict.h); n = 0: none. */
struct typical { double *t; size_t n; struct seeds_test seeds; };

struct work {
    struct comparison          *out;
    struct side                 side[SIDES];
    const struct metric *const *metrics;
    struct typical             *typical; /* [rows] */
};

/* ---- what the cells say of a metric ---- */

/* All cells of a text attribute say what the first one says. */
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
                               "(%s, and %s in cell %s)",
                               w->side[A].is->name, w->side[B].is->name,
                               complaint, first, text, w->side[s].is->id[i]);
            if (!first) {
                first = text;
                text = NULL;
            }
        }
    return OK;
}

/* Values of a metric of every cell; 1, or 0: no cell has it. */
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
                       "%d cells have no metric %s", w->side[A].is->name,
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

static int resample(struct typical *t, struct work *w, struct compare_row *r,
                    const struct outcomes *const o[SIDES])
{
    OWNED(free) double *x = malloc(2 * BOOTSTRAP_RESAMPLES * sizeof *x);
    double *const value[SIDES] = {x, x + BOOTSTRAP_RESAMPLES};

    for (int s = 0; s < SIDES; s++)
        PASS(outcomes_check(o[s], w->side[s].is->id[0], r->metric,
                            w->side[s].value[0]));
    PASS(outcomes_resample(value, o, SIDES));
    t->n = BOOTSTRAP_RESAMPLES;
    t->t = malloc(t->n * sizeof *t->t);
    outcomes_differences(t->t, value[A], value[B]);
    if (*o[A]->stratum[0].name && o[A]->strata == 1)
        r->test = "paired bootstrap over the subtask's test examples";
    else
        r->test = arena_format(w->out->memory, "paired bootstrap over %zu test "
                               "examples%s", w->side[A].examples.n,
                               o[A]->strata > 1 ? ", each subtask by itself"
                                               : "");
    return OK;
}

static int compare_examples(struct typical *t, struct work *w,
                            struct compare_row *r)
{
    const struct side *a = &w->side[A], *b = &w->side[B];
    OWNED(outcomes_close) struct outcomes x = {.strata = 0}, y = x;

    r->test = "no scores of single examples are stored";
    if (a->examples.n != b->examples.n)
        return err_set(ERR_STORE, "%s has %zu test examples, %s has %zu",
                       a->is->name, a->examples.n, b->is->name, b->examples.n);
    PASS(outcomes_open(&x, &a->examples, r->metric, w->metrics));
    PASS(outcomes_open(&y, &b->examples, r->metric, w->metrics));
    return x.strata && y.strata
               ? resample(t, w, r, (const struct outcomes *[]){&x, &y})
               : OK;
}

/* ---- seeds ---- */

static void describe(const struct work *w, struct compare_seeds *s)
{
    const double *a = w->side[A].value, *b = w->side[B].value;
    size_t na = (size_t)w->side[A].is->cells;
    size_t nb = (size_t)w->side[B].is->cells;

    *s = (struct compare_seeds){
        .sd_a = stats_sd(a, na), .sd_b = stats_sd(b, nb),
        .iqm_a = stats_interquartile_mean(a, na),
        .iqm_b = stats_interquartile_mean(b, nb),
        .a12 = stats_a12(a, na, b, nb),
        .hedges_g = stats_hedges_g(a, na, b, nb),
        .cliff_delta = stats_cliff_delta(a, na, b, nb)};
}

static void compare_seeds(struct typical *t, struct work *w,
                          struct compare_row *r)
{
    struct seeds side[SIDES];
    struct seeds_test *s = &t->seeds;

    for (int i = 0; i < SIDES; i++)
        side[i] = (struct seeds){(size_t)w->side[i].is->cells,
                                 w->side[i].is->seed, w->side[i].value};
    seeds_open(s, &side[A], &side[B]);
    t->t = s->t;
    t->n = s->n;
    r->a = s->a;
    r->b = s->b;
    if (s->paired)
        r->test = arena_format(w->out->memory, "permutation of signs over %zu "
                               "seed%s that both have", s->na,
                               s->na == 1 ? "" : "s");
    else
        r->test = arena_format(w->out->memory, "permutation of %zu against %zu "
                               "seeds, none in common", s->na, s->nb);
    describe(w, &r->seeds);
}

/* ---- all of it ---- */

/* 1, or 0: no cell has it. */
static int compare_metric(struct work *w, const char *metric)
{
    static const struct compare_seeds unknown = {NAN, NAN, NAN, NAN,
                                                 NAN, NAN, NAN};
    struct compare_row *r = &w->out->row[w->out->rows];
    struct typical *t = &w->typical[w->out->rows];
    int rc = read_values(w, metric);

    if (rc <= 0)
        return rc;
    *r = (struct compare_row){.metric = metric, .verdict = verdict_unknown,
                              .seeds = unknown, .floor = NAN,
                              .a = w->side[A].value[0],
                              .b = w->side[B].value[0]};
    PASS(read_better(w, r));
    if (w->side[A].is->by_seed)
        compare_seeds(t, w, r);
    else
        PASS(compare_examples(t, w, r));
    r->difference = r->a - r->b;
    w->out->rows++;
    return OK;
}

/* The row that decides row i; i itself where there is no other. */
static int decider(const struct work *w, int i)
{
    const struct comparison *c = w->out;
    const char *test = measure_test(c->row[i].metric);

    for (int k = 0; k < c->rows; k++)
        if (k != i && !strcmp(c->row[k].metric, test) && w->typical[k].n)
            return k;
    return i;
}

/* Those that share a verdict are one test of the family. */
static void decide(struct work *w)
{
    struct comparison *c = w->out;
    size_t m = 0;

    for (int i = 0; i < c->rows; i++)
        m += decider(w, i) == i && w->typical[i].n;
    c->tests = (int)m;
    c->level = 1 - STATS_LEVEL / (double)(m ? m : 1);
    for (int i = 0; i < c->rows; i++) {
        struct compare_row *r = &c->row[i];
        struct typical *own = &w->typical[i];
        int by = decider(w, i);
        struct typical *t = &w->typical[by];

        if (!t->n)
            continue;
        r->verdict = verdict_of(t->t, t->n, m);
        r->floor = verdict_floor(t->n, m);
        if (t->seeds.n)
            r->more = seeds_more(&t->seeds, m);
        if (by == i)
            continue;
        r->as = c->row[by].metric;
        r->verdict = verdict_shared(&r->verdict, own->t, own->n, m);
    }
}

static int open_side(struct side *s, const struct compare_side *is,
                     struct arena *a)
{
    size_t n = (size_t)is->cells;

    REQUIRE(is->cells > 0, "%s: no cells", is->name);
    *s = (struct side){.is = is, .cell = arena_zero(a, n * sizeof *s->cell),
                       .value = arena_zero(a, n * sizeof *s->value)};
    for (int i = 0; i < is->cells; i++)
        PASS(cell_open(&s->cell[i], is->store, is->id[i]));
    return OK;
}

static void close_side(struct side *s)
{
    for (int i = 0; s->cell && i < s->is->cells; i++)
        cell_close(s->cell[i]);
    examples_close(&s->examples);
}

static void close_work(struct work *w)
{
    close_side(&w->side[A]);
    close_side(&w->side[B]);
    for (int i = 0; w->typical && i < w->out->rows; i++)
        free(w->typical[i].t);
    free(w->typical);
}
OWNER_OF_VALUE(close_work, struct work)

static int fill(struct work *w, const char *const *names)
{
    size_t n = 0;

    while (names[n])
        n++;
    w->out->row = arena_zero(w->out->memory, (n + 1) * sizeof *w->out->row);
    w->typical = calloc(n + 1, sizeof *w->typical);
    PASS(check_same(w, "provenance", "data_digest", "they were tested on "
                    "different data"));
    for (int s = 0; s < SIDES; s++)
        if (!w->side[s].is->by_seed)
            PASS(examples_read(&w->side[s].examples, w->side[s].cell[0],
                               w->side[s].is->id[0]));
    for (size_t i = 0; i < n; i++)
        PASS(compare_metric(w, names[i]));
    if (!w->out->rows)
        return err_set(ERR_EMPTY, "%s and %s have no metric in common",
                       w->side[A].is->name, w->side[B].is->name);
    decide(w);
    return OK;
}

int compare(struct comparison **out, const struct compare_side *a,
            const struct compare_side *b, const char *const *names,
            const struct metric *const *metrics)
{
    struct arena *memory = arena_new();
    OWNED(compare_close) struct comparison *c = arena_zero(memory, sizeof *c);
    OWNED(close_work) struct work w = {.out = c, .metrics = metrics};

    *out = NULL;
    c->memory = memory;
    PASS(open_side(&w.side[A], a, memory));
    PASS(open_side(&w.side[B], b, memory));
    PASS(fill(&w, names));
    return HAND_ON(out, c);
}

void compare_close(struct comparison *c)
{
    if (c)
        arena_free(c->memory);
}
