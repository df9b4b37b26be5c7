/*
 * gen_infill: gaps of two symbols in a Markov text, in T5's form:
 *
 *     text    A b c D E f g H     x_t is drawn from P(x_{t-1}, .), the first is
 *                                 uniform (P: gen.h)
 *     source  A <0> D E <1> H eos
 *     target  <0> b c <1> f g eos
 *
 * Given the two symbols next to a gap, its content does not depend on anything
 * else:
 *
 *     p(b, c | A, D) = P(A,b) P(b,c) P(c,D) / P^3(A,D)
 *
 * where P^3 is a matrix power.  The sentinels of the target follow from the
 * source.  P is doubly stochastic and A uniform, so the expected loss of a gap,
 * in terms of the conditional entropy H, is
 *     H(b, c, D | A) - H(D | A) = 3 h(P) - h(P^3)  nats.
 */
#include "harness/tasks/gen/gen.h"
#include "harness/tasks/gen/law.h"

#include <math.h>

enum { HOLE = 2, PART = 8 /* ids of the source per gap, about */ };

struct infill {
    int    text, holes, vocab, *slot, *x;
    struct gen_chain chain;
    double *cubed; /* P^3 (symbols,symbols) */
};

static int holes_of(int length) { return length < PART ? 1 : length / PART; }

static int target_of(int length) { return (HOLE + 1) * holes_of(length) + 1; }

/* Sets `out` to the matrix product of `a` and `b`; all are (n,n). */
static void product(double *out, const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            out[i * n + j] = 0;
            for (int k = 0; k < n; k++)
                out[i * n + j] += a[i * n + k] * b[k * n + j];
        }
}

static void cube(struct infill *me, struct arena *a)
{
    int n = me->chain.symbols;
    size_t bytes = (size_t)(n * n) * sizeof(double);
    double *p = arena_take(a, bytes), *two = arena_take(a, bytes);

    me->cubed = arena_take(a, bytes);
    for (int i = 0; i < n * n; i++)
        p[i] = gen_chance(&me->chain, i / n, i % n);
    product(two, p, p, n);
    product(me->cubed, two, p, n);
}

static int vocab_of(int length) { return ID_FIRST + 4 + holes_of(length); }

static void begin(void *self, struct dataset *d, const struct task_opts *o)
{
    struct infill *me = self;
    int g = holes_of(o->length), seen = o->length - g - 1;
    double entropy = 0;

    *me = (struct infill){.text = seen + HOLE * g, .holes = g,
                          .vocab = o->vocab};
    me->slot = arena_take(d->memory, (size_t)seen * sizeof *me->slot);
    me->x = arena_take(d->memory, (size_t)me->text * sizeof *me->x);
    gen_chain(&me->chain, o->vocab - ID_FIRST - g, d->memory);
    cube(me, d->memory);
    int n = me->chain.symbols;
    for (int i = 0; i < n * n; i++)
        entropy -= me->cubed[i] > 0 ? me->cubed[i] * log(me->cubed[i]) / n : 0;
    d->floor = g * (3 * gen_entropy(&me->chain) - entropy) /
               target_of(o->length);
}

/* Draws slot[i]: 1 if a gap follows the i-th visible symbol. */
static void draw_slots(const struct infill *me, struct draw *r, int seen)
{
    for (int i = 0; i < seen; i++)
        me->slot[i] = i < me->holes;
    draw_shuffle(r, me->slot, seen - 1);
}

static void draw_example(struct draw *r, struct drawn *out)
{
    const struct infill *me = draw_self(r);
    int seen = me->text - HOLE * me->holes, hole = 0, *x = me->x;

    draw_slots(me, r, seen);
    x[0] = ID_FIRST + draw_below(r, me->chain.symbols);
    for (int t = 1; t < me->text; t++)
        x[t] = ID_FIRST + gen_step(&me->chain, x[t - 1] - ID_FIRST,
                                   draw_uniform(r));
    for (int i = 0; i < seen; i++) {
        out->source[out->nsource++] = *x++;
        if (!me->slot[i])
            continue;
        out->source[out->nsource++] = me->vocab - 1 - hole;
        out->target[out->ntarget++] = me->vocab - 1 - hole++;
        for (int k = 0; k < HOLE; k++)
            out->target[out->ntarget++] = *x++;
    }
    out->source[out->nsource++] = out->target[out->ntarget++] = ID_EOS;
}

static double nll(const void *self, const struct example *e)
{
    const struct infill *me = self;
    const struct gen_chain *c = &me->chain;
    const int *hole = e->target + 1;
    double sum = 0;

    for (int i = 0; i < e->nsource; i++) {
        if (e->source[i] < me->vocab - me->holes)
            continue;
        int left = e->source[i - 1] - ID_FIRST;
        int right = e->source[i + 1] - ID_FIRST;
        int b = hole[0] - ID_FIRST, k = hole[1] - ID_FIRST;

        sum -= log(gen_chance(c, left, b) * gen_chance(c, b, k) *
                   gen_chance(c, k, right) /
                   me->cubed[left * c->symbols + right]);
        hole += HOLE + 1;
    }
    return sum;
}

const struct task task_gen_infill = {
    .name = "gen_infill",
    .title = "Infilling",
    .cite = "span corruption, Raffel et al. 2020",
    .generator = "a Markov text with holes of two",
    .kind = TASK_DENOISE,
    .metrics = NAMES("ce", "token_accuracy"),
    .law = &(const struct law){
        .size = sizeof(struct infill), .length = 4, .vocab_of = vocab_of,
        .begin = begin, .draw = draw_example, .nll = nll},
    .target = target_of,
};
