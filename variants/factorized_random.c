/*
 * Factorized Random Synthesizer (paper, section 3.2.1; symbols in
 * variants/variants.h)
 *
 *     B_h = R1_h R2_h^T,    R1, R2 in R^{h x N x r},  rank(B_h) <= r
 *
 * and the form of the released code (Mesh TensorFlow)
 *
 *     B_h[i, j] = sum_t R1[t,h,j] R2[t,h,j],   R1, R2 in R^{r x h x N}
 *
 * In the released form, both factors depend on the key j only.  Their product
 * is one number per key and every row is the same: a bias over positions, not
 * R1 R2^T.  r is 16 in the released code and 8 in the paper.  T5-base on C4
 * with the released form and 8 heads of 128 has 207,174,656 parameters.
 *
 * Learned per layer: R1 and R2, 2 h N r.  Their entries start at
 * N(0, s / sqrt(r)), so that B has the variance s^2 that the R of random.c
 * would have.  With R.init: glorot the released form starts as in the released
 * code, with Glorot of (r,h,N).
 *
 * The reach of a logit is (2 s r^1/2)^1/2, its maximum 2 mu s^1/2 r^3/4
 * (train/watch.h).
 */
#include "harness/nn/attention.h"

#include <math.h>

struct factors { tensor *r1, *r2; /* (h,N,r), or (r,h,N) */ };

static const struct key knobs[] = {
    {.name = "rank", .type = &key_int, KNOB(rank), .initial = "8", .low = 1,
     .high = 65536, .help = "inner size of R in factorized-random and "
                            "factorized-random-mtf"},
    {.name = NULL}};

/* Returns N(0, s / sqrt(r)), where s is the standard deviation that the R of
 * random.c would have. */
static struct init start_of(const struct model_config *c)
{
    double s = c->r_init == R_GLOROT
                   ? sqrt(2.0 / (c->N * (double)(c->heads + c->N)))
                   : c->r_scale;

    return init_normal(sqrt(s / sqrt(c->rank)));
}

static void init(struct factors *me, struct params *ps, struct init start,
                 const int dim[3])
{
    me->r1 = params_add(ps, "R1", PARAM_LEARNED, start, 3, dim);
    me->r2 = params_add(ps, "R2", PARAM_LEARNED, start, 3, dim);
}

static void init_rows(void *self, const struct model_config *c,
                      struct params *ps)
{
    init(self, ps, start_of(c), (int[]){c->heads, c->N, c->rank});
}

static void init_columns(void *self, const struct model_config *c,
                         struct params *ps)
{
    init(self, ps, c->r_init == R_GLOROT ? init_glorot_factors() : start_of(c),
         (int[]){c->rank, c->heads, c->N});
}

static tensor *scores(const void *self, struct tape *t, tensor *x,
                      const struct window *w)
{
    const struct factors *me = self;

    return ad_low_rank(t, me->r1, me->r2, w->from, x->dim[1], w->keys);
}

static tensor *column_scores(const void *self, struct tape *t, tensor *x,
                             const struct window *w)
{
    const struct factors *me = self;

    return ad_columns(t, me->r1, me->r2, x->dim[1], w->keys);
}

const struct variant variant_factorized_random = {
    .name = "factorized-random",
    .title = "Synthesizer (Factorized Random)",
    .cite = "Tay et al. 2021, section 3.2.1",
    .formula = "B_h = R_{1,h} R_{2,h}^T; R_1, R_2 in RR^{h x N x r}",
    .depends = DEPENDS_NOTHING,
    .traits = VARIANT_SYNTHESIZER | VARIANT_UNIVERSAL | VARIANT_LOW_RANK,
    .learns = "2 h N r",
    .size = sizeof(struct factors),
    .knobs = knobs,
    .init = init_rows,
    .scores = scores,
};

const struct variant variant_factorized_random_mtf = {
    .name = "factorized-random-mtf",
    .title = "Synthesizer (Factorized Random, released code)",
    .cite = "Mesh TensorFlow, synthetic_attention, factorized",
    .formula = "B_h[i,j] = sum_t R_1[t,h,j] R_2[t,h,j]",
    .depends = DEPENDS_NOTHING,
    .traits = VARIANT_SYNTHESIZER,
    .learns = "2 h N r",
    .size = sizeof(struct factors),
    .init = init_columns,
    .scores = column_scores,
};
