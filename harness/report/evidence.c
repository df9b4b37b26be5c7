#include "harness/report/evidence.h"

#include "harness/base/arena.h"
#include "harness/base/array.h"
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
                 "sees no input: frequencies of the training targets", 0},
    [MAJORITY] = {"majority", "Majority class",
                  "sees no input: the most frequent label of the test set", 0},
    [FLOOR] = {"floor", "Entropy floor",
               "the least that any model can reach, known of generated text",
               1},
    [REFERENCES] = {0},
};

struct stored { const char *metric; double value; };

struct seed { /* a cell, and its n metrics */
    const char    *id;
    long long      seed;
    size_t         n;
    struct stored *metric;
    struct tested  examples;
    double         settled, error; /* report/learning.h */
};

struct system {
    const char  *name;
    int          seeds;
    struct seed *seed;     /* [seeds]; a reference has one, of examples alone */
    int          reference;
};

/* What the examples tell of a metric, of each system; NULL where they do not.
 * Of references, and of systems with one seed: its value, and it in every
 * resample.  Of references, and of each seed where a system has several: how
 * each of the `units` moves it (outcomes_moves). */
struct told {
    const char *metric;
    double     *value, **in; /* [systems]             */
    double   ***moves;       /* [systems][seeds]      */
    size_t      units;
};

struct evidence {
    struct arena  *memory;
    const struct report        *report;
    const struct metric *const *metrics;
    struct evidence_data data;
    const char    *digest;   /* of the data, and the cell that told it     */
    const char    *first;
    int            systems;
    struct system *system;
    int            several;  /* 1: a system has several seeds              */
    int            known;
    size_t         room;
    struct told   *told;     /* valid till the next is asked for           */
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

    PASS(cell_get_text(cell, "provenance", "data_digest", &digest));
    if (n == 0)
        return err_set(ERR_STORE, "cell %s was tested on no example", id);
    if (!e->digest) {
        e->digest = arena_text(e->memory, digest);
        e->first = id;
        e->data.examples = n;
    }
    if (strcmp(e->digest, digest) || e->data.examples != n)
        return err_set(ERR_STORE, "cells %s and %s were tested on different "
                       "data and cannot stand in one table: give them the same "
                       "settings of data, or, where the text is another since, "
                       "train them again with `synthbench run --force`",
                       e->first, id);
    return OK;
}

static int read_source(struct evidence *e, struct cell_reader *cell)
{
    OWNED(free) char *source = NULL;
    long long subset = 0; /* of older cells, which had none */

    PASS(cell_get_text(cell, "provenance", "data_source", &source));
    e->data.source = arena_text(e->memory, source);
    PASS(cell_maybe(cell_get_int(cell, "provenance", "subset", &subset)));
    e->data.subset = subset != 0;
    return OK;
}

/* The references of a task are the same in each of its cells: they take what
 * they need of the examples x of the first, and have the rest in e->memory. */
static void add_reference(struct evidence *e, int which, struct tested examples)
{
    struct system *s = add_system(e, evidence_references[which].name);

    s->reference = s->seeds = 1;
    s->seed->examples = examples;
}

static double *array(struct evidence *e)
{
    return arena_take(e->memory, (e->data.examples + 1) * sizeof(double));
}

static int add_unigram(struct evidence *e, struct cell_reader *cell,
                       const struct tested *x)
{
    OWNED(free) double *nll = NULL;
    double *own = array(e);
    size_t n;

    PASS(cell_maybe(cell_get_array(cell, "examples/test/unigram_nll", &nll,
                                   &n)));
    if (!nll)
        return OK;
    memcpy(own, nll, n * sizeof *own);
    add_reference(e, UNIGRAM, (struct tested){
        .n = n, .sum = {[MEASURE_NLL] = own,
                        [MEASURE_TOKENS] = x->sum[MEASURE_TOKENS],
                        [MEASURE_WORDS] = x->sum[MEASURE_WORDS]}});
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
    OWNED(free) double *label = NULL;
    double *hits = array(e), *ones = array(e);
    size_t n;

    PASS(cell_maybe(cell_get_array(cell, "examples/test/label", &label, &n)));
    if (!label)
        return OK;
    double best = most_frequent(label, n);
    for (size_t i = 0; i < n; i++) {
        ones[i] = 1;
        hits[i] = label[i] == best;
    }
    add_reference(e, MAJORITY, (struct tested){
        .n = n, .sum = {[MEASURE_HITS] = hits, [MEASURE_TOKENS] = ones}});
    return OK;
}

