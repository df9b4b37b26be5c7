#include "harness/cmd/table1.h"

#include "harness/nn/transformer.h"

#include <math.h>

/* One layer of the variant, its parameters dry. */
struct layer {
    struct model_config c;
    struct params       plan, ps;
    void               *self;
    struct tape        *tape;
    tensor             *x, *v; /* (1,N,d) (1,N,I); v NULL: it has no values */
};

static void declare(struct layer *l, const struct variant *v,
                    struct params *ps)
{
    l->self = arena_zero(ps->memory, v->size + 1);
    v->init(l->self, &l->c, ps);
}

static void layer_plan(struct layer *l, const struct model_config *c,
                       const struct variant *v)
{
    struct mix one = {1, {v}};

    l->c = model_resolve(c, &one);
    params_count(&l->plan);
    declare(l, v, &l->plan);
}

static void layer_open(struct layer *l, const struct model_config *c,
                       const struct variant *v)
{
    layer_plan(l, c, v);
    params_dry(&l->ps, &l->plan);
    declare(l, v, &l->ps);
    l->tape = tape_dry();
    tape_begin(l->tape, TAPE_EVAL, (struct rng_key){0}, 0, 0);
    l->x = tape_leaf(l->tape, 3, (int[]){1, c->N, c->d});
    l->v = v->traits & VARIANT_NO_VALUES
               ? NULL
               : tape_leaf(l->tape, 3, (int[]){1, c->N, config_inner(&l->c)});
}

static void layer_close(struct layer *l)
{
    params_close(&l->ps);
    params_close(&l->plan);
    tape_free(l->tape);
}

/* The bias of W_o is the variant's, who alone has it. */
static double params_of(const struct layer *l, const struct variant *v)
{
    int bias = v->traits & VARIANT_OUTPUT_BIAS ? l->c.d : 0;

    return (double)params_total(&l->plan, PARAM_LEARNED) + bias;
}

static struct layer_cost layer_cost(const struct model_config *c,
                                    const struct variant *v)
{
    struct window w = {.keys = c->N};
    struct layer_cost cost = {.scores = NAN};
    struct layer l;

    layer_open(&l, c, v);
    cost.params = params_of(&l, v);
    if (v->output) {
        v->output(l.self, l.tape, l.x, l.v, &w);
    } else {
        tensor *b = v->scores(l.self, l.tape, l.x, &w);

        cost.scores = l.tape->flops;
        ad_attend(l.tape, b, l.v,
                  (struct keys){.linear = v->traits & VARIANT_LINEAR});
    }
    cost.mixing = l.tape->flops - (v->output ? 0 : cost.scores);
    layer_close(&l);
    return cost;
}

/* ---- break-even ---- */

/* Learned parameters, without the cost of running the layer. */
static double params_only(const struct model_config *c,
                          const struct variant *v)
{
    struct layer l;

    layer_plan(&l, c, v);
    double n = params_of(&l, v);
    params_close(&l.plan);
    return n;
}

static double flops_only(const struct model_config *c,
                         const struct variant *v)
{
    struct layer_cost cost = layer_cost(c, v);

    return (isnan(cost.scores) ? 0 : cost.scores) + cost.mixing;
}

struct question {
    const struct model_config *c;
    const struct variant      *v, *dot;
    double (*measure)(const struct model_config *c, const struct variant *v);
};

static int is_cheaper(const struct question *q, int n)
{
    struct model_config c = *q->c;

    c.N = n;
    c.a = c.c = 0; /* as near sqrt(N) as divides */
    return q->measure(&c, q->v) < q->measure(&c, q->dot);
}

/* The first N at which the answer is another than at the shortest.  Does it
 * change at all?  Powers of two tell, and a prime, which no a c = N divides. */
static struct break_even search(const struct question *q)
{
    enum { SHORTEST = 2, LONGEST = 65536, PRIME = 65521 };
    int first = is_cheaper(q, SHORTEST), changes = 0, n = SHORTEST;

    for (int at = SHORTEST; at <= LONGEST && !changes; at *= 2)
        changes = is_cheaper(q, at) != first;
    if (!changes && is_cheaper(q, PRIME) == first)
        return (struct break_even){first ? CHEAPER_ALWAYS : CHEAPER_NEVER, 0};
    while (is_cheaper(q, n) == first)
        n++;
    return (struct break_even){first ? CHEAPER_BELOW : CHEAPER_FROM, n};
}

struct table1_row table1_row(const struct model_config *c,
                             const struct variant *v,
                             const struct variant *dot)
{
    return (struct table1_row){
        v, layer_cost(c, v), search(&(struct question){c, v, dot, params_only}),
        search(&(struct question){c, v, dot, flops_only})};
}
