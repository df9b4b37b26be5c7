#include "harness/report/evidence.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/report/outcomes.h"
#include "harness/report/seeds.h"
#include "harness/stats/bootstrap.h"
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

struct stored { const char *metric; double value; };

struct seed { /* a cell, and its n metrics */
    const char    *id;
    long long      seed;
    size_t         n;
    struct stored *metric;
};

struct system {
    const char     *name;
    int             seeds;
    struct seed    *seed;     /* [seeds]; a reference has one, empty */
    int             reference;
    struct tested examples; /* of the first seed                   */
};

/* A metric in every resample, of each system: NULL where it is not told. */
struct resampled { const char *metric; double *value, **in; };

struct evidence {
    struct arena  *memory;
    const struct report        *report;
    const struct metric *const *metrics;
    size_t         n;        /* examples                                   */
    const char    *digest;   /* of the data, and the cell that told it     */
    const char    *first;
    const char    *source;
    int            subset;
    int            systems;
    struct system *system;
    int            known, room;
    struct resampled *resampled;
};

/* ---- reading ---- */

static struct system *find_system(const struct evidence *e, const char *name)
{
    for (int i = 0; i < e->systems; i++)
        if (!strcmp(e->system[i].name, name))
            return &e->system[i];
    return NULL;
}

static struct system *add_system(struct evidence *e, const char *name)
{
    struct system *s = &e->system[e->systems++];

    *s = (struct system){.name = name};
    s->seed = arena_zero(e->memory, ((size_t)e->report->n + 1) *
                                        sizeof *s->seed);
    return s;
}

static int check_data(struct evidence *e, struct cell_reader *cell,
                      const char *id, size_t n)
{
    OWNED(free) char *digest = NULL;
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
                     "and cannot stand in one table: give them the same "
                     "settings of data, or, where the text is another since, "
                     "train them again with `synthbench run --force`",
                     e->first, id);
    }
    return rc;
}

static int read_source(struct evidence *e, struct cell_reader *cell)
{
    OWNED(free) char *source = NULL;
    long long subset = 0; /* of older cells, which had none */

    PASS(cell_get_text(cell, "provenance", "data_source", &source));
    e->source = arena_text(e->memory, source);
    int rc = cell_get_int(cell, "provenance", "subset", &subset);
    e->subset = subset != 0;
    return rc == ERR_EMPTY ? OK : rc;
}

/* The references of a task are the same in each of its cells; what they score
 * on each example. */
static struct tested *add_reference(struct evidence *e, int which)
{
    struct system *s = add_system(e, evidence_references[which].name);

    s->reference = s->seeds = 1;
    s->examples.n = e->n;
    return &s->examples;
}

static double *copy_of(const double *x, size_t n)
{
    double *copy = malloc((n + 1) * sizeof *copy);

    if (!x) {
        free(copy);
        return NULL;
    }
    memcpy(copy, x, n * sizeof *copy);
    return copy;
}

/* x: of the first cell, from which references take what they need. */
static int add_unigram(struct evidence *e, struct cell_reader *cell,
                       const struct tested *x)
{
    double *nll;
    size_t n;
    int rc = cell_get_array(cell, "examples/test/unigram_nll", &nll, &n);

    if (rc < 0)
        return rc == ERR_EMPTY ? OK : rc;
    if (n == e->n) {
        struct tested *own = add_reference(e, UNIGRAM);

        own->sum[MEASURE_NLL] = nll;
        own->sum[MEASURE_TOKENS] = copy_of(x->sum[MEASURE_TOKENS], n);
        own->sum[MEASURE_WORDS] = copy_of(x->sum[MEASURE_WORDS], n);
    } else {
        free(nll);
    }
    return OK;
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
    if (n == e->n) {
        struct tested *own = add_reference(e, MAJORITY);
        double best = most_frequent(label, n);
        double *ones = copy_of(label, n);

        for (size_t i = 0; i < n; i++) {
            ones[i] = 1;
            label[i] = label[i] == best;
        }
        own->sum[MEASURE_HITS] = label;
        own->sum[MEASURE_TOKENS] = ones;
    } else {
        free(label);
    }
    return OK;
}