static int add_floor(struct evidence *e, struct cell_reader *cell,
                     const struct tested *x)
{
    double *tokens = x->sum[MEASURE_TOKENS], *nll = array(e), least = NAN;
    size_t n = e->data.examples;

    PASS(cell_maybe(cell_get_real(cell, "provenance", "entropy_floor_nats",
                                  &least))); /* nats a token */
    if (isnan(least) || !tokens)
        return OK;
    for (size_t i = 0; i < n; i++)
        nll[i] = tokens[i] * least;
    add_reference(e, FLOOR, (struct tested){
        .n = n, .sum = {[MEASURE_NLL] = nll, [MEASURE_TOKENS] = tokens,
                           [MEASURE_WORDS] = x->sum[MEASURE_WORDS]}});
    return OK;
}

static int read_metrics(struct evidence *e, struct seed *s,
                        struct cell_reader *cell)
{
    const char **name;

    PASS(cell_maybe(cell_get_names(cell, "metrics", &name, &s->n)));
    s->metric = arena_zero(e->memory, (s->n + 1) * sizeof *s->metric);
    for (size_t i = 0; i < s->n; i++) {
        s->metric[i].metric = arena_text(e->memory, name[i]);
        PASS(cell_get_metric(cell, name[i], &s->metric[i].value));
    }
    return OK;
}

static int read_cell(struct evidence *e, const struct report_cell *c)
{
    OWNED(cell_close) struct cell_reader *cell = NULL;
    OWNED(examples_close) struct tested x = {.n = 0};

    PASS(cell_open(&cell, e->report->store, c->id));
    PASS(examples_read(&x, cell, c->id));
    PASS(check_data(e, cell, c->id, x.n));
    struct system *s = find_system(e, c->variant);
    if (!s && e->systems == 0) {
        PASS(read_source(e, cell));
        PASS(add_unigram(e, cell, &x));
        PASS(add_majority(e, cell));
        PASS(add_floor(e, cell, &x));
    }
    if (!s)
        s = add_system(e, c->variant);
    struct seed *seed = &s->seed[s->seeds++];
    *seed = (struct seed){.id = c->id, .seed = c->seed, .examples = x};
    x = (struct tested){.n = 0};
    e->several |= s->seeds > 1;
    PASS(learning_read(&seed->settled, &seed->error, cell));
    return read_metrics(e, seed, cell);
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
    for (int i = 0; i < r->n; i++) {
        if (strcmp(r->cell[i].task, task) || r->cell[i].state != CELL_DONE)
            continue;
        int rc = read_cell(e, &r->cell[i]);
        PASS(rc == ERR_EMPTY ? err_wrap(ERR_STORE, "a cell that is done") : rc);
    }
    if (e->systems == 0)
        return err_set(ERR_EMPTY, "%s: no cell of task %s is done", r->store,
                       task);
    return HAND_ON(out, e);
}

void evidence_close(struct evidence *e)
{
    if (!e)
        return;
    for (int i = 0; i < e->systems; i++)
        for (int k = 0; !e->system[i].reference && k < e->system[i].seeds; k++)
            examples_close(&e->system[i].seed[k].examples);
    free(e->told);
    arena_free(e->memory);
}

const struct evidence_data *evidence_data(const struct evidence *e)
{
    return &e->data;
}

/* ---- what the examples tell ---- */

/* NAN: the cell has no such metric. */
static double stored_value(const struct seed *s, const char *metric)
{
    for (size_t i = 0; i < s->n; i++)
        if (!strcmp(s->metric[i].metric, metric))
            return s->metric[i].value;
    return NAN;
}

/* Takes the metric of a seed apart; no strata: they do not tell it.  It is open
 * in any case. */
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

/* Into o, all of one seed that are told, *n of them; of [i]: their systems. */
static int take_all(struct outcomes *o, int *of, int *n,
                    const struct evidence *e, const char *metric)
{
    for (int i = 0; i < e->systems; i++) {
        const struct system *s = &e->system[i];

        if (s->seeds != 1)
            continue;
        int rc = take_apart(&o[*n], e, s, s->seed, metric);
        of[*n] = i;
        *n += o[*n].strata > 0;
        PASS(rc);
    }
    return OK;
}

/* In every resample; `o` has room for an outcome each. */
static int resample_each(struct told *out, struct evidence *e,
                         struct outcomes *o, int *n)
{
    size_t systems = (size_t)e->systems + 1;
    OWNED(free) const struct outcomes **each = calloc(systems, sizeof *each);
    OWNED(free) double **value = calloc(systems, sizeof *value);
    OWNED(free) int *of = calloc(systems, sizeof *of);

