/*
 * gen_markov: draws texts x_1 .. x_n of languages with known entropy, for three
 * tasks of the science suite and the smoke generators gen_markov and gen_spans.
 *
 *     gen_lag      x_t is drawn from P(x_{t-3}, .); the first 3 are uniform
 *     gen_bigram   x_t is drawn from P(x_{t-1}, .); the first is uniform
 *     gen_hmm      the hidden state z_t is drawn from A(z_{t-1}, .), and x_t
 *                  from B(z_t, .); z_1 is uniform
 *
 * P, its entropy h(P), A (gen_stay) and B (gen_emission) are those of gen.h.  P
 * is doubly stochastic, so the least possible loss with K symbols and lag L is
 *     d->floor = (L ln K + (n - L) h(P)) / n
 * Attention weights that depend only on positions suffice for lag 3; lag 1
 * needs no attention.  The floor of the hidden chain is computed on the test
 * set by the forward algorithm, with f_t(s) = p(z_t = s, x_t | x_1 .. x_{t-1}):
 *     -log p(x) = -sum_t log sum_s f_t(s),
 *     f_t(s) = B(s, x_t) sum_r f_{t-1}(r) A(r, s) / sum_r f_{t-1}(r)
 */
#include "harness/base/err.h"
#include "harness/base/rng.h"
#include "harness/tasks/gen/gen.h"
#include "harness/tasks/gen/law.h"
#include "harness/tasks/span.h"

#include <math.h>

/* ---- visible chains ---- */

struct markov { int length, lag; struct gen_chain chain; };

static void begin_markov(struct markov *me, struct dataset *d,
                         const struct task_opts *o, int lag)
{
    int n = o->length;

    me->length = n;
    me->lag = lag;
    gen_chain(&me->chain, o->vocab - ID_FIRST, d->memory);
    d->floor = (lag * log(me->chain.symbols) +
                (n - lag) * gen_entropy(&me->chain)) / n;
}

static void begin_lag(void *self, struct dataset *d, const struct task_opts *o)
{
    begin_markov(self, d, o, GEN_LAG);
}

static void begin_bigram(void *self, struct dataset *d,
                         const struct task_opts *o)
{
    begin_markov(self, d, o, 1);
}

static void draw_markov(struct draw *r, struct drawn *out)
{
    const struct markov *me = draw_self(r);
    int *x = out->target;

    for (int t = 0; t < me->length; t++)
        x[t] = ID_FIRST + (t < me->lag
                               ? draw_below(r, me->chain.symbols)
                               : gen_step(&me->chain, x[t - me->lag] - ID_FIRST,
                                          draw_uniform(r)));
    out->ntarget = me->length;
}

static double nll_markov(const void *self, const struct example *e)
{
    const struct markov *me = self;
    double nll = me->lag * log(me->chain.symbols);

    for (int t = me->lag; t < e->ntarget; t++)
        nll -= log(gen_chance(&me->chain, e->target[t - me->lag] - ID_FIRST,
                              e->target[t] - ID_FIRST));
    return nll;
}

/* ---- generators of the smoke scale: lag 3; with gaps ---- */

int gen_markov(struct dataset *out, const struct task_opts *o)
{
    static const struct law law = {
        .seed = GEN_SEED, .size = sizeof(struct markov), .begin = begin_lag,
        .draw = draw_markov};
    static const struct task task = {.kind = TASK_LANGUAGE, .law = &law,
                                     .generator = "a Markov language of lag 3"};

    return law_open(out, &task, o);
}

struct holes {
    struct markov text; /* must be first, because draw_markov reads it */
    struct span_shape shape;
    int vocab, *ids;
};

static void begin_holes(void *self, struct dataset *d,
                        const struct task_opts *o)
{
    struct holes *me = self;
    struct task_opts text = *o;

    me->shape = span_shape(o->length);
    me->vocab = o->vocab;
    me->ids = arena_take(d->memory, (size_t)me->shape.text * sizeof *me->ids);
    text.length = me->shape.text;
    text.vocab -= me->shape.spans;
    begin_lag(&me->text, d, &text);
    d->floor = NAN; /* unknown */
}

static void draw_holes(struct draw *r, struct drawn *out)
{
    const struct holes *me = draw_self(r);
    struct drawn text = {.target = me->ids};

    draw_markov(r, &text);
    span_corrupt(out->source, out->target, me->ids, &me->shape, me->vocab);
    out->nsource = me->shape.source;
    out->ntarget = me->shape.target;
    out->no_words = 1;
    out->key = me->ids;
    out->nkey = me->shape.text;
}

