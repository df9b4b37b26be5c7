/*
 * Dense Synthesizer of the released code (Mesh TensorFlow, "dense_minus";
 * symbols in variants/variants.h)
 *
 *     B_h = relu(X Q)_h P,   Q in R^{d x h k}, P in R^{k x N}
 *
 * The heads share P; there are no biases.  If share_q is set and vanilla is in
 * the same mixture, Q is that of vanilla ("dense_plus"): this is the only pair
 * of parts whose parameter counts do not add up.  T5-base on C4 with 8 heads of
 * 128 has 224,476,160 parameters.
 *
 * Learned per layer: Q and P, d h k + k N.  The reach of a logit is
 * (k/2 + d k / (k + N))^1/2, its maximum mu k/2 + mu d w k/2,
 * w = (6 / (k + N))^1/2 / 2 (train/watch.h; for h k = d).
 */
#include "harness/nn/attention.h"

#include <math.h>

struct dense { tensor *q, *p; };

static const struct key knobs[] = {
    {.name = "share_q", .type = &key_bool, KNOB(share_q), .initial = "false",
     .help = "in a mixture with vanilla, dense-mtf uses vanilla's Q"},
    {.name = NULL}};

static void init(void *self, const struct model_config *c, struct params *ps)
{
    struct dense *me = self;
    int k = config_head(c);
    double start = c->dot_scale ? 1 : 1 / sqrt(k); /* as in dot.c */

    if (c->share_q)
        me->q = params_near(ps, "vanilla.q");
    if (!me->q)
        me->q = params_add(ps, "q", PARAM_LEARNED, init_matrix(c->init, start),
                           2, (int[]){c->d, config_inner(c)});
    me->p = params_add(ps, "p", PARAM_LEARNED, init_matrix(c->init, 1), 2,
                       (int[]){k, c->N});
}

static tensor *scores(const void *self, struct tape *t, tensor *x,
                      const struct window *w)
{
    const struct dense *me = self;
    tensor *inner = ad_linear(t, window_tokens(w, x), me->q, NULL, ACT_RELU);

    return window_spread(w, t, ad_head_linear(t, inner, me->p, NULL, ACT_NONE,
                                              w->keys));
}

const struct variant variant_dense_mtf = {
    .name = "dense-mtf",
    .title = "Synthesizer (Dense, released code)",
    .cite = "Mesh TensorFlow, synthetic_attention, dense_minus",
    .formula = "B_h = relu(X Q)_h P",
    .depends = DEPENDS_TOKEN,
    .traits = VARIANT_SYNTHESIZER | VARIANT_SHARES,
    .learns = "d h k + k N",
    .size = sizeof(struct dense),
    .knobs = knobs,
    .init = init,
    .scores = scores,
};
