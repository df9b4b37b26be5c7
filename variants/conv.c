/*
 * Lightweight and dynamic convolution (Wu et al. 2019, arXiv 1901.10430)
 *
 *     u = (X Wa + ba) * sigmoid(X Wb + bb),   w1 = (Wa, Wb) (d,2d)
 *     y[i,c] = sum_j softmax_j(tap[g(c), j]) u[i + first + j, c] [+ bias_c]
 *
 *     lightweight    taps (H,K) are learned: a Random Synthesizer whose R is
 *                    banded and the same along every diagonal
 *     dynamic        taps = u wk [+ bk], wk (d,H K): a Dense Synthesizer in
 *                    relative columns
 *
 * y is the output before W_o, at position i and channel c; j runs over the K
 * taps.  Terms in brackets exist only in the released code (below).  conv_heads
 * sets the number H of heads, conv_width the number K of taps (one number for
 * all layers, or one per layer).  Channel c belongs to head g(c) = c H div d.
 * `first` is -(K div 2) in an encoder and -(K - 1) in a decoder.  Outside the
 * sentence and at padding u is 0, and the weights are not renormalised.
 * Dropout acts on the normalised taps (DropConnect).  There is no W_v; W_o is
 * the output product.
 *
 * Learned per layer: 2 d^2 + 2 d + H K in the lightweight form, and
 * 2 d^2 + 2 d + d H K in the dynamic form.
 *
 * The reach of a lightweight tap is 1, which is also its maximum
 * (train/watch.h).  For a dynamic tap, with t = H K taps per token and the
 * gate's z ~ N(0, 2/3), they are
 *
 *     reach    (2/3 d S + d (d + 1) (S + 2/3 D) 2 / (d + t))^1/2
 *     maximum  g mu d/2 + (mu d + 1) d w (1/2 + g mu E),    g = (2/3)^1/2
 *
 * where S = E sigmoid(z)^2 = 0.282, D = E sigmoid'(z)^2 = 0.049,
 * E = E sigmoid'(z) = 0.218 and w = (6 / (d + t))^1/2 / 2.  With bk, 1 is added
 * under the root, and to the maximum.
 *
 * Table 4 of Tay et al. 2021 uses the released code (Mesh TensorFlow,
 * LocalConvAttnBlock),
 *
 *     out = (y W2 + b2) W_o + b_o
 *
 * with 9 separate taps for every channel and an extra pointwise layer W2; the
 * dynamic form predicts all 9 d taps from u.  Positions are learned tables
 * (position: learned), and d_ff is 512 in Table 4's dynamic form.  T5-base on
 * C4 has 223.95M parameters in the lightweight and 256.98M in the dynamic form.
 *
 * Learned per layer of the released code, in addition to W_o and its bias:
 * 3 d^2 + 4 d + 9 d, and in the dynamic form 9 d^2 more.
 */
#include "harness/nn/attention.h"

enum { RELEASED_TAPS = 9 };

struct conv_layer {
    int     heads, k;  /* H, K                                         */
    tensor *w1, *b1;   /* (d,2d), (2d)                                 */
    tensor *taps;      /* (H,K) in the lightweight form, or NULL       */
    tensor *wk, *bk;   /* (d,H K), (H K), or NULL; tap j of head g has
                          column g K + j                               */
    tensor *bias;      /* (d) of the convolution, or NULL              */
    tensor *w2, *b2;   /* (d,d), (d), or NULL                          */
};

static const struct key knobs[] = {
    {.name = "conv_heads", .type = &key_int, KNOB(conv_heads), .initial = "0",
     .high = 65536,
     .help = "heads of the convolutions, a divisor of d; 0: same as heads"},
    {.name = "conv_width", .type = &key_widths, KNOB(conv_width),
     .initial = "7", .low = 1, .high = 4096,
     .help = "taps of the convolutions; 3,7,15: one per layer, the last "
             "repeats"},
    {.name = NULL}};

static int heads_of(const struct model_config *c)
{
    return c->conv_heads ? c->conv_heads : c->heads;
}

static void init(struct conv_layer *me, const struct model_config *c,
                 struct params *ps, int heads, int taps, int dynamic)
{
    int all = heads * taps, wide = 2 * c->d;

    me->heads = heads;
    me->k = taps;
    params_scores(ps, 0); /* u is also what the taps weight */
    me->w1 = params_add(ps, "w1", PARAM_LEARNED, init_matrix(c->init, 1), 2,
                        (int[]){c->d, wide});
    me->b1 = params_add(ps, "b1", PARAM_LEARNED, init_constant(0), 1, &wide);
    params_scores(ps, 1);
    if (dynamic)
        me->wk = params_add(ps, "wk", PARAM_LEARNED, init_matrix(c->init, 1),
                            2, (int[]){c->d, all});
    else
        me->taps = params_add(ps, "taps", PARAM_LEARNED, init_glorot(), 2,
                              (int[]){heads, taps});
}

