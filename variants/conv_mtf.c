/*
 * The convolutions of Table 4 as the released code has them (Mesh TensorFlow,
 * LocalConvAttnBlock)
 *
 *     y = (conv(u) + bias) W2 + b2,   out = y W_o + b_o
 *
 * 9 taps for every channel, tied to no other; an extra pointwise layer W2; the
 * dynamic form predicts all 9 d taps from u.  Positions are learned tables
 * (position: learned), and Table 4's dynamic form has d_ff 512.
 * T5-base on C4: 223.95M and 256.98M parameters.
 * Learned: 3 d^2 + 4 d + 9 d, and 9 d^2 more, beside W_o and its bias.
 */
#include "variants/conv.h"

enum { TAPS = 9 };

struct block {
    struct conv_layer conv;
    tensor           *w2, *b2; /* (d,d) (d) */
};

static void declare(struct block *me, const struct model_config *c,
                    struct params *ps, int dynamic)
{
    struct init zero = init_constant(0);
    int taps = TAPS * c->d;

    conv_init(&me->conv, c, ps, c->d, TAPS, dynamic);
    if (dynamic)
        me->conv.bk = params_add(ps, "bk", PARAM_LEARNED, zero, 1, &taps);
    me->conv.bias = params_add(ps, "bias", PARAM_LEARNED, zero, 1, &c->d);
    me->w2 = params_add(ps, "w2", PARAM_LEARNED, init_matrix(c->init, 1), 2,
                        (int[]){c->d, c->d});
    me->b2 = params_add(ps, "b2", PARAM_LEARNED, zero, 1, &c->d);
}

static void init_lightweight(void *self, const struct model_config *c,
                             struct params *ps)
{
    declare(self, c, ps, 0);
}

static void init_dynamic(void *self, const struct model_config *c,
                         struct params *ps)
{
    declare(self, c, ps, 1);
}

static tensor *output(const void *self, struct tape *t, tensor *x, tensor *v,
                      const struct window *w)
{
    const struct block *me = self;

    return ad_linear(t, conv_output(&me->conv, t, x, v, w), me->w2, me->b2,
                     ACT_NONE);
}

const struct variant variant_lightweight_conv_mtf = {
    .name = "lightweight-conv-mtf",
    .title = "Lightweight Convolution (released code)",
    .cite = "Mesh TensorFlow, LightweightConvLayer",
    .depends = DEPENDS_NEIGHBOURS,
    .traits = VARIANT_NO_VALUES | VARIANT_OUTPUT_BIAS,
    .learns = "3 d^2 + 9 d + 5 d",
    .size = sizeof(struct block),
    .init = init_lightweight,
    .output = output,
};

const struct variant variant_dynamic_conv_mtf = {
    .name = "dynamic-conv-mtf",
    .title = "Dynamic Convolution (released code)",
    .cite = "Mesh TensorFlow, DynamicConvLayer",
    .depends = DEPENDS_NEIGHBOURS,
    .traits = VARIANT_NO_VALUES | VARIANT_OUTPUT_BIAS,
    .learns = "3 d^2 + 9 d^2 + 9 d + 5 d",
    .size = sizeof(struct block),
    .init = init_dynamic,
    .output = output,
};
