#include "harness/report/compare.h"

#include "harness/base/adjust.h"
#include "harness/base/arena.h"
#include "harness/base/bootstrap.h"
#include "harness/base/err.h"
#include "harness/base/paired.h"
#include "harness/base/str.h"
#include "harness/base/unpaired.h"
#include "harness/report/outcomes.h"
#include "harness/store/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 1 }; /* of the resamples */

enum { A, B, SIDES };

struct side {
    const struct compare_side *is;
    struct cell_reader       **cell;  /* [is->cells]                     */
    double                    *value; /* [is->cells] of the metric asked */
};

struct work {
    struct comparison         *out;
    struct side                side[SIDES];
    struct bootstrap          *bootstrap;
    const struct outcomes_text *text;
};

const char *compare_verdict(enum compare_verdict v)
{
    static const char *const word[] = {[COMPARE_UNDECIDED] = "undecided",
                                       [COMPARE_BETTER] = "better",
                                       [COMPARE_WORSE] = "worse"};
    return word[v];
}

static const char *note(struct work *w, char *text) /* frees it */
{
    const char *kept = arena_text(w->out->memory, text);

    free(text);
    return kept;
}

static void decide(struct compare_row *r)
{
    if (!(r->p < STATS_LEVEL) || r->difference == 0)
        r->verdict = COMPARE_UNDECIDED;
    else
        r->verdict = r->difference * r->better > 0 ? COMPARE_BETTER
                                                   : COMPARE_WORSE;
}

/* ---- what the cells say of a metric ---- */

/* All cells of a text attribute say what the first one says. */
static int check_same(struct work *w, const char *group, const char *name,
                      const char *complaint)
{
    char *first = NULL, *text = NULL;
    int rc = OK;

    for (int s = 0; s < SIDES; s++)
        for (int i = 0; i < w->side[s].is->cells; i++) {
            TRY(cell_get_text(w->side[s].cell[i], group, name, &text));
            if (first && strcmp(first, text))
                TRY(err_set(ERR_USAGE, "%s and %s cannot be compared: %s (%s, "
                            "and %s in cell %s)", w->side[A].is->name,
                            w->side[B].is->name, complaint, first, text,
                            w->side[s].is->id[i]));
            if (!first) {
                first = text;
                text = NULL;
            }
            free(text);
            text = NULL;
        }
out:
    free(first);
    free(text);
    return rc;
}