int gen_spans(struct dataset *out, const struct task_opts *o)
{
    static const struct law law = {
        .seed = GEN_SEED, .size = sizeof(struct holes), .begin = begin_holes,
        .draw = draw_holes};
    static const struct task task = {
        .kind = TASK_DENOISE, .law = &law,
        .generator = "holes in a Markov language of lag 3"};
    int least = GEN_VOCAB + span_shape(o->length).spans;

    *out = (struct dataset){.floor = NAN};
    if (o->vocab < least)
        return err_set(ERR_USAGE, "vocab %d is less than %d, which length %d "
                       "needs for its masked spans", o->vocab, least,
                       o->length);
    return law_open(out, &task, o);
}

/* ---- a hidden chain ---- */

enum { STATES = GEN_STATES, SITE_EMIT = 48, SEED = GEN_SEED };
const double gen_stay = 0.85;

struct hmm { int length, symbols; double *emit; /* (STATES,symbols) */ };

/* Sets a row of B: squares of drawn numbers 1 .. 8, divided by their sum. */
void gen_emission(double *row, int symbols, int state)
{
    struct rng_key key = {SEED, RNG_DATA, (uint32_t)state, SITE_EMIT};
    double sum = 0;

    for (int x = 0; x < symbols; x++) {
        double weight = 1 + (double)rng_below(key, (uint64_t)x, 8);

        sum += row[x] = weight * weight;
    }
    for (int x = 0; x < symbols; x++)
        row[x] /= sum;
}

static void begin_hmm(void *self, struct dataset *d, const struct task_opts *o)
{
    struct hmm *me = self;

    me->length = o->length;
    me->symbols = o->vocab - ID_FIRST;
    me->emit = arena_take(d->memory, STATES * (size_t)me->symbols *
                                         sizeof *me->emit);
    for (int s = 0; s < STATES; s++)
        gen_emission(me->emit + s * me->symbols, me->symbols, s);
}

static int pick(const double *p, int n, double u)
{
    int i = 0;

    while (i < n - 1 && u >= p[i])
        u -= p[i++];
    return i;
}

static void draw_hmm(struct draw *r, struct drawn *out)
{
    const struct hmm *me = draw_self(r);
    int z = draw_below(r, STATES);

    for (int t = 0; t < me->length; t++) {
        if (t > 0 && draw_uniform(r) >= gen_stay)
            z = (z + 1 + draw_below(r, STATES - 1)) % STATES;
        out->target[t] = ID_FIRST + pick(me->emit + z * me->symbols,
                                         me->symbols, draw_uniform(r));
    }
    out->ntarget = me->length;
}

static double nll_hmm(const void *self, const struct example *e)
{
    const struct hmm *me = self;
    double at[STATES], nll = 0; /* at[z] = p(z_t = z | x_1 .. x_{t-1}) */

    for (int s = 0; s < STATES; s++)
        at[s] = 1.0 / STATES;
    for (int t = 0; t < e->ntarget; t++) {
        double p = 0;

        for (int s = 0; s < STATES; s++)
            p += at[s] *= me->emit[s * me->symbols + e->target[t] - ID_FIRST];
        nll -= log(p);
        for (int s = 0; s < STATES; s++) {
            double now = at[s] / p; /* p(z_t | x_1 .. x_t) */

            at[s] = gen_stay * now + (1 - gen_stay) / (STATES - 1) * (1 - now);
        }
    }
    return nll;
}

/* ---- tasks ---- */

LAW(gen_lag, "Lag 3", "Markov chain of lag 3", "a Markov language of lag 3",
    LANGUAGE,
    .size = sizeof(struct markov), .length = GEN_LAG + 1, .vocab = ID_FIRST + 2,
    .begin = begin_lag, .draw = draw_markov, .nll = nll_markov,
    .reach = ROWS_OF_POSITIONS)

LAW(gen_bigram, "Bigrams", "Markov chain", "a Markov language of lag 1",
    LANGUAGE,
    .size = sizeof(struct markov), .length = 2, .vocab = ID_FIRST + 2,
    .begin = begin_bigram, .draw = draw_markov, .nll = nll_markov,
    .reach = ROWS_ANY)

LAW(gen_hmm, "Hidden chain", "hidden Markov model, Rabiner 1989",
    "what four hidden states of a chain emit", LANGUAGE,
    .size = sizeof(struct hmm), .begin = begin_hmm, .draw = draw_hmm,
    .nll = nll_hmm)
