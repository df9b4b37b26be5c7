#include "harness/tasks/gen/law.h"

#include "harness/base/err.h"
#include "harness/base/rng.h"
#include "harness/tasks/gen/gen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SEED = 6, DRAWS = 1 << 20 /* random numbers reserved per example */,
       PATIENCE = 100000 /* maximum number of successive rejected draws */ };

struct draw { /* random numbers of an example; state of law_open */
    const struct task *task;
    const struct task_opts *o;
    struct dataset *d;
    void *self;
    struct drawn sample;
    struct rng_key key;
    uint64_t at;
};

const struct task_opts *draw_opts(const struct draw *d) { return d->o; }

const void *draw_self(const struct draw *d) { return d->self; }

int draw_index(const struct draw *d) { return (int)(d->at / DRAWS); }

int draw_below(struct draw *d, int n)
{
    return (int)rng_below(d->key, d->at++, (uint32_t)n);
}

double draw_uniform(struct draw *d) { return rng_uniform(d->key, d->at++); }

void draw_shuffle(struct draw *d, int *x, int n)
{
    for (int i = n - 1; i > 0; i--) {
        int j = draw_below(d, i + 1), keep = x[i];

        x[i] = x[j];
        x[j] = keep;
    }
}

static int check(const struct law *l, const struct task_opts *o)
{
    int vocab = l->vocab_of ? l->vocab_of(o->length) : l->vocab;

    if (o->length < l->length)
        return err_set(ERR_USAGE, "length %d is less than %d", o->length,
                       l->length);
    if (o->vocab < vocab)
        return err_set(ERR_USAGE, "vocab %d is less than the %d that length "
                       "%d needs", o->vocab, vocab, o->length);
    return OK;
}

static const int *keep(struct arena *a, const int *ids, int n)
{
    size_t bytes = (size_t)n * sizeof *ids;

    return n ? memcpy(arena_take(a, bytes), ids, bytes) : NULL;
}

static uint64_t hash_ids(const int *ids, int n)
{
    return hash_fnv1a(ids, (size_t)n * sizeof *ids);
}

static uint64_t hash_of(const struct law *l, const struct drawn *s)
{
    const uint64_t part[] = {hash_ids(s->source, s->nsource),
                             hash_ids(s->target, s->ntarget)};

    if (s->key)
        return hash_ids(s->key, s->nkey);
    return l->seed ? part[!s->nsource] : hash_fnv1a(part, sizeof part);
}

/* Adds the drawn example as row i. */
static void add_example(struct draw *g, struct examples *e, int i)
{
    const struct drawn *s = &g->sample;
    const struct law *law = g->task->law;
    struct arena *a = g->d->memory;
    struct example *r = &e->row[i];

    *r = (struct example){.source = keep(a, s->source, s->nsource),
                          .target = keep(a, s->target, s->ntarget),
                          .nsource = s->nsource, .ntarget = s->ntarget,
                          .prompt = s->prompt, .label = s->label,
                          .subtask = s->subtask, .group = s->group,
                          .words = s->no_words ? 0 : s->ntarget - s->prompt,
                          .text = s->text};
    if (g->d->kind == TASK_TRANSDUCE && !r->text)
        r->text = dataset_text(g->d, r->target, r->ntarget, a);
    if (e->own_nll)
        e->own_nll[i] = law->nll ? law->nll(g->self, r) : 0;
}

static int fill(struct draw *g, enum split s, int n)
{
    struct examples *e = &g->d->split[s];
    const struct law *l = g->task->law;
    struct drawn *x = &g->sample;
    int refused = 0, skip = s == SPLIT_TEST ? g->o->test_first : 0;

    g->key = (struct rng_key){l->seed, RNG_DATA, 0, (uint64_t)s};
    e->row = arena_take(g->d->memory, (size_t)n * sizeof *e->row);
    if (!l->seed) {
        g->key.seed = SEED;
        g->key.step = (uint32_t)hash_name(g->task->name);
        e->own_nll = arena_take(g->d->memory, (size_t)n * sizeof *e->own_nll);
    }
    for (uint64_t index = 0; e->n < n; index++) {
        g->at = index * DRAWS;
        *x = (struct drawn){.source = x->source, .target = x->target};
        l->draw(g, x);
        if (x->label >= 0 && gen_split(hash_of(l, x)) == s) {
            if (skip)
                skip--;
            else
                add_example(g, e, e->n++);
            refused = 0;
        } else if (++refused > PATIENCE) {
            return err_set(ERR_USAGE, "%s: this length and vocab allow too "
                           "few different examples", g->d->source);
        }
    }
    return OK;
}

/* Returns the loss of the law itself on the test set, in nats per label or
 * scored token. */
static double measured(const struct dataset *d)
{
    const struct examples *e = &d->split[SPLIT_TEST];
    double nll = 0, n = d->kind == TASK_CLASSIFY ? e->n : (double)e->tokens;

    for (int i = 0; i < e->n; i++)
        nll += e->own_nll[i];
    return nll / n;
}

int law_open(struct dataset *d, const struct task *t, const struct task_opts *o)
{
    const int asked[SPLITS] = {o->train, o->valid, o->test};
    struct draw g = {.task = t, .o = o, .d = d};
    int rc = OK;

    *d = (struct dataset){.kind = t->kind, .vocab = o->vocab, .N = o->N,
                          .synthetic = 1, .floor = t->law->nll ? NAN : 0,
                          .classes = t->law->classes, .memory = arena_new()};
    GOTO_IF_ERR(gen_check(o));
    GOTO_IF_ERR(check(t->law, o));
    snprintf(d->source, sizeof d->source, "generator: %s", t->generator);
    g.self = arena_zero(d->memory, t->law->size + 1);
    if (t->law->from)
        memcpy(g.self, t->law->from, t->law->size);
    if (t->law->begin)
        t->law->begin(g.self, d, o);
    size_t room = LAW_ROOM * (size_t)o->length * sizeof(int);
    g.sample.source = arena_take(d->memory, room);
    g.sample.target = arena_take(d->memory, room);
    for (int s = 0; s < SPLITS; s++)
        GOTO_IF_ERR(fill(&g, (enum split)s,
                         asked[s] ? asked[s] : gen_examples[s]));
    dataset_seal(d);
    if (isnan(d->floor) && !t->law->seed)
        d->floor = measured(d);
out:
    if (rc < 0)
        dataset_close(d);
    return rc < 0 && t->name ? err_wrap(rc, "%s", t->name) : rc;
}
