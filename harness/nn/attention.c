#include "harness/nn/attention.h"

#include "harness/base/err.h"
#include "harness/nn/cache.h"

struct attention {
    struct mix mix;
    void      *self[MIX_PARTS];
    tensor    *v, *o, *a; /* (d,d) (d,d) (parts), NULL for a single part */
};

tensor *window_extend(const struct window *w, tensor *y)
{
    return w->cache ? cache_extend(w->cache, y, w->from) : y;
}

struct attention *attention_new(const struct mix *m,
                                const struct model_config *c,
                                struct params *ps)
{
    struct attention *a = arena_zero(ps->memory, sizeof *a);
    int square[] = {c->d, c->d};

    a->mix = *m;
    a->v = params_add(ps, "v", PARAM_LEARNED, init_glorot(), 2, square);
    a->o = params_add(ps, "o", PARAM_LEARNED, init_glorot(), 2, square);
    for (int i = 0; i < m->n; i++) {
        a->self[i] = arena_zero(ps->memory, m->part[i]->size + 1);
        params_push(ps, "%s", m->part[i]->name);
        m->part[i]->init(a->self[i], c, ps);
        params_pop(ps);
    }
    if (m->n > 1)
        a->a = params_add(ps, "mix.a", PARAM_LEARNED, init_constant(0), 1,
                          (int[]){m->n});
    return a;
}

tensor *attention(const struct attention *a, struct tape *t, tensor *x,
                  const struct window *w)
{
    tensor *part[MIX_PARTS];
    struct keys keys = {w->from, w->causal, w->length};

    for (int i = 0; i < a->mix.n; i++)
        part[i] = a->mix.part[i]->scores(a->self[i], t, x, w);
    tensor *b = a->mix.n > 1 ? ad_mix(t, a->mix.n, part, a->a) : part[0];
    tensor *v = window_extend(w, ad_linear(t, x, a->v, NULL, ACT_NONE));
    return ad_linear(t, ad_attend(t, b, v, keys), a->o, NULL, ACT_NONE);
}
