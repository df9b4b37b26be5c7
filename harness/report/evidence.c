#include "harness/report/evidence.h"

#include "harness/base/arena.h"
#include "harness/base/bootstrap.h"
#include "harness/base/err.h"
#include "harness/report/measure.h"
#include "harness/store/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNIGRAM, MAJORITY, FLOOR, REFERENCES };

const struct evidence_reference evidence_references[] = {
    [UNIGRAM] = {"unigram", "Unigram model",
                 "sees no input: frequencies of the training targets"},
    [MAJORITY] = {"majority", "Majority class",
                  "sees no input: the most frequent label of the test set"},
    [FLOOR] = {"floor", "Entropy floor",
               "the least that any model can reach, known of generated text"},
    [REFERENCES] = {0},
};

enum { SEED = 1 }; /* of the resamples */

struct system { const char *name; int seeds; double *x[MEASURE_SUMS]; };

struct evidence {
    struct arena  *memory;
    size_t         n;        /* examples                                   */
    const char    *digest;   /* of the data, and the cell that told it     */
    const char    *first;
    const char    *source;
    int            subset;
    int            systems;
    struct system *system;
    double        *sums;     /* (BOOTSTRAP_RESAMPLES, columns)             */
};

/* ---- reading ---- */

static int system_index(const struct evidence *e, const char *name)
{
    for (int i = 0; i < e->systems; i++)
        if (!strcmp(e->system[i].name, name))
            return i;
    return -1;
}

static struct system *add_system(struct evidence *e, const char *name)
{
    struct system *s = &e->system[e->systems++];

    s->name = name;
    for (int k = 0; k < MEASURE_SUMS; k++)
        s->x[k] = arena_zero(e->memory, e->n * sizeof(double));
    return s;
}

static int check_data(struct evidence *e, struct cell_reader *cell,
                      const char *id, size_t n)
{
    char *digest;
    int rc = cell_get_text(cell, "provenance", "data_digest", &digest);

    if (rc < 0)
        return rc;
    if (n == 0) {
        rc = err_set(ERR_STORE, "cell %s was tested on no example", id);
    } else if (!e->digest) {
        e->digest = arena_text(e->memory, digest);
        e->first = id;
        e->n = n;
    } else if (strcmp(e->digest, digest) || e->n != n) {
        rc = err_set(ERR_STORE, "cells %s and %s were tested on different data "
                     "and cannot stand in one table: remove the file of the "
                     "older one, and `synthbench run` trains it again",
                     e->first, id);
    }
    free(digest);
    return rc;
}

static int read_source(struct evidence *e, struct cell_reader *cell)
{
    char *source = NULL;
    long long subset = 0; /* of older cells, which had none */
    int rc;

    TRY(cell_get_text(cell, "provenance", "data_source", &source));
    e->source = arena_text(e->memory, source);
    rc = cell_get_int(cell, "provenance", "subset", &subset);
    e->subset = subset != 0;
    if (rc == ERR_EMPTY)
        rc = OK;
out:
    free(source);
    return rc;
}

/* One array of a cell, added to the system; without it the sum is unknown. */
static int add_array(struct evidence *e, struct system *s, enum measure_sum k,
                     struct cell_reader *cell)
{
    double *x;
    size_t n;
    int rc = cell_get_array(cell, measure_path(k), &x, &n);

    if (rc < 0 && rc != ERR_EMPTY)
        return rc;
    for (size_t i = 0; i < e->n; i++)
        s->x[k][i] += rc == OK && i < n ? x[i] : NAN;
    free(x);
    return OK;
}

/* The references of a task are the same in each of its cells. */
static struct system *add_reference(struct evidence *e, int which)
{
    struct system *s = add_system(e, evidence_references[which].name);

    s->seeds = 1;
    return s;
}

static int add_unigram(struct evidence *e, struct cell_reader *cell)
{
    double *x;
    size_t n;
    int rc = cell_get_array(cell, "examples/test/unigram_nll", &x, &n);

    if (rc < 0)
        return rc == ERR_EMPTY ? OK : rc;
    struct system *s = add_reference(e, UNIGRAM);
    TRY(add_array(e, s, MEASURE_TOKENS, cell));
    TRY(add_array(e, s, MEASURE_WORDS, cell));
    for (size_t i = 0; i < e->n; i++) {
        s->x[MEASURE_NLL][i] = i < n ? x[i] : NAN;
        s->x[MEASURE_HITS][i] = NAN;
    }
out:
    free(x);
    return rc;
}

static double most_frequent(const double *label, size_t n)
{
    double best = 0;
    size_t most = 0;

    for (size_t i = 0; i < n; i++) {
        size_t same = 0;

        for (size_t j = 0; j < n; j++)
            same += label[j] == label[i];
        if (same > most) {
            most = same;
            best = label[i];
        }
    }
    return best;
}

static int add_majority(struct evidence *e, struct cell_reader *cell)
{
    double *label;
    size_t n;
    int rc = cell_get_array(cell, "examples/test/label", &label, &n);

    if (rc < 0)
        return rc == ERR_EMPTY ? OK : rc;
    struct system *s = add_reference(e, MAJORITY);
    double best = most_frequent(label, n);
    for (size_t i = 0; i < e->n; i++) {
        s->x[MEASURE_NLL][i] = s->x[MEASURE_WORDS][i] = NAN;
        s->x[MEASURE_TOKENS][i] = 1;
        s->x[MEASURE_HITS][i] = i < n && label[i] == best;
    }
    free(label);
    return OK;
}

