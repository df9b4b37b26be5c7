#include "variants/conv.h"

static void glu_init(struct conv_layer *me, const struct model_config *c,
                     struct params *ps)
{
    int wide = 2 * c->d;

    me->w1 = params_add(ps, "w1", PARAM_LEARNED, init_matrix(c->init, 1), 2,
                        (int[]){c->d, wide});
    me->b1 = params_add(ps, "b1", PARAM_LEARNED, init_constant(0), 1, &wide);
}

void conv_init(struct conv_layer *me, const struct model_config *c,
               struct params *ps, int heads, int taps, int dynamic)
{
    int all = heads * taps;

    me->heads = heads;
    me->k = taps;
    glu_init(me, c, ps);
    if (dynamic)
        me->wk = params_add(ps, "wk", PARAM_LEARNED, init_matrix(c->init, 1),
                            2, (int[]){c->d, all});
    else
        me->taps = params_add(ps, "taps", PARAM_LEARNED, init_glorot(), 2,
                              (int[]){heads, taps});
}

tensor *conv_output(const void *self, struct tape *t, tensor *x, tensor *v,
                    const struct window *w)
{
    const struct conv_layer *me = self;
    tensor *wide = ad_linear(t, x, me->w1, me->b1, ACT_NONE);
    tensor *u = ad_glu(t, wide, w->length), *taps = me->taps;
    int first = w->causal ? 1 - me->k : -(me->k / 2);

    (void)v;
    if (me->wk)
        taps = ad_linear(t, u, me->wk, me->bk, ACT_NONE);
    taps = ad_dropout(t, ad_softmax(t, taps, me->k));
    return ad_conv(t, window_extend(w, u), taps, me->bias, x->dim[1],
                   me->heads, w->from, first);
}
