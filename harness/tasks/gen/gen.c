#include "harness/tasks/gen/gen.h"

#include "harness/base/err.h"
#include "harness/base/rng.h"
#include "harness/tasks/span.h"

#include <math.h>
#include <stdio.h>

enum {
    SEED = 1,
    LENGTH_MIN = 4,
    LENGTH_MAX = 1 << 20, /* a candidate's share of the counter */
    VOCAB_MIN = 8,
    PATIENCE = 100000, /* candidates refused in a row */
    SITE_CHAIN = 16,
    SITE_POSITIONS = 32
};

const int gen_examples[SPLITS] = {8192, 512, 512};
const double gen_weight[GEN_PERMS] = {0.60, 0.25, 0.10, 0.05};

struct gen {
    enum task_kind kind;
    const char *source;
    /* Sets pi or chain; returns the floor of the loss. */
    double (*prepare)(struct gen *g, struct arena *a);
    /* ids (length) of a candidate; its label, -1: not an example. */
    int (*draw)(const struct gen *g, int *ids, struct rng_key k, uint64_t at);
    void (*finish)(const struct gen *g, struct example *e, const int *ids,
                   struct arena *a);

    int length, symbols;
    int *pi;
    struct gen_chain chain;
    struct span_shape span;
    int vocab;
};

void gen_positions(int *pi, int n)
{
    rng_shuffle((struct rng_key){SEED, RNG_DATA, 0, SITE_POSITIONS}, n, pi);
}

void gen_chain(struct gen_chain *c, int symbols, struct arena *a)
{
    c->symbols = symbols;
    for (int k = 0; k < GEN_PERMS; k++) {
        struct rng_key key = {SEED, RNG_DATA, (uint32_t)k, SITE_CHAIN};
        int *next = arena_take(a, (size_t)symbols * sizeof *next);

        rng_shuffle(key, symbols, next);
        c->next[k] = next;
    }
}

int gen_step(const struct gen_chain *c, int from, double u)
{
    int k = 0;

    while (k < GEN_PERMS - 1 && u >= gen_weight[k])
        u -= gen_weight[k++];
    return c->next[k][from];
}

/* Permutations that lead to the same symbol add their weights. */
double gen_chance(const struct gen_chain *c, int i, int j)
{
    double p = 0;

    for (int l = 0; l < GEN_PERMS; l++)
        if (c->next[l][i] == j)
            p += gen_weight[l];
    return p;
}

double gen_entropy(const struct gen_chain *c)
{
    double h = 0;

    for (int i = 0; i < c->symbols; i++)
        for (int k = 0; k < GEN_PERMS; k++)
            h -= gen_weight[k] * log(gen_chance(c, i, c->next[k][i]));
    return h / c->symbols;
}

static double prepare_chain(struct gen *g, struct arena *a)
{
    double lag = g->length < GEN_LAG ? g->length : GEN_LAG;

    gen_chain(&g->chain, g->symbols, a);
    return (lag * log(g->symbols) +
            (g->length - lag) * gen_entropy(&g->chain)) /
           g->length;
}

static int draw_chain(const struct gen *g, int *ids, struct rng_key k,
                      uint64_t at)
{
    for (int t = 0; t < g->length; t++, at++)
        ids[t] = ID_FIRST + (t < GEN_LAG
                                 ? (int)rng_below(k, at, (uint32_t)g->symbols)
                                 : gen_step(&g->chain,
                                            ids[t - GEN_LAG] - ID_FIRST,
                                            rng_uniform(k, at)));
    return 0;
}

static void finish_chain(const struct gen *g, struct example *e, const int *ids,
                         struct arena *a)
{
    (void)a;
    *e = (struct example){
        .target = ids, .ntarget = g->length, .words = g->length};
}

/* What is drawn is the text before its holes. */
static double prepare_spans(struct gen *g, struct arena *a)
{
    g->span = span_shape(g->length);
    g->length = g->span.text;
    g->vocab = ID_FIRST + g->symbols;
    g->symbols -= g->span.spans;
    gen_chain(&g->chain, g->symbols, a);
    return NAN;
}

static void finish_spans(const struct gen *g, struct example *e, const int *ids,
                         struct arena *a)
{
    *e = (struct example){.source = NULL};
    span_corrupt(e, ids, &g->span, g->vocab, a);
}

static double prepare_permutation(struct gen *g, struct arena *a)
{
    g->pi = arena_take(a, (size_t)g->length * sizeof *g->pi);
    gen_positions(g->pi, g->length - 1);
    return 0;
}

static int draw_symbols(const struct gen *g, int *ids, struct rng_key k,
                        uint64_t at)
{
    for (int t = 0; t < g->length - 1; t++, at++)
        ids[t] = ID_FIRST + (int)rng_below(k, at, (uint32_t)g->symbols);
    ids[g->length - 1] = ID_EOS;
    return 0;
}

static void finish_permutation(const struct gen *g, struct example *e,
                               const int *ids, struct arena *a)
{
    int n = g->length, *target = arena_take(a, (size_t)n * sizeof *target);

    for (int t = 0; t < n - 1; t++)
        target[t] = ids[g->pi[t]];
    target[n - 1] = ID_EOS;
    *e = (struct example){.source = ids,
                          .target = target,
                          .nsource = n,
                          .ntarget = n,
                          .words = n};
}

/* As many symbols of each class. */
static double prepare_majority(struct gen *g, struct arena *a)
{
    (void)a;
    g->symbols -= g->symbols % GEN_CLASSES;
    return 0;
}