    PASS(take_all(o, of, n, e, out->metric));
    for (int i = 0; i < *n; i++) {
        each[i] = &o[i];
        value[i] = arena_take(e->memory, BOOTSTRAP_RESAMPLES * sizeof(double));
        out->value[of[i]] = outcomes_value(&o[i]);
        out->in[of[i]] = value[i];
    }
    return *n ? outcomes_resample(value, each, *n) : OK;
}

static int resample(struct told *out, struct evidence *e)
{
    OWNED(free) struct outcomes *o = calloc((size_t)e->systems + 1, sizeof *o);
    int n = 0;

    int rc = resample_each(out, e, o, &n);
    for (int i = 0; i < n; i++)
        outcomes_close(&o[i]);
    return rc;
}

static int move_seed(double **moves, struct told *out, struct evidence *e,
                     const struct system *s, const struct seed *seed)
{
    OWNED(outcomes_close) struct outcomes o = {.strata = 0};
    size_t n;

    PASS(take_apart(&o, e, s, seed, out->metric));
    if (!o.strata)
        return OK;
    *moves = outcomes_moves(&n, &o, e->memory);
    if (n == 0)
        *moves = NULL;
    else if (out->units == 0)
        out->units = n;
    else if (out->units != n)
        return err_set(ERR_STORE, "cell %s: %zu units of %s, where others of "
                       "the same test set have %zu", seed->id, n, out->metric,
                       out->units);
    return OK;
}

static int move_all(struct told *out, struct evidence *e)
{
    for (int i = 0; i < e->systems; i++) {
        const struct system *s = &e->system[i];

        out->moves[i] = arena_zero(e->memory, ((size_t)s->seeds + 1) *
                                                  sizeof **out->moves);
        for (int k = 0; k < s->seeds && (s->seeds > 1 || s->reference); k++)
            PASS(move_seed(&out->moves[i][k], out, e, s, &s->seed[k]));
    }
    return OK;
}

static int tell(struct told *out, struct evidence *e, const char *metric)
{
    size_t systems = (size_t)e->systems + 1;

    *out = (struct told){
        .metric = arena_text(e->memory, metric),
        .value = arena_zero(e->memory, systems * sizeof *out->value),
        .in = arena_zero(e->memory, systems * sizeof *out->in),
        .moves = arena_zero(e->memory, systems * sizeof *out->moves)};
    PASS(resample(out, e));
    return e->several ? move_all(out, e) : OK;
}

/* Made when it is asked for first. */
static int told_of(const struct told **out, struct evidence *e,
                   const char *metric)
{
    for (int i = 0; i < e->known; i++)
        if (!strcmp(e->told[i].metric, metric)) {
            *out = &e->told[i];
            return OK;
        }
    ARRAY_ROOM(e->told, e->known, e->room);
    PASS(tell(&e->told[e->known], e, metric));
    *out = &e->told[e->known++];
    return OK;
}

/* What a system scored with each of its seeds; a reference scores the same with
 * those of the other.  Units only where every score has its moves. */
static int seeds_of(struct seeds *out, struct evidence *e,
                    const struct system *s, const struct system *other,
                    const char *metric)
{
    const struct system *of = s->reference ? other : s;
    size_t n = (size_t)of->seeds + 1;
    long long *seed = arena_take(e->memory, n * sizeof *seed);
    double *value = arena_take(e->memory, n * sizeof *value);
    const double **moves = arena_zero(e->memory, n * sizeof *moves);
    size_t at = (size_t)(s - e->system);
    const struct told *told;

    PASS(told_of(&told, e, metric));
    *out = (struct seeds){(size_t)of->seeds, seed, value, told->units, moves};
    for (int i = 0; i < of->seeds; i++) {
        seed[i] = of->seed[i].seed;
        value[i] = !s->reference  ? stored_value(&of->seed[i], metric)
                   : told->in[at] ? told->value[at]
                                  : NAN;
        if (told->units)
            moves[i] = told->moves[at][s->reference ? 0 : i];
        if (!moves[i] && !isnan(value[i]))
            out->units = 0;
    }
    return OK;
}

/* ---- estimates ---- */

