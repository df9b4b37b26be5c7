#include "harness/nn/attention.h"

#include "harness/nn/cache.h"

struct attention {
    struct mix    mix;
    enum mix_rule rule;
    void         *self[MIX_PARTS];
    tensor       *v, *o;       /* W_v (d,I), W_o (I,d); W_v may be NULL */
    tensor       *v_bias, *o_bias; /* their biases (I) (d), or NULL     */
    tensor       *a;            /* mixture's a, (parts) or (1), or NULL  */
};

const char *const depends_text[] = {"nothing", "own token", "neighbours",
                                    "pairs of tokens"};

tensor *window_extend(const struct window *w, tensor *y)
{
    return w->cache ? cache_extend(w->cache, y, w->from) : y;
}

tensor *window_tokens(const struct window *w, tensor *x)
{
    return w->tokens ? w->tokens : x;
}

tensor *window_spread(const struct window *w, struct tape *t, tensor *y)
{
    tensor *wide = ad_unpack(t, y, w->tokens ? w->packing : NULL);

    if (wide != y)
        tape_give_up(t, y);
    return wide;
}

tensor *window_linear(const struct window *w, struct tape *t, tensor *x,
                      tensor *matrix, tensor *bias)
{
    return window_spread(w, t, ad_linear(t, window_tokens(w, x), matrix, bias,
                                         ACT_NONE));
}

tensor *linear_last(struct tape *t, tensor *x, tensor *w, tensor *c)
{
    tensor *y = ad_linear(t, x, w, c, ACT_NONE);

    tape_shrink(t, x);
    return y;
}

int variant_alone(const struct variant *v)
{
    return v->output || v->traits & VARIANT_LINEAR;
}

/* Returns the configuration of each part of the mixture.  This is c, except
 * that with MIX_HEADS a part has fewer heads, of the same width. */
static struct model_config mix_config(const struct mix *m,
                                      const struct model_config *c)
{
    struct model_config own = *c;

    if (m->n > 1 && c->mix == MIX_HEADS) {
        own.heads = c->heads / m->n;
        own.head_width = config_head(c);
    }
    return own;
}

const char *mix_fault(const struct mix *m, const struct model_config *c)
{
    const struct model_config own = mix_config(m, c);

    if (m->n > 1 && c->mix == MIX_HEADS && c->heads % m->n)
        return "mix: heads requires heads to be divisible by the number of "
               "parts";
    for (int i = 0; i < m->n; i++) {
        const struct variant *v = m->part[i];
        const char *fault = v->fault ? v->fault(&own) : NULL;

        if (m->n > 1 && variant_alone(v))
            return "a part has no scores to mix";
        if (v->traits & VARIANT_ENCODER_ONLY && c->family != FAMILY_ENCODER)
            return "its rows depend on later tokens, so it cannot be used in a "
                   "decoder";
        if (fault)
            return fault;
    }
    if (m->n != 2 && m->n > 1 && c->mix == MIX_SIGMOID)
        return "mix: sigmoid requires exactly two parts";
    return NULL;
}

/* Declares the parts in the order of variants/list.h, which is from the last
 * part to the first (mix_parse).  Parts that may share a tensor of another part
 * (VARIANT_SHARES) come after all others.  Only the parameters of parts count
 * as parameters of the scores (params_scores).  W_v, W_o, the weights a of a
 * mixture and the position bias of a stack do not. */
static void declare_parts(struct attention *a, const struct model_config *c,
                          struct params *ps)
{
    const struct model_config own = mix_config(&a->mix, c);

    for (unsigned shares = 0; shares <= VARIANT_SHARES;
         shares += VARIANT_SHARES)
        for (int i = a->mix.n - 1; i >= 0; i--) {
            const struct variant *v = a->mix.part[i];

            if ((v->traits & VARIANT_SHARES) != shares)
                continue;
            a->self[i] = arena_zero(ps->memory, v->size + 1);
            params_push(ps, "%s", v->name);
            params_scores(ps, 1);
            v->init(a->self[i], &own, ps);
            params_scores(ps, 0);
            params_pop(ps);
        }
}