static int add_floor(struct evidence *e, struct cell_reader *cell,
                     const struct tested *x)
{
    double least; /* nats a token */
    int rc = cell_get_real(cell, "provenance", "entropy_floor_nats", &least);

    if (rc < 0 || !x->sum[MEASURE_TOKENS])
        return rc == ERR_EMPTY ? OK : rc;
    struct tested *own = add_reference(e, FLOOR);
    own->sum[MEASURE_TOKENS] = copy_of(x->sum[MEASURE_TOKENS], e->n);
    own->sum[MEASURE_WORDS] = copy_of(x->sum[MEASURE_WORDS], e->n);
    own->sum[MEASURE_NLL] = copy_of(x->sum[MEASURE_TOKENS], e->n);
    for (size_t i = 0; i < e->n; i++)
        own->sum[MEASURE_NLL][i] *= least;
    return OK;
}

static int read_metrics(struct evidence *e, struct seed *s,
                        struct cell_reader *cell)
{
    const char **name;
    size_t n;
    int rc = cell_get_names(cell, "metrics", &name, &n);

    if (rc < 0)
        return rc == ERR_EMPTY ? OK : rc;
    s->metric = arena_zero(e->memory, (n + 1) * sizeof *s->metric);
    for (size_t i = 0; i < n; i++) {
        double x;

        rc = cell_get_metric(cell, name[i], &x);
        if (rc == ERR_EMPTY)
            continue;
        PASS(rc);
        s->metric[s->n++] = (struct stored){arena_text(e->memory, name[i]), x};
    }
    return OK;
}

static int add_cell(struct evidence *e, const struct report_cell *c)
{
    struct cell_reader *cell = NULL;
    struct tested x = {.n = 0};
    int rc = OK;

    TRY(cell_open(&cell, e->report->store, c->id));
    TRY(examples_read(&x, cell, c->id));
    TRY(check_data(e, cell, c->id, x.n));
    if (e->systems == 0) {
        TRY(read_source(e, cell));
        TRY(add_unigram(e, cell, &x));
        TRY(add_majority(e, cell));
        TRY(add_floor(e, cell, &x));
    }
    struct system *s = find_system(e, c->variant);
    if (!s)
        s = add_system(e, c->variant);
    struct seed *seed = &s->seed[s->seeds++];
    *seed = (struct seed){.id = c->id, .seed = c->seed};
    TRY(read_metrics(e, seed, cell));
    if (s->seeds == 1) {
        s->examples = x;
        x = (struct tested){.n = 0};
    }
out:
    examples_close(&x);
    cell_close(cell);
    return rc == ERR_EMPTY ? err_wrap(ERR_STORE, "a cell that is done") : rc;
}

int evidence_open(struct evidence **out, const struct report *r,
                  const char *task, const struct metric *const *metrics)
{
    struct arena *memory = arena_new();
    OWNED(evidence_close) struct evidence *e = arena_zero(memory, sizeof *e);

    *out = NULL;
    *e = (struct evidence){.memory = memory, .report = r, .metrics = metrics};
    e->system = arena_zero(memory, ((size_t)r->n + REFERENCES) *
                                       sizeof *e->system);
    for (int i = 0; i < r->n; i++)
        if (!strcmp(r->cell[i].task, task) && r->cell[i].state == CELL_DONE)
            PASS(add_cell(e, &r->cell[i]));
    if (e->systems == 0)
        return err_set(ERR_EMPTY, "%s: no cell of task %s is done", r->store,
                       task);
    *out = e;
    e = NULL;
    return OK;
}