static int add_floor(struct evidence *e, struct cell_reader *cell)
{
    double least; /* nats a token */
    int rc = cell_get_real(cell, "provenance", "entropy_floor_nats", &least);

    if (rc < 0)
        return rc == ERR_EMPTY ? OK : rc;
    struct system *s = add_reference(e, FLOOR);
    TRY(add_array(e, s, MEASURE_TOKENS, cell));
    TRY(add_array(e, s, MEASURE_WORDS, cell));
    for (size_t i = 0; i < e->n; i++) {
        s->x[MEASURE_NLL][i] = least * s->x[MEASURE_TOKENS][i];
        s->x[MEASURE_HITS][i] = NAN;
    }
out:
    return rc;
}

static int add_cell(struct evidence *e, const struct report *r,
                    const struct report_cell *c)
{
    struct cell_reader *cell = NULL;
    double *nll = NULL;
    size_t n;
    int rc = OK;

    TRY(cell_open(&cell, r->store, c->id));
    TRY(cell_get_array(cell, measure_path(MEASURE_NLL), &nll, &n));
    TRY(check_data(e, cell, c->id, n));
    if (e->systems == 0) {
        TRY(read_source(e, cell));
        TRY(add_unigram(e, cell));
        TRY(add_majority(e, cell));
        TRY(add_floor(e, cell));
    }
    int i = system_index(e, c->variant);
    struct system *s = i < 0 ? add_system(e, c->variant) : &e->system[i];
    s->seeds++;
    for (int k = 0; k < MEASURE_SUMS; k++)
        TRY(add_array(e, s, (enum measure_sum)k, cell));
out:
    free(nll);
    cell_close(cell);
    return rc == ERR_EMPTY ? err_wrap(ERR_STORE, "a cell that is done") : rc;
}

/* ---- resampling ---- */

static void resample(struct evidence *e)
{
    size_t columns = (size_t)e->systems * MEASURE_SUMS;
    double *x = arena_take(e->memory, e->n * columns * sizeof *x);

    for (int s = 0; s < e->systems; s++)
        for (int k = 0; k < MEASURE_SUMS; k++) {
            double *of = e->system[s].x[k];

            for (size_t i = 0; i < e->n; i++) {
                of[i] /= e->system[s].seeds;
                x[i * columns + (size_t)(s * MEASURE_SUMS + k)] = of[i];
            }
        }
    e->sums = arena_take(e->memory,
                         BOOTSTRAP_RESAMPLES * columns * sizeof *e->sums);
    bootstrap_sums(e->sums, x, e->n, columns, SEED);
}

int evidence_open(struct evidence **out, const struct report *r,
                  const char *task)
{
    struct arena *memory = arena_new();
    struct evidence *e = arena_zero(memory, sizeof *e);
    int rc = OK;

    *out = NULL;
    e->memory = memory;
    e->system = arena_zero(memory, ((size_t)r->n + REFERENCES) *
                                       sizeof *e->system);
    for (int i = 0; i < r->n; i++)
        if (!strcmp(r->cell[i].task, task) && r->cell[i].state == CELL_DONE)
            TRY(add_cell(e, r, &r->cell[i]));
    if (e->systems == 0)
        TRY(err_set(ERR_EMPTY, "%s: no cell of task %s is done", r->store,
                    task));
    resample(e);
    *out = e;
out:
    if (rc < 0)
        arena_free(memory);
    return rc;
}

void evidence_close(struct evidence *e)
{
    if (e)
        arena_free(e->memory);
}

const char *evidence_source(const struct evidence *e) { return e->source; }
int evidence_subset(const struct evidence *e) { return e->subset; }

int evidence_examples(const struct evidence *e) { return (int)e->n; }

/* ---- estimates ---- */

static double sum_of(const double *x, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

/* Of system s: r < 0 over the examples, else over resample r. */
static double compute(const struct evidence *e, int s, const struct measure *m,
                      int r)
{
    const struct system *y = &e->system[s];

    if (r < 0)
        return m->of(sum_of(y->x[m->over], e->n) /
                     sum_of(y->x[m->under], e->n));
    const double *sums = e->sums + ((size_t)r * (size_t)e->systems +
                                    (size_t)s) * MEASURE_SUMS;
    return m->of(sums[m->over] / sums[m->under]);
}

/* Of a, or of a less b where b is not negative. */
static struct estimate estimate(const struct evidence *e, int a, int b,
                                const struct measure *m)
{
    struct estimate out = {NAN, {NAN, NAN}};

    if (a < 0 || !m)
        return out;
    out.value = compute(e, a, m, -1) - (b < 0 ? 0 : compute(e, b, m, -1));
    if (isnan(out.value))
        return out;
    double *x = malloc(BOOTSTRAP_RESAMPLES * sizeof *x);
    REQUIRE(x, "out of memory");
    for (int r = 0; r < BOOTSTRAP_RESAMPLES; r++)
        x[r] = compute(e, a, m, r) - (b < 0 ? 0 : compute(e, b, m, r));
    out.between = stats_percentiles(x, BOOTSTRAP_RESAMPLES);
    free(x);
    return out;
}

struct estimate evidence_of(const struct evidence *e, const char *system,
                            const char *metric)
{
    return estimate(e, system_index(e, system), -1, measure_of(metric));
}

struct estimate evidence_difference(const struct evidence *e, const char *a,
                                    const char *b)
{
    int i = system_index(e, a), j = system_index(e, b);

    return estimate(e, j < 0 ? -1 : i, j, measure_of("ce"));
}
