#include "variants/dot.h"

#include <math.h>

void dot_init(struct dot *self, const struct model_config *c,
              struct params *ps, enum param_kind kind, struct init init,
              int scaled)
{
    int dim[] = {c->d, c->d};

    self->q = params_add(ps, "q", kind, init, 2, dim);
    self->k = params_add(ps, "k", kind, init, 2, dim);
    self->heads = c->heads;
    self->scale = scaled ? 1 / sqrt((double)c->d / c->heads) : 1;
}

tensor *dot_scores(const void *self, struct tape *t, tensor *x,
                   const struct window *w)
{
    const struct dot *me = self;
    tensor *q = ad_linear(t, x, me->q, NULL, ACT_NONE);
    tensor *k = ad_linear(t, x, me->k, NULL, ACT_NONE);

    return ad_dot_scores(t, q, window_extend(w, k), me->heads, me->scale);
}