void evidence_close(struct evidence *e)
{
    if (!e)
        return;
    for (int i = 0; i < e->systems; i++)
        examples_close(&e->system[i].examples);
    arena_free(e->memory);
}

const char *evidence_source(const struct evidence *e) { return e->source; }
int evidence_subset(const struct evidence *e) { return e->subset; }

int evidence_examples(const struct evidence *e) { return (int)e->n; }

/* ---- resampling ---- */

/* NAN: the cell has no such metric. */
static double stored_value(const struct seed *s, const char *metric)
{
    for (size_t i = 0; i < s->n; i++)
        if (!strcmp(s->metric[i].metric, metric))
            return s->metric[i].value;
    return NAN;
}

/* Takes the metric of every system with one seed apart; *of [i] is the system
 * of outcome i, *n how many. */
static int take_apart(struct outcomes *o, int *of, int *n, struct evidence *e,
                      const char *metric)
{
    for (int i = 0; i < e->systems; i++) {
        struct system *s = &e->system[i];
        double stored = stored_value(&s->seed[0], metric);

        if (s->seeds != 1 || (!s->reference && isnan(stored)))
            continue;
        PASS(outcomes_open(&o[*n], &s->examples, metric, e->metrics));
        if (!o[*n].strata)
            continue;
        of[(*n)++] = i;
        if (!s->reference)
            PASS(outcomes_check(&o[*n - 1], s->seed[0].id, metric, stored));
    }
    return OK;
}

static int resample(struct resampled *out, struct evidence *e,
                    const char *metric)
{
    size_t systems = (size_t)e->systems + 1;
    OWNED(free) struct outcomes *o = calloc(systems, sizeof *o);
    OWNED(free) const struct outcomes **each = calloc(systems, sizeof *each);
    OWNED(free) double **value = calloc(systems, sizeof *value);
    OWNED(free) int *of = calloc(systems, sizeof *of);
    int n = 0, rc;

    *out = (struct resampled){
        arena_text(e->memory, metric),
        arena_zero(e->memory, systems * sizeof *out->value),
        arena_zero(e->memory, systems * sizeof *out->in)};
    TRY(take_apart(o, of, &n, e, metric));
    for (int i = 0; i < n; i++) {
        each[i] = &o[i];
        value[i] = arena_take(e->memory, BOOTSTRAP_RESAMPLES * sizeof(double));
        out->value[of[i]] = outcomes_value(&o[i]);
        out->in[of[i]] = value[i];
    }
    if (n)
        TRY(outcomes_resample(value, each, n));
out:
    for (int i = 0; i < n; i++)
        outcomes_close(&o[i]);
    return rc;
}

/* Made when it is asked for first. */
static int resampled_of(const struct resampled **out, struct evidence *e,
                        const char *metric)
{
    for (int i = 0; i < e->known; i++)
        if (!strcmp(e->resampled[i].metric, metric)) {
            *out = &e->resampled[i];
            return OK;
        }
    if (e->known == e->room) {
        struct resampled *more;

        e->room = 2 * e->room + 16;
        more = arena_zero(e->memory, (size_t)e->room * sizeof *more);
        for (int i = 0; i < e->known; i++)
            more[i] = e->resampled[i];
        e->resampled = more;
    }
    PASS(resample(&e->resampled[e->known], e, metric));
    *out = &e->resampled[e->known++];
    return OK;
}

/* ---- estimates ---- */

static int all_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return 0;
    return 1;
}

int evidence_of(struct estimate *out, struct evidence *e, const char *system,
                const char *metric)
{
    const struct system *s = find_system(e, system);
    const struct resampled *all;
    OWNED(free) double *x = NULL;

    *out = (struct estimate){NAN, {NAN, NAN}};
    if (!s || s->seeds != 1)
        return OK;
    PASS(resampled_of(&all, e, metric));
    if (!all->in[s - e->system])
        return OK;
    out->value = all->value[s - e->system];
    x = copy_of(all->in[s - e->system], BOOTSTRAP_RESAMPLES);
    if (all_finite(x, BOOTSTRAP_RESAMPLES))
        out->between = stats_percentiles(x, BOOTSTRAP_RESAMPLES);
    return OK;
}

