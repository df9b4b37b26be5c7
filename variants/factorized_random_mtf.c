/*
 * Factorized Random Synthesizer of the released code (Mesh TensorFlow)
 *
 *     B_h[i, j] = sum_t R1[t,h,j] R2[t,h,j],   R1, R2 in R^{r x h x N}
 *
 * Both factors carry the key's dimension, so the product is one number a key
 * and every row is the same: a bias over positions, not R1 R2^T.  r = 16 there.
 * T5-base on C4 with 8 heads of 128: 207,174,656 parameters.
 * Learned: R1, R2, 2 h N r a layer.  Entries start so that B has the variance
 * of a full R.
 */
#include "harness/nn/attention.h"

#include <math.h>

struct factors { tensor *r1, *r2; /* (r,h,N) */ };

static void init(void *self, const struct model_config *c, struct params *ps)
{
    struct factors *me = self;
    int dim[] = {c->rank, c->heads, c->N};
    double s = c->r_init == R_GLOROT
                   ? sqrt(2.0 / (c->N * (double)(c->heads + c->N)))
                   : c->r_scale;
    struct init start = init_normal(sqrt(s / sqrt(c->rank)));

    me->r1 = params_add(ps, "R1", PARAM_LEARNED, start, 3, dim);
    me->r2 = params_add(ps, "R2", PARAM_LEARNED, start, 3, dim);
}

static tensor *scores(const void *self, struct tape *t, tensor *x,
                      const struct window *w)
{
    const struct factors *me = self;

    return ad_columns(t, me->r1, me->r2, x->dim[1], w->keys);
}

const struct variant variant_factorized_random_mtf = {
    .name = "factorized-random-mtf",
    .title = "Synthesizer (Factorized Random, released code)",
    .cite = "Mesh TensorFlow, synthetic_attention, factorized",
    .depends = DEPENDS_NOTHING,
    .traits = VARIANT_SYNTHESIZER,
    .learns = "2 h N r",
    .size = sizeof(struct factors),
    .init = init,
    .scores = scores,
};
