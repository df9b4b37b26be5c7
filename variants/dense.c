/*
 * Dense Synthesizer (paper, section 3.1; symbols in variants/variants.h)
 *
 *     B_h[i] = relu(X_h[i] W1_h + b1_h) W2_h + b2_h
 *
 * X_h (n,k), k = d/h, is the head's slice of X; W1_h is (k,k), W2_h (k,N).
 * Each token alone determines its row of scores, of which the first n columns
 * are used.  There is no factor 1/sqrt(k).
 *
 * Learned per layer: h (k^2 + k N), and h (k + N) biases if dense_bias is set.
 * The reach of a logit is (k/2 + 1 + k (k + 1) / (k + N))^1/2, its maximum
 * mu k/2 + 1 + (mu k + 1) w k/2, w = (6 / (k + N))^1/2 / 2 (train/watch.h).
 *
 * dense-literal takes "R^d to R^d, then R^d to R^N" literally in each head: it
 * has d in place of k and X in place of X_h, so that every head sees the whole
 * token.  W1_h then has h^2 times as many entries and W2_h h times as many.
 * This variant has more parameters than any published count allows.
 */
#include "harness/nn/attention.h"

struct dense { tensor *w1, *b1, *w2, *b2; };

static const struct key knobs[] = {
    {.name = "dense_bias", .type = &key_bool, KNOB(dense_bias),
     .initial = "true", .help = "biases of dense and factorized-dense"},
    {.name = NULL}};

/* Declares the parameters.  `k` is the width of the token that a head sees. */
static void init(struct dense *me, const struct model_config *c,
                 struct params *ps, int k)
{
    struct init zero = init_constant(0);
    int h = c->heads;

    me->w1 = params_add(ps, "w1", PARAM_LEARNED, init_matrix(c->init, 1), 3,
                        (int[]){h, k, k});
    if (c->dense_bias)
        me->b1 = params_add(ps, "b1", PARAM_LEARNED, zero, 2, (int[]){h, k});
    me->w2 = params_add(ps, "w2", PARAM_LEARNED, init_matrix(c->init, 1), 3,
                        (int[]){h, k, c->N});
    if (c->dense_bias)
        me->b2 = params_add(ps, "b2", PARAM_LEARNED, zero, 2,
                            (int[]){h, c->N});
}

static void init_slice(void *self, const struct model_config *c,
                       struct params *ps)
{
    init(self, c, ps, c->d / c->heads);
}

static void init_whole(void *self, const struct model_config *c,
                       struct params *ps)
{
    init(self, c, ps, c->d);
}

static tensor *scores(const void *self, struct tape *t, tensor *x,
                      const struct window *w)
{
    const struct dense *me = self;
    int k = me->w1->dim[1];
    tensor *inner = ad_head_linear(t, window_tokens(w, x), me->w1, me->b1,
                                   ACT_RELU, k);

    return window_spread(w, t, ad_head_linear(t, inner, me->w2, me->b2,
                                              ACT_NONE, w->keys));
}

const struct variant variant_dense = {
    .name = "dense",
    .title = "Synthesizer (Dense)",
    .cite = "Tay et al. 2021, section 3.1",
    .formula = "B_h = relu(X_h W_{1,h} + b_{1,h}) W_{2,h} + b_{2,h}",
    .depends = DEPENDS_TOKEN,
    .traits = VARIANT_SYNTHESIZER | VARIANT_UNIVERSAL,
    .learns = "d^2/h + d N + d + h N",
    .size = sizeof(struct dense),
    .knobs = knobs,
    .init = init_slice,
    .scores = scores,
};

const struct variant variant_dense_literal = {
    .name = "dense-literal",
    .title = "Synthesizer (Dense, d wide in each head)",
    .cite = "Tay et al. 2021, section 3.1, taken literally",
    .formula = "B_h = relu(X W_{1,h} + b_{1,h}) W_{2,h} + b_{2,h}",
    .depends = DEPENDS_TOKEN,
    .traits = VARIANT_SYNTHESIZER | VARIANT_UNIVERSAL,
    .learns = "h (d^2 + d N + d + N)",
    .size = sizeof(struct dense),
    .init = init_whole,
    .scores = scores,
};