/* ---- contrasts ---- */

static int of_examples(double **t, size_t *n, struct contrast *c,
                       struct evidence *e, const struct system *a,
                       const struct system *b, const char *metric)
{
    const struct resampled *all;
    size_t i = (size_t)(a - e->system), j = (size_t)(b - e->system);

    PASS(resampled_of(&all, e, metric));
    if (!all->in[i] || !all->in[j])
        return OK;
    c->difference = all->value[i] - all->value[j];
    *n = BOOTSTRAP_RESAMPLES;
    *t = malloc(*n * sizeof **t);
    outcomes_differences(*t, all->in[i], all->in[j]);
    return OK;
}

/* What a system scored with each of its seeds; a reference scores the same with
 * those of the other. */
static int seeds_of(struct seeds *out, struct evidence *e,
                    const struct system *s, const struct system *other,
                    const char *metric)
{
    const struct system *of = s->reference ? other : s;
    size_t bytes = ((size_t)of->seeds + 1) * sizeof(double);
    long long *seed = arena_take(e->memory, bytes);
    double *value = arena_take(e->memory, bytes), same = NAN;
    const struct resampled *all;

    if (s->reference) {
        PASS(resampled_of(&all, e, metric));
        if (all->in[s - e->system])
            same = all->value[s - e->system];
    }
    for (int i = 0; i < of->seeds; i++) {
        seed[i] = of->seed[i].seed;
        value[i] = s->reference ? same : stored_value(&of->seed[i], metric);
    }
    *out = (struct seeds){(size_t)of->seeds, seed, value};
    return OK;
}

static int of_seeds(double **t, size_t *n, struct contrast *c,
                    struct evidence *e, const struct system *a,
                    const struct system *b, const char *metric, size_t m)
{
    struct seeds x, y;
    struct seeds_test s;

    PASS(seeds_of(&x, e, a, b, metric));
    PASS(seeds_of(&y, e, b, a, metric));
    seeds_open(&s, &x, &y);
    *c = (struct contrast){.difference = s.a - s.b, .verdict = verdict_unknown,
                           .seeds = s.na < s.nb ? s.na : s.nb,
                           .more = seeds_more(&s, m)};
    *t = s.t;
    *n = s.n;
    return OK;
}

/* Typical values of the difference; *n = 0: nothing tells. */
static int typical_of(double **t, size_t *n, struct contrast *c,
                      struct evidence *e, const struct system *a,
                      const struct system *b, const char *metric, size_t m)
{
    *t = NULL;
    *n = 0;
    return a->seeds == 1 && b->seeds == 1
               ? of_examples(t, n, c, e, a, b, metric)
               : of_seeds(t, n, c, e, a, b, metric, m);
}

int evidence_contrast(struct contrast *out, struct evidence *e, const char *a,
                      const char *b, const char *metric, size_t m)
{
    const struct system *x = find_system(e, a), *y = find_system(e, b);
    struct contrast of_test = {.difference = NAN};
    OWNED(free) double *own = NULL, *t = NULL;
    size_t n = 0, tests = 0;

    *out = (struct contrast){.difference = NAN, .verdict = verdict_unknown};
    if (!x || !y)
        return OK;
    PASS(typical_of(&own, &n, out, e, x, y, metric, m));
    if (strcmp(measure_test(metric), metric))
        PASS(typical_of(&t, &tests, &of_test, e, x, y, measure_test(metric),
                        m));
    if (tests) {
        struct verdict v = verdict_of(t, tests, m);
        out->verdict = verdict_shared(&v, own, n, m);
    } else {
        out->verdict = verdict_of(own, n, m);
    }
    return OK;
}
