/*
 * Linear token mixing (the token half of MLP-Mixer without its hidden layer,
 * Tolstikhin et al. 2021)
 *
 *     Y_h = (mask R_h) V_h,   R in R^{h x N x N}
 *
 * This is a Random Synthesizer without the softmax: weights may be negative and
 * need not sum to 1.  With h = 1 and W_v = W_o = I it is exactly X -> R X.
 * variants/variants.h defines the symbols.
 *
 * Learned per layer: R, h N^2.  Its entries start at N(0, 1/N).  The reach of
 * a weight is 1, which is also its maximum (train/watch.h).
 */
#include "harness/nn/attention.h"

#include <math.h>

struct mixer { tensor *r; /* (h,N,N) */ };

static void init(void *self, const struct model_config *c, struct params *ps)
{
    struct mixer *me = self;

    me->r = params_add(ps, "R", PARAM_LEARNED, init_normal(1 / sqrt(c->N)), 3,
                       (int[]){c->heads, c->N, c->N});
}

static tensor *scores(const void *self, struct tape *t, tensor *x,
                      const struct window *w)
{
    const struct mixer *me = self;

    return ad_corner(t, me->r, w->from, x->dim[1], w->keys);
}

const struct variant variant_mixer = {
    .name = "mixer",
    .title = "Linear mixer",
    .cite = "Tolstikhin et al. 2021, token mixing without softmax",
    .formula = "Y_h = R_h V_h; R in RR^{h x N x N}",
    .depends = DEPENDS_NOTHING,
    .traits = VARIANT_LINEAR,
    .learns = "h N^2",
    .size = sizeof(struct mixer),
    .init = init,
    .scores = scores,
};
