/*
 * Linformer (Wang et al. 2020), head-wise sharing (symbols in
 * variants/variants.h)
 *
 *     Y_h = softmax(X Q_h (E X K_h)^T / sqrt(k)) F V_h,   E, F in R^{p x N}
 *
 * The softmax runs over p slots, each of which is a mixture of all tokens, so
 * attention costs O(n p d).  Keys and values of padding are removed before E
 * and F; if n < N, the first n columns of E and F are used.  A slot contains
 * later tokens, so linformer cannot be used in a decoder.
 *
 * Learned per layer: Q, K, E and F, 2 d h k + 2 p N.  E and F start at
 * N(0, 1/p).  The reach of a logit for n tokens is (2 d n/p + n)^1/2, its
 * maximum 2 mu^2 d (k n/p)^1/2 + mu n (train/watch.h; for h k = d).
 */
#include "variants/dot.h"

#include <math.h>

struct linformer {
    struct dot dot;
    tensor    *e, *f; /* (p,N) */
};

static const struct key knobs[] = {
    {.name = "projection", .type = &key_int, KNOB(projection), .initial = "0",
     .high = 65536, .help = "slots of linformer; 0: N / 4"},
    {.name = NULL}};

static void init(void *self, const struct model_config *c, struct params *ps)
{
    struct linformer *me = self;
    int p = c->projection ? c->projection : (c->N + 3) / 4;
    int dim[] = {p, c->N};
    struct init start = init_normal(1 / sqrt(p));

    dot_init_learned(&me->dot, c, ps);
    me->e = params_add(ps, "e", PARAM_LEARNED, start, 2, dim);
    params_scores(ps, 0); /* F projects values, not scores */
    me->f = params_add(ps, "f", PARAM_LEARNED, start, 2, dim);
}

static tensor *output(const void *self, struct tape *t, tensor *x, tensor *v,
                      const struct window *w)
{
    const struct linformer *me = self;
    tensor *q = window_linear(w, t, x, me->dot.q, me->dot.q_bias);
    tensor *k = window_linear(w, t, x, me->dot.k, me->dot.k_bias);
    tensor *slots = ad_project(t, me->e, k, w->length);
    tensor *b = ad_dot_scores(t, q, slots, me->dot.heads, me->dot.scale);

    return ad_attend(t, b, ad_project(t, me->f, v, w->length),
                     (struct keys){0});
}

const struct variant variant_linformer = {
    .name = "linformer",
    .title = "Linformer",
    .cite = "Wang et al. 2020, arXiv 2006.04768",
    .formula = "Y_h = softmax(X Q_h (E X K_h)^T / sqrt(k)) F V_h; "
               "E, F in RR^{p x N}",
    .depends = DEPENDS_PAIRS,
    .traits = VARIANT_ENCODER_ONLY,
    .learns = "2 d^2 + 2 p N",
    .size = sizeof(struct linformer),
    .knobs = knobs,
    .init = init,
    .output = output,
};
