#include "variants/dot.h"

#include <math.h>

static void init(struct dot *self, const struct model_config *c,
                 struct params *ps, enum param_kind kind, struct init q,
                 struct init k, int scaled)
{
    int dim[] = {c->d, config_inner(c)};

    self->q = params_add(ps, "q", kind, q, 2, dim);
    self->k = params_add(ps, "k", kind, k, 2, dim);
    if (c->attention_bias && kind == PARAM_LEARNED) {
        self->q_bias = params_add(ps, "q.bias", kind, init_constant(0), 1,
                                  &dim[1]);
        self->k_bias = params_add(ps, "k.bias", kind, init_constant(0), 1,
                                  &dim[1]);
    }
    self->heads = c->heads;
    self->scale = scaled ? 1 / sqrt(config_head(c)) : 1;
}

static void init_gain(struct dot *self, const struct model_config *c,
                      struct params *ps)
{
    if (c->gain)
        self->gain = params_add(ps, "gain", PARAM_LEARNED, init_constant(1),
                                2, (int[]){c->heads, 1});
}

void dot_init_frozen(struct dot *self, const struct model_config *c,
                     struct params *ps, struct init draw)
{
    init(self, c, ps, PARAM_FROZEN, draw, draw, 1);
    init_gain(self, c, ps);
}

void dot_init_tied(struct dot *self, const struct model_config *c,
                   struct params *ps, struct init draw)
{
    self->q = self->k = params_add(ps, "q", PARAM_FROZEN, draw, 2,
                                   (int[]){c->d, config_inner(c)});
    self->heads = c->heads;
    self->scale = 1 / sqrt(config_head(c));
    init_gain(self, c, ps);
}

/* If the scores have no factor 1/sqrt(k), the initial q has it. */
void dot_init_learned(void *self, const struct model_config *c,
                      struct params *ps)
{
    double start = c->dot_scale ? 1 : 1 / sqrt(config_head(c));

    init(self, c, ps, PARAM_LEARNED, init_matrix(c->init, start),
         init_matrix(c->init, 1), c->dot_scale);
}

tensor *dot_scores(const void *self, struct tape *t, tensor *x,
                   const struct window *w)
{
    const struct dot *me = self;
    tensor *q = window_linear(w, t, x, me->q, me->q_bias);
    tensor *k = me->k == me->q ? q
                               : window_linear(w, t, x, me->k, me->k_bias);

    if (me->gain) /* g_h q_h, as a convolution with one tap */
        q = ad_conv(t, q, me->gain, NULL, q->dim[1], me->heads, 0, 0);
    return ad_dot_scores(t, q, window_extend(w, k), me->heads, me->scale);
}
