#include "harness/nn/layer_cost.h"

#include "harness/nn/transformer.h"

#include <math.h>

/* One layer of a variant on backend_dry, which computes nothing. */
struct layer {
    struct model_config c;
    struct params       plan, ps;
    void               *self;
    struct tape        *tape;
    tensor             *x, *v; /* (1,N,d) (1,N,I); v NULL: no values */
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
    l->tape = tape_dry(PRECISION_FP32);
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

/* Returns the number of learned parameters.  The bias of W_o counts if the
 * variant requires it. */
static double params_of(const struct layer *l, const struct variant *v)
{
    int bias = v->traits & VARIANT_OUTPUT_BIAS ? l->c.d : 0;

    return (double)params_total(&l->plan, PARAM_LEARNED) + bias;
}

struct layer_cost layer_cost(const struct model_config *c,
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

double layer_cost_params(const struct model_config *c, const struct variant *v)
{
    struct layer l;

    layer_plan(&l, c, v);
    double n = params_of(&l, v);
    params_close(&l.plan);
    return n;
}

double layer_cost_whole(const struct model_config *c, const struct variant *v)
{
    struct mix one = {1, {v}};
    struct model_config own = model_resolve(c, &one);
    OWNED(params_close) struct params plan, ps;
    struct window w = {.keys = c->N};
    struct tape *t = tape_dry(PRECISION_FP32);

    params_count(&plan);
    attention_new(&one, &own, &plan);
    params_dry(&ps, &plan);
    struct attention *a = attention_new(&one, &own, &ps);
    tape_begin(t, TAPE_EVAL, (struct rng_key){0}, 0, 0);
    attention(a, t, tape_leaf(t, 3, (int[]){1, c->N, c->d}), &w);
    double flops = t->flops;
    tape_free(t);
    return flops;
}
