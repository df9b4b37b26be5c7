/*
 * Factorized Random Synthesizer (paper, section 3.2.1)
 *
 *     B_h = R1_h R2_h^T,    R1, R2 in R^{h x N x r},  rank(B_h) <= r
 *
 * Learned: R1, R2, 2 h N r a layer (the paper: r = 8).  Entries start at
 * N(0, s / sqrt(r)), so that B has the variance s^2 of a full R.
 */
#include "harness/nn/attention.h"

#include <math.h>

struct factors { tensor *r1, *r2; /* (h,N,r) */ };

static const struct key knobs[] = {
    {.name = "rank", .type = &key_int, KNOB(rank), .initial = "8", .low = 1,
     .high = 65536, .help = "of factorized-random and factorized-random-mtf"},
    {.name = NULL}};

static void init(void *self, const struct model_config *c, struct params *ps)
{
    struct factors *me = self;
    int dim[] = {c->heads, c->N, c->rank};
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

    return ad_low_rank(t, me->r1, me->r2, w->from, x->dim[1], w->keys);
}

const struct variant variant_factorized_random = {
    .name = "factorized-random",
    .title = "Synthesizer (Factorized Random)",
    .cite = "Tay et al. 2021, section 3.2.1",
    .depends = DEPENDS_NOTHING,
    .traits = VARIANT_SYNTHESIZER | VARIANT_UNIVERSAL | VARIANT_LOW_RANK,
    .learns = "2 h N r",
    .size = sizeof(struct factors),
    .knobs = knobs,
    .init = init,
    .scores = scores,
};