/* Values of a metric of every cell; 1, or 0: no cell has it. */
static int read_values(struct work *w, const char *metric)
{
    int have = 0, cells = 0, rc = OK;

    for (int s = 0; s < SIDES; s++)
        for (int i = 0; i < w->side[s].is->cells; i++, cells++) {
            rc = cell_get_metric(w->side[s].cell[i], metric,
                                 &w->side[s].value[i]);
            if (rc < 0 && rc != ERR_EMPTY)
                return rc;
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
    char *path = str_format("metrics/%s", r->metric);
    long long better;
    int rc;

    TRY(cell_get_int(w->side[A].cell[0], path, "better", &better));
    r->better = better < 0 ? -1 : 1;
    rc = check_same(w, path, "signature", "the metric was computed in "
                    "different ways");
out:
    free(path);
    return rc;
}

/* ---- examples ---- */

/* The stored value is what the examples give, or one of them is wrong. */
static int check_value(const struct side *s, const char *metric, double got)
{
    double want = s->value[0];

    if (got == want || (isnan(got) && isnan(want)) ||
        fabs(got - want) <= 1e-6 * fmax(fabs(got), fabs(want)))
        return OK;
    return err_set(ERR_STORE, "cell %s: %s is %.9g, and its examples give "
                   "%.9g: another version of synthbench wrote it; remove its "
                   "file, and `synthbench run` trains it again", s->is->id[0],
                   metric, want, got);
}

static int compare_examples(struct work *w, struct compare_row *r)
{
    struct outcomes x[SIDES] = {{.n = 0}};
    struct paired_score score;
    int rc = OK;

    r->test = "no scores of single examples are stored";
    for (int s = 0; s < SIDES; s++)
        TRY(outcomes_read(&x[s], w->side[s].cell[0], r->metric, w->text));
    if (!x[A].x || !x[B].x)
        goto out;
    if (x[A].n != x[B].n)
        TRY(err_set(ERR_STORE, "%s has %zu test examples, %s has %zu",
                    w->side[A].is->name, x[A].n, w->side[B].is->name, x[B].n));
    score = outcomes_score(&x[A]);
    struct paired p = paired_bootstrap(x[A].x, x[B].x, x[A].n, score, SEED);
    TRY(check_value(&w->side[A], r->metric, p.a));
    TRY(check_value(&w->side[B], r->metric, p.b));
    r->between = p.between;
    r->p = p.p;
    r->p_randomised = paired_randomisation(x[A].x, x[B].x, x[A].n, score,
                                           SEED);
    r->test = note(w, str_format("paired bootstrap over %zu test examples",
                                 x[A].n));
out:
    outcomes_close(&x[A]);
    outcomes_close(&x[B]);
    return rc;
}

/* ---- seeds ---- */

/* The differences of the seeds that both have, behind *a and *b their means. */
static size_t pair_up(const struct work *w, double *d, double *a, double *b)
{
    const struct side *x = &w->side[A], *y = &w->side[B];
    size_t n = 0;

    *a = *b = 0;
    for (int i = 0; i < x->is->cells; i++)
        for (int j = 0; j < y->is->cells; j++)
            if (x->is->seed[i] == y->is->seed[j]) {
                d[n++] = x->value[i] - y->value[j];
                *a += x->value[i];
                *b += y->value[j];
            }
    *a /= (double)n;
    *b /= (double)n;
    return n;
}

static void compare_unpaired(struct work *w, struct compare_row *r)
{
    const struct side *x = &w->side[A], *y = &w->side[B];
    size_t na = (size_t)x->is->cells, nb = (size_t)y->is->cells;

    r->a = stats_mean(x->value, na);
    r->b = stats_mean(y->value, nb);
    r->between = unpaired_interval(x->value, na, y->value, nb);
    r->p = unpaired_mann_whitney(x->value, na, y->value, nb).p;
    r->floor = unpaired_floor(na, nb);
    r->more = unpaired_more(na, nb);
    r->test = note(w, str_format("Mann-Whitney, %zu against %zu seeds, none in "
                                 "common; Welch's interval", na, nb));
}

static void describe(const struct work *w, struct compare_seeds *s)
{
    const double *a = w->side[A].value, *b = w->side[B].value;
    size_t na = (size_t)w->side[A].is->cells;
    size_t nb = (size_t)w->side[B].is->cells;

    *s = (struct compare_seeds){
        .sd_a = stats_sd(a, na), .sd_b = stats_sd(b, nb),
        .iqm_a = stats_interquartile_mean(a, na),
        .iqm_b = stats_interquartile_mean(b, nb),
        .a12 = unpaired_a12(a, na, b, nb),
        .hedges_g = unpaired_hedges_g(a, na, b, nb),
        .cliff_delta = unpaired_cliff_delta(a, na, b, nb)};
}

static void compare_seeds(struct work *w, struct compare_row *r)
{
    double *d = malloc(((size_t)w->side[A].is->cells + 1) * sizeof *d);
    const char *method;

    REQUIRE(d, "out of memory: %d seeds", w->side[A].is->cells);
    size_t n = pair_up(w, d, &r->a, &r->b);
    if (n == 0) {
        compare_unpaired(w, r);
    } else {
        r->between = bootstrap_interval(w->bootstrap, d, n, &method);
        r->p = paired_permutation(d, n, SEED);
        r->floor = paired_floor(n);
        r->more = paired_more(n);
        r->test = note(w, str_format("permutation over %zu seed%s that both "
                                     "have; interval: %s", n,
                                     n == 1 ? "" : "s", method));
    }
    r->difference = r->a - r->b;
    describe(w, &r->seeds);
    free(d);
}

/* ---- all of it ---- */

static int compare_metric(struct work *w, const char *metric)
{
    static const struct compare_seeds unknown = {NAN, NAN, NAN, NAN,
                                                 NAN, NAN, NAN};
    struct compare_row *r = &w->out->row[w->out->rows];
    int rc = read_values(w, metric);

    if (rc <= 0)
        return rc;
    *r = (struct compare_row){.metric = metric, .between = {NAN, NAN},
                              .p = NAN, .p_holm = NAN, .p_bh = NAN,
                              .p_randomised = NAN, .seeds = unknown,
                              .a = w->side[A].value[0],
                              .b = w->side[B].value[0]};
    r->difference = r->a - r->b;
    TRY(read_better(w, r));
    if (w->side[A].is->by_seed)
        compare_seeds(w, r);
    else
        TRY(compare_examples(w, r));
    decide(r);
    w->out->rows++;
out:
    return rc;
}

/* Over the metrics whose p is known. */
static void adjust(struct comparison *c)
{
    size_t n = 0, bytes = ((size_t)c->rows + 1) * sizeof(double);
    double *p = arena_take(c->memory, bytes);
    double *holm = arena_take(c->memory, bytes);
    double *bh = arena_take(c->memory, bytes);

    for (int i = 0; i < c->rows; i++)
        if (!isnan(c->row[i].p))
            p[n++] = c->row[i].p;
    adjust_holm(holm, p, n);
    adjust_benjamini_hochberg(bh, p, n);
    n = 0;
    for (int i = 0; i < c->rows; i++)
        if (!isnan(c->row[i].p)) {
            c->row[i].p_holm = holm[n];
            c->row[i].p_bh = bh[n++];
        }
}

static int open_side(struct side *s, const struct compare_side *is,
                     struct arena *a)
{
    size_t n = (size_t)is->cells;
    int rc = OK;

    REQUIRE(is->cells > 0, "%s: no cells", is->name);
    *s = (struct side){is, arena_zero(a, n * sizeof *s->cell),
                       arena_zero(a, n * sizeof *s->value)};
    for (int i = 0; i < is->cells; i++)
        TRY(cell_open(&s->cell[i], is->store, is->id[i]));
out:
    return rc;
}

static void close_side(struct side *s)
{
    for (int i = 0; s->cell && i < s->is->cells; i++)
        cell_close(s->cell[i]);
}

static int fill(struct work *w, const char *const *metrics)
{
    int n = 0, rc;

    while (metrics[n])
        n++;
    w->out->row = arena_zero(w->out->memory,
                             ((size_t)n + 1) * sizeof *w->out->row);
    TRY(check_same(w, "provenance", "data_digest", "they were tested on "
                   "different data"));
    for (int i = 0; i < n; i++)
        TRY(compare_metric(w, metrics[i]));
    if (!w->out->rows)
        rc = err_set(ERR_EMPTY, "%s and %s have no metric in common",
                     w->side[A].is->name, w->side[B].is->name);
    adjust(w->out);
out:
    return rc;
}

int compare(struct comparison **out, const struct compare_side *a,
            const struct compare_side *b, const char *const *metrics,
            const struct outcomes_text *text)
{
    struct arena *memory = arena_new();
    struct work w = {.out = arena_zero(memory, sizeof *w.out), .text = text,
                     .bootstrap = bootstrap_new(SEED)};
    int rc;

    *out = NULL;
    w.out->memory = memory;
    TRY(open_side(&w.side[A], a, memory));
    TRY(open_side(&w.side[B], b, memory));
    TRY(fill(&w, metrics));
    *out = w.out;
out:
    close_side(&w.side[A]);
    close_side(&w.side[B]);
    bootstrap_free(w.bootstrap);
    if (rc < 0)
        arena_free(memory);
    return rc;
}

void compare_close(struct comparison *c)
{
    if (c)
        arena_free(c->memory);
}