int gen_leader(const int *ids, int n)
{
    int count[GEN_CLASSES] = {0}, first = 0, second = 0;

    for (int t = 0; t < n; t++)
        count[(ids[t] - ID_FIRST) % GEN_CLASSES]++;
    for (int c = 1; c < GEN_CLASSES; c++)
        first = count[c] > count[first] ? c : first;
    for (int c = 0; c < GEN_CLASSES; c++)
        if (c != first && count[c] > second)
            second = count[c];
    return count[first] - second >= GEN_MARGIN ? first : -1;
}

static int draw_majority(const struct gen *g, int *ids, struct rng_key k,
                         uint64_t at)
{
    draw_symbols(g, ids, k, at);
    return gen_leader(ids, g->length - 1);
}

static void finish_majority(const struct gen *g, struct example *e,
                            const int *ids, struct arena *a)
{
    (void)a;
    *e = (struct example){.source = ids, .nsource = g->length};
}

enum split gen_split(uint64_t hash)
{
    uint64_t part = hash % 8;

    return part == 0 ? SPLIT_VALID : part == 1 ? SPLIT_TEST : SPLIT_TRAIN;
}

static int fill(struct dataset *d, const struct gen *g, enum split s, int n)
{
    struct examples *e = &d->split[s];
    struct rng_key key = {SEED, RNG_DATA, 0, (uint64_t)s};
    size_t bytes = (size_t)g->length * sizeof(int);
    int *ids = arena_take(d->memory, bytes);
    uint64_t candidate = 0, last = 0;

    e->row = arena_take(d->memory, (size_t)n * sizeof *e->row);
    while (e->n < n) {
        int label = g->draw(g, ids, key, candidate++ * LENGTH_MAX);

        if (candidate - last > PATIENCE)
            return err_set(ERR_USAGE,
                           "%s: length %d and vocab %d give too few "
                           "different examples",
                           d->source, g->length, d->vocab);
        if (label < 0 || gen_split(hash_fnv1a(ids, bytes)) != s)
            continue;
        struct example *row = &e->row[e->n++];
        g->finish(g, row, ids, d->memory);
        row->label = label;
        if (g->kind == TASK_TRANSDUCE)
            row->text = dataset_text(d, row->target, row->ntarget, d->memory);
        ids = arena_take(d->memory, bytes);
        last = candidate;
    }
    return OK;
}

int gen_check(const struct task_opts *o)
{
    if (o->length < LENGTH_MIN || o->length > o->N || o->length > LENGTH_MAX)
        return err_set(ERR_USAGE, "length %d is not in %d .. N (%d)", o->length,
                       LENGTH_MIN, o->N);
    if (o->vocab < VOCAB_MIN)
        return err_set(ERR_USAGE, "vocab %d is less than %d", o->vocab,
                       VOCAB_MIN);
    if (o->train < 0 || o->valid < 0 || o->test < 0)
        return err_set(ERR_USAGE, "a negative number of examples");
    return OK;
}

static int open_gen(struct dataset *d, struct gen g, const struct task_opts *o)
{
    const int asked[SPLITS] = {o->train, o->valid, o->test};
    int rc = OK;

    *d = (struct dataset){.kind = g.kind,
                          .vocab = o->vocab,
                          .N = o->N,
                          .synthetic = 1,
                          .memory = arena_new()};
    TRY(gen_check(o));
    snprintf(d->source, sizeof d->source, "generator: %s", g.source);
    d->classes = g.kind == TASK_CLASSIFY ? GEN_CLASSES : 0;
    g.length = o->length;
    g.symbols = o->vocab - ID_FIRST;
    d->floor = g.prepare(&g, d->memory);
    for (int s = 0; s < SPLITS; s++)
        TRY(fill(d, &g, (enum split)s, asked[s] ? asked[s] : gen_examples[s]));
    dataset_seal(d);
out:
    if (rc < 0)
        dataset_close(d);
    return rc;
}

int gen_permutation(struct dataset *out, const struct task_opts *o)
{
    struct gen g = {.kind = TASK_TRANSDUCE,
                    .source = "a fixed permutation of the positions",
                    .prepare = prepare_permutation,
                    .draw = draw_symbols,
                    .finish = finish_permutation};

    return open_gen(out, g, o);
}

int gen_markov(struct dataset *out, const struct task_opts *o)
{
    struct gen g = {.kind = TASK_LANGUAGE,
                    .source = "a Markov language of lag 3",
                    .prepare = prepare_chain,
                    .draw = draw_chain,
                    .finish = finish_chain};

    return open_gen(out, g, o);
}

int gen_majority(struct dataset *out, const struct task_opts *o)
{
    struct gen g = {.kind = TASK_CLASSIFY,
                    .source = "the majority class of a bag of symbols",
                    .prepare = prepare_majority,
                    .draw = draw_majority,
                    .finish = finish_majority};

    return open_gen(out, g, o);
}

int gen_spans(struct dataset *out, const struct task_opts *o)
{
    struct gen g = {.kind = TASK_DENOISE,
                    .source = "holes in a Markov language of lag 3",
                    .prepare = prepare_spans,
                    .draw = draw_chain,
                    .finish = finish_spans};
    int least = VOCAB_MIN + span_shape(o->length).spans;

    if (o->vocab < least) {
        *out = (struct dataset){.floor = NAN};
        return err_set(ERR_USAGE, "vocab %d is less than %d, which length %d "
                       "needs for its holes", o->vocab, least, o->length);
    }
    return open_gen(out, g, o);
}