static int of_one(struct estimate *out, struct evidence *e,
                  const struct system *s, const char *metric)
{
    enum { R = BOOTSTRAP_RESAMPLES };
    const struct told *told;
    int finite = 1;

    PASS(told_of(&told, e, metric));
    const double *in = told->in[s - e->system];
    if (!in)
        return OK;
    out->value = told->value[s - e->system];
    OWNED(free) double *x = malloc(R * sizeof *x); /* they are sorted */
    for (int i = 0; i < R; i++)
        finite &= isfinite(x[i] = in[i]) != 0;
    if (finite)
        out->between = stats_percentiles(x, R);
    return OK;
}

static int of_several(struct estimate *out, struct evidence *e,
                      const struct system *s, const char *metric)
{
    struct seeds x;

    PASS(seeds_of(&x, e, s, s, metric));
    if (!x.units)
        return OK;
    struct crossed mean = seeds_mean(&x);
    if (mean.parts)
        *out = (struct estimate){mean.mean, crossed_interval(&mean)};
    return OK;
}

int evidence_of(struct estimate *out, struct evidence *e, const char *system,
                const char *metric)
{
    const struct system *s = find_system(e, system);

    *out = (struct estimate){NAN, {NAN, NAN}};
    return s ? (s->seeds == 1 ? of_one : of_several)(out, e, s, metric) : OK;
}

/* ---- learning ---- */

static int learning_of(struct learning *out, struct evidence *e,
                       const struct system *s)
{
    const struct told *told;

    *out = (struct learning){.cells = 0};
    for (int i = 0; i < s->seeds && !s->reference; i++)
        learning_add(out, stored_value(&s->seed[i], "ce"), s->seed[i].settled,
                     s->seed[i].error);
    if (!s->reference)
        return OK;
    PASS(told_of(&told, e, "ce"));
    if (told->in[s - e->system])
        learning_add(out, told->value[s - e->system], NAN, NAN);
    return OK;
}

int evidence_learning(struct learning *out, struct evidence *e,
                      const char *system)
{
    const struct system *s = find_system(e, system);

    *out = (struct learning){.cells = 0};
    return s ? learning_of(out, e, s) : OK;
}

/* ---- contrasts ---- */

/* a against b, one of m tests. */
struct question {
    struct evidence     *e;
    const struct system *a, *b;
    size_t               m;
};

static int of_examples(struct known *out, struct contrast *c,
                       const struct question *q, const char *metric)
{
    const struct told *told;
    size_t i = (size_t)(q->a - q->e->system);
    size_t j = (size_t)(q->b - q->e->system);

    PASS(told_of(&told, q->e, metric));
    if (!told->in[i] || !told->in[j])
        return OK;
    c->difference = told->value[i] - told->value[j];
    c->examples = q->e->data.examples;
    out->n = BOOTSTRAP_RESAMPLES;
    out->t = malloc(out->n * sizeof *out->t);
    outcomes_differences(out->t, told->in[i], told->in[j]);
    return OK;
}

static int of_seeds(struct known *out, struct contrast *c,
                    const struct question *q, const char *metric)
{
    struct seeds x, y;
    struct seeds_test s;

    PASS(seeds_of(&x, q->e, q->a, q->b, metric));
    PASS(seeds_of(&y, q->e, q->b, q->a, metric));
    seeds_open(&s, &x, &y);
    *c = (struct contrast){.difference = s.a - s.b, .verdict = verdict_unknown,
                           .seeds = s.na < s.nb ? s.na : s.nb,
                           .examples = s.crossed ? q->e->data.examples : 0,
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

static int settle(struct contrast *out, const struct question *q)
{
    struct learning a, b;

    PASS(learning_of(&a, q->e, q->a));
    PASS(learning_of(&b, q->e, q->b));
    out->unsettled = learning_unsettled(&a, &b);
    return OK;
}

int evidence_contrast(struct contrast *out, struct evidence *e, const char *a,
                      const char *b, const char *metric, size_t m)
{
    struct question q = {e, find_system(e, a), find_system(e, b), m};
    const char *test = measure_test(metric);
    struct contrast of_test = {.difference = NAN};
    OWNED(known_close) struct known own = {.n = 0}, decides = own;

    *out = (struct contrast){.difference = NAN, .verdict = verdict_unknown};
    if (!q.a || !q.b)
        return OK;
    PASS(known_of(&own, out, &q, metric));
    if (strcmp(test, metric))
        PASS(known_of(&decides, &of_test, &q, test));
    int shared = known_values(&decides) > 0;
    out->verdict = verdict_of(shared ? &decides : &own, m);
    if (shared)
        out->verdict = verdict_shared(&out->verdict, &own, m);
    return settle(out, &q);
}