static void init_lightweight(void *self, const struct model_config *c,
                             struct params *ps)
{
    init(self, c, ps, heads_of(c), c->conv_width.at[0], 0);
}

static void init_dynamic(void *self, const struct model_config *c,
                         struct params *ps)
{
    init(self, c, ps, heads_of(c), c->conv_width.at[0], 1);
}

static void init_released(struct conv_layer *me, const struct model_config *c,
                          struct params *ps, int dynamic)
{
    struct init zero = init_constant(0);
    int taps = RELEASED_TAPS * c->d;

    init(me, c, ps, c->d, RELEASED_TAPS, dynamic);
    if (dynamic)
        me->bk = params_add(ps, "bk", PARAM_LEARNED, zero, 1, &taps);
    params_scores(ps, 0);
    me->bias = params_add(ps, "bias", PARAM_LEARNED, zero, 1, &c->d);
    me->w2 = params_add(ps, "w2", PARAM_LEARNED, init_matrix(c->init, 1), 2,
                        (int[]){c->d, c->d});
    me->b2 = params_add(ps, "b2", PARAM_LEARNED, zero, 1, &c->d);
}

static void init_lightweight_mtf(void *self, const struct model_config *c,
                                 struct params *ps)
{
    init_released(self, c, ps, 0);
}

static void init_dynamic_mtf(void *self, const struct model_config *c,
                             struct params *ps)
{
    init_released(self, c, ps, 1);
}

static tensor *output(const void *self, struct tape *t, tensor *x, tensor *v,
                      const struct window *w)
{
    const struct conv_layer *me = self;
    tensor *wide = window_linear(w, t, x, me->w1, me->b1);
    tensor *u = ad_glu(t, wide, w->length), *taps = me->taps;
    int first = w->causal ? 1 - me->k : -(me->k / 2);

    (void)v;
    if (me->wk)
        taps = ad_linear(t, u, me->wk, me->bk, ACT_NONE);
    taps = ad_dropout(t, ad_softmax(t, taps, me->k));
    tensor *y = ad_conv(t, window_extend(w, u), taps, me->bias, x->dim[1],
                        me->heads, w->from, first);
    return me->w2 ? ad_linear(t, y, me->w2, me->b2, ACT_NONE) : y;
}

const struct variant variant_lightweight_conv = {
    .name = "lightweight-conv",
    .title = "Lightweight Convolution",
    .cite = "Wu et al. 2019, section 3",
    .formula = "Y[i,c] = sum_j softmax(T_{g(c)})[j] U[i + j, c]; "
               "U = (X W_a + b_a) sigmoid(X W_b + b_b)",
    .depends = DEPENDS_NEIGHBOURS,
    .traits = VARIANT_NO_VALUES,
    .learns = "2 d^2 + 2 d + H K",
    .size = sizeof(struct conv_layer),
    .knobs = knobs,
    .init = init_lightweight,
    .output = output,
};

const struct variant variant_dynamic_conv = {
    .name = "dynamic-conv",
    .title = "Dynamic Convolution",
    .cite = "Wu et al. 2019, section 4",
    .formula = "Y[i,c] = sum_j softmax(T_{g(c)}[i])[j] U[i + j, c]; "
               "T = U W_k; U = (X W_a + b_a) sigmoid(X W_b + b_b)",
    .depends = DEPENDS_NEIGHBOURS,
    .traits = VARIANT_NO_VALUES,
    .learns = "2 d^2 + 2 d + d H K",
    .size = sizeof(struct conv_layer),
    .init = init_dynamic,
    .output = output,
};

const struct variant variant_lightweight_conv_mtf = {
    .name = "lightweight-conv-mtf",
    .title = "Lightweight Convolution (released code)",
    .cite = "Mesh TensorFlow, LightweightConvLayer",
    .formula = "Y[i,c] = sum_j softmax(T_c)[j] U[i + j, c]; "
               "U = (X W_a + b_a) sigmoid(X W_b + b_b)",
    .depends = DEPENDS_NEIGHBOURS,
    .traits = VARIANT_NO_VALUES | VARIANT_OUTPUT_BIAS,
    .learns = "3 d^2 + 14 d",
    .size = sizeof(struct conv_layer),
    .init = init_lightweight_mtf,
    .output = output,
};

const struct variant variant_dynamic_conv_mtf = {
    .name = "dynamic-conv-mtf",
    .title = "Dynamic Convolution (released code)",
    .cite = "Mesh TensorFlow, DynamicConvLayer",
    .formula = "Y[i,c] = sum_j softmax(T_c[i])[j] U[i + j, c]; T = U W_k; "
               "U = (X W_a + b_a) sigmoid(X W_b + b_b)",
    .depends = DEPENDS_NEIGHBOURS,
    .traits = VARIANT_NO_VALUES | VARIANT_OUTPUT_BIAS,
    .learns = "12 d^2 + 14 d",
    .size = sizeof(struct conv_layer),
    .init = init_dynamic_mtf,
    .output = output,
};