struct attention *attention_new(const struct mix *m,
                                const struct model_config *c,
                                struct params *ps)
{
    struct attention *a = arena_zero(ps->memory, sizeof *a);
    unsigned traits = m->part[0]->traits;
    int values = !(traits & VARIANT_NO_VALUES);
    int inner = values ? config_inner(c) : c->d;
    int scalars = c->mix == MIX_SIGMOID ? 1 : m->n;

    a->mix = *m;
    a->rule = m->n > 1 ? c->mix : MIX_PLUS;
    if (values)
        a->v = params_add(ps, "v", PARAM_LEARNED, init_matrix(c->init, 1), 2,
                          (int[]){c->d, inner});
    if (values && c->attention_bias)
        a->v_bias = params_add(ps, "v.bias", PARAM_LEARNED, init_constant(0),
                               1, &inner);
    a->o = params_add(ps, "o", PARAM_LEARNED, init_matrix(c->init, 1), 2,
                      (int[]){inner, c->d});
    if (c->attention_bias || traits & VARIANT_OUTPUT_BIAS)
        a->o_bias = params_add(ps, "o.bias", PARAM_LEARNED, init_constant(0),
                               1, &c->d);
    declare_parts(a, c, ps);
    if (a->rule != MIX_PLUS && a->rule != MIX_HEADS)
        a->a = params_add(ps, "mix.a", PARAM_LEARNED, init_constant(0), 1,
                          &scalars);
    return a;
}

/* Applies one softmax to the mixed scores of all parts. */
static tensor *one_softmax(const struct attention *a, struct tape *t,
                           tensor *const b[], tensor *v, tensor *relative,
                           struct keys keys)
{
    tensor *scores = b[0];

    if (a->mix.n > 1 || relative)
        scores = ad_mix(t, a->rule, a->mix.n, b, a->a, relative);
    return ad_attend(t, scores, v, keys);
}

/* Applies a softmax for each part, then mixes the outputs. */
static tensor *each_softmax(const struct attention *a, struct tape *t,
                            tensor *const b[], tensor *v, tensor *relative,
                            struct keys keys)
{
    tensor *y[MIX_PARTS];

    for (int i = 0; i < a->mix.n; i++) {
        tensor *scores = relative ? ad_mix(t, MIX_PLUS, 1, &b[i], NULL,
                                           relative)
                                  : b[i];

        y[i] = ad_attend(t, scores, v, keys);
    }
    return ad_mix(t, MIX_WEIGHTS, a->mix.n, y, a->a, NULL);
}

void attention_release(struct tape *t, int n, tensor *const b[], tensor *v)
{
    tape_shrink(t, v);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < TENSOR_INPUTS; k++)
            if (b[i]->in[k])
                tape_shrink(t, b[i]->in[k]);
}

static tensor *heads(const struct attention *a, struct tape *t, tensor *x,
                     const struct window *w)
{
    const struct variant *first = a->mix.part[0];
    struct keys keys = {w->from, w->causal, w->length,
                        (first->traits & VARIANT_LINEAR) != 0};
    tensor *relative = variant_alone(first) ? NULL : w->relative;
    tensor *v = NULL, *b[MIX_PARTS];

    if (first->output) {
        v = a->v ? window_linear(w, t, x, a->v, a->v_bias) : NULL;
        return first->output(a->self[0], t, x, v, w);
    }
    for (int i = 0; i < a->mix.n; i++)
        b[i] = a->mix.part[i]->scores(a->self[i], t, x, w);
    v = window_extend(w, window_linear(w, t, x, a->v, a->v_bias));
    tensor *y = (a->rule == MIX_WEIGHTS ? each_softmax : one_softmax)(
        a, t, b, v, relative, keys);
    attention_release(t, a->mix.n, b, v);
    return y;
}

tensor *attention(const struct attention *a, struct tape *t, tensor *x,
                  const struct window *w)
{
    struct window own = *w;

    own.tokens = w->packing ? x : NULL;
    tensor *y = heads(a, t, ad_unpack(t, x, w->packing), &own);
    return linear_last(t, ad_pack(t, y, w->packing), a->o, a->o_bias);
}
