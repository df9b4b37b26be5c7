#include "harness/verify/attention/layer.h"

#include "harness/verify/attention/leaf.h"

#include <string.h>

const int layer_length[LAYER_B] = {3, 4, 1};

const struct mask layer_mask[MASKS] = {
    {0, NULL}, {1, NULL}, {0, layer_length}, {1, layer_length}};

#define SIZES                                                                 \
    .d = LAYER_D, .N = LAYER_N, .rank = LAYER_RANK, .r_scale = 1,             \
    .projection = 3, .relative_buckets = 8, .relative_distance = 6

const struct model_config layer_config[SETTINGS] = {
    {SIZES, .heads = LAYER_HEADS, .dense_bias = 1, .dot_scale = 1,
     .conv_width = {1, {3}}},
    {SIZES, .heads = 4, .inner = 1, .gain = 1, .attention_bias = 1,
     .conv_heads = 2, .conv_width = {1, {4}}},
    {SIZES, .heads = 2, .head_width = 3, .relative_bias = 1, .dot_scale = 1,
     .dense_bias = 1, .conv_heads = 8, .conv_width = {1, {5}}},
};

int layer_may(const struct subject *s, const struct mask *m)
{
    return !m->causal || !subject_parts(s, VARIANT_ENCODER_ONLY);
}

static struct attention *declare(struct layer *l, struct params *ps)
{
    params_push(ps, "self");
    struct attention *a = attention_new(&l->subject->mix, &l->c, ps);
    if (l->c.relative_bias)
        l->relative = params_add(ps, "relative", PARAM_LEARNED,
                                 init_glorot(), 2,
                                 (int[]){l->c.relative_buckets, l->c.heads});
    params_pop(ps);
    return a;
}

void layer_open(struct layer *l, const struct subject *s,
                const struct model_config *c, const struct backend *be)
{
    memset(l, 0, sizeof *l);
    l->subject = s;
    l->be = be;
    l->c = *c;
    l->c.mix = s->rule;
    l->c.share_q = s->share_q;
    l->c.relative_bias &= !variant_alone(s->mix.part[0]);
    params_count(&l->plan);
    declare(l, &l->plan);
    params_open(&l->params, &l->plan, be, 1);
    declare(l, &l->params);
    for (int i = 0; i < l->params.n; i++)
        if (l->params.list[i].kind == PARAM_LEARNED)
            leaf_fill(l->params.list[i].value->x,
                      tensor_len(l->params.list[i].value), 0.6,
                      (uint64_t)(100 + i));
    params_view(&l->view, &l->params);
    l->attention = declare(l, &l->view);
    l->tape = tape_new(be);
    l->memory = arena_new();
    l->x = layer_tokens(l, LAYER_ROWS, 99);
    formula_open(&l->formula, &l->params, &l->c, s->variant);
}

void layer_close(struct layer *l)
{
    formula_close(&l->formula);
    if (l->self)
        params_close(&l->part);
    params_close(&l->view);
    params_close(&l->params);
    params_close(&l->plan);
    tape_free(l->tape);
    arena_free(l->memory);
}

tensor *layer_tokens(struct layer *l, int n, uint64_t site)
{
    return leaf_new(l->memory, site, 3, (int[]){LAYER_B, n, l->c.d});
}

tensor *layer_window(struct layer *l, enum tape_mode mode, tensor *x,
                     struct window w)
{
    struct relative r = {l->c.relative_buckets, l->c.relative_distance,
                         w.causal};

    tape_begin(l->tape, mode, (struct rng_key){0}, 0, 0);
    if (l->relative)
        w.relative = ad_relative(l->tape, l->relative, &r, w.from, x->dim[1],
                                 w.keys);
    return attention(l->attention, l->tape, x, &w);
}

tensor *layer_run(struct layer *l, enum tape_mode mode, tensor *x,
                  const struct mask *m)
{
    struct window w = {.keys = x->dim[1], .causal = m->causal,
                       .length = m->length};

    return layer_window(l, mode, x, w);
}

/* Creates the only variant of the subject a second time, outside the layer:
 * l->part are its parameters, with the values that they have in the layer, and
 * l->self is its state. */
static void open_part(struct layer *l)
{
    const struct variant *v = l->subject->mix.part[0];

    params_open(&l->part, &l->plan, l->be, 1);
    params_push(&l->part, "self");
    params_push(&l->part, "%s", v->name);
    l->self = arena_zero(l->part.memory, v->size + 1);
    v->init(l->self, &l->c, &l->part);
    for (int i = 0; i < l->part.n; i++) {
        const struct param *p = &l->part.list[i];

        memcpy(p->value->x, params_find(&l->params, p->name)->value->x,
               tensor_len(p->value) * sizeof(real));
    }
}

tensor *layer_scores(struct layer *l, enum tape_mode mode, tensor *x,
                     const struct mask *m)
{
    struct window w = {.keys = x->dim[1], .causal = m->causal,
                       .length = m->length};

    if (!l->self)
        open_part(l);
    tape_begin(l->tape, mode, (struct rng_key){0}, 0, 0);
    return l->subject->mix.part[0]->scores(l->self, l->tape, x, &w);
}

double *layer_formula(struct layer *l, const double *x, int b,
                      const struct mask *m)
{
    struct formula_layer at = {
        .f = &l->formula, .at = "self", .x = x + b * LAYER_ROWS * LAYER_D,
        .n = LAYER_ROWS,
        .relative = formula_weight(&l->formula, "self", "relative"),
        .length = m->length ? m->length[b] : LAYER_ROWS, .causal = m->causal};

    return formula_attention(&at);
}

void layer_backward(struct layer *l, const struct mask *m)
{
    memset(l->view.grad, 0, l->params.learned * sizeof(real));
    memset(l->x->g, 0, tensor_len(l->x) * sizeof(real));
    tape_backward(l->tape, leaf_sum(l->tape, layer_run(l, TAPE_TRAIN, l->x,
                                                       m)));
}
