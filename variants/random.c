/*
 * Random Synthesizer (paper, section 3.2; symbols in variants/variants.h)
 *
 *     B_h = R_h,    R in R^{h x N x N}
 *
 * R is the same for every sentence and never drawn per batch element.  It is
 * either learned (`random`, h N^2 parameters per layer) or keeps its initial
 * values (`fixed-random`, no learned parameters and no optimizer state).  A
 * sentence of length n uses the top-left n x n corner.  Both variants start
 * from the same draw.  R.init sets its distribution: N(0,1) starts far from
 * uniform attention, the released code's Glorot within 0.5 % of mean pooling.
 *
 * The reach of a logit is 1, which is also its maximum (train/watch.h).  For
 * fixed-random both are 0.
 */
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/nn/attention.h"

#include <string.h>

struct random { tensor *r; /* (h,N,N) */ };

/* Parses R.init: normal:S or glorot. */
static int start_set(const struct key *k, void *of, const char *text)
{
    struct model_config *c = of;
    double s = 0;
    int glorot = !strcmp(text, "glorot");

    if (!glorot &&
        (strncmp(text, "normal:", 7) || str_to_real(text + 7, &s)))
        return key_wrong(k, text, "glorot or normal:S, as in normal:1");
    if (!glorot && (s < k->low || s > k->high))
        return key_outside(k, text);
    c->r_init = glorot ? R_GLOROT : R_NORMAL;
    c->r_scale = s;
    return OK;
}

static char *start_json(const struct key *k, const void *of)
{
    const struct model_config *c = of;
    char scale[32];

    (void)k;
    if (c->r_init == R_GLOROT)
        return str_copy("\"glorot\"");
    return str_format("\"normal:%s\"", str_real(c->r_scale, scale));
}

static const struct key_type key_start = {start_set, start_json};

static const struct key knobs[] = {
    {.name = "R.init", .type = &key_start, KNOB(r_scale),
     .initial = "normal:1", .low = 1e-9, .high = 1e9,
     .help = "initial values of R: normal:S or glorot"},
    {.name = NULL}};

static void declare(struct random *self, const struct model_config *c,
                    struct params *ps, enum param_kind kind)
{
    int dim[] = {c->heads, c->N, c->N};
    struct init init = c->r_init == R_GLOROT ? init_glorot_r()
                                             : init_normal(c->r_scale);

    init.twin = "random";
    self->r = params_add(ps, "R", kind, init, 3, dim);
}

static void init_learned(void *self, const struct model_config *c,
                         struct params *ps)
{
    declare(self, c, ps, PARAM_LEARNED);
}

static void init_fixed(void *self, const struct model_config *c,
                       struct params *ps)
{
    declare(self, c, ps, PARAM_FROZEN);
}

static tensor *scores(const void *self, struct tape *t, tensor *x,
                      const struct window *w)
{
    const struct random *me = self;

    return ad_corner(t, me->r, w->from, x->dim[1], w->keys);
}

const struct variant variant_random = {
    .name = "random",
    .title = "Synthesizer (Random)",
    .cite = "Tay et al. 2021, section 3.2",
    .formula = "B_h = R_h; R in RR^{h x N x N}",
    .depends = DEPENDS_NOTHING,
    .traits = VARIANT_SYNTHESIZER | VARIANT_UNIVERSAL,
    .learns = "h N^2",
    .size = sizeof(struct random),
    .knobs = knobs,
    .init = init_learned,
    .scores = scores,
};

const struct variant variant_fixed_random = {
    .name = "fixed-random",
    .title = "Synthesizer (Fixed Random)",
    .cite = "Tay et al. 2021, section 3.2",
    .formula = "B_h = R_h; R in RR^{h x N x N}",
    .depends = DEPENDS_NOTHING,
    .traits = VARIANT_SYNTHESIZER,
    .learns = "0",
    .size = sizeof(struct random),
    .init = init_fixed,
    .scores = scores,
};
