/*
 * Uniform attention: the scores B are 0, so the output is the mean of the
 * visible values (in a decoder, the running mean).  No scores are learned.
 * Every table shows this variant as a baseline: the scores of another variant
 * are useful only if it does better.
 */
#include "harness/nn/attention.h"

struct uniform { int heads; };

static void init(void *self, const struct model_config *c, struct params *ps)
{
    struct uniform *me = self;

    (void)ps;
    me->heads = c->heads;
}

static tensor *scores(const void *self, struct tape *t, tensor *x,
                      const struct window *w)
{
    const struct uniform *me = self;

    return ad_no_scores(t, me->heads, x->dim[1], w->keys);
}

const struct variant variant_uniform = {
    .name = "uniform",
    .title = "Uniform (mean pooling)",
    .cite = "reference",
    .formula = "B_h = 0",
    .depends = DEPENDS_NOTHING,
    .traits = VARIANT_SYMMETRIC,
    .learns = "0",
    .size = sizeof(struct uniform),
    .init = init,
    .scores = scores,
};
