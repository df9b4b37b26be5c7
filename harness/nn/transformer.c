#include "harness/nn/transformer.h"

#include "harness/base/err.h"
#include "harness/nn/cache.h"

#include <math.h>
#include <stdlib.h>

struct norm { tensor *gain, *bias; };
struct cross { struct norm norm; tensor *q, *k, *v, *o; };

struct layer {
    struct norm       self_norm, ffn_norm;
    struct attention *self;
    struct cross      cross; /* q is NULL where there is none */
    tensor           *w1, *b1, *w2, *b2;
};

struct stack {
    int           causal;
    struct layer *layer;
    struct norm   norm;
};

struct model {
    struct model_config c;
    tensor      *table, *softmax; /* (V,d); the same where tied */
    tensor      *wave;            /* (N,d) sinusoids, a constant */
    tensor      *class_w, *class_b;
    struct stack encoder, decoder;
};

const struct model_config *model_config(const struct model *m) { return &m->c; }

static tensor *square(struct params *ps, const char *name, int d)
{
    return params_add(ps, name, PARAM_LEARNED, init_glorot(), 2,
                      (int[]){d, d});
}

static struct norm norm_new(struct params *ps, const char *at, int d)
{
    struct norm n;

    params_push(ps, "%s", at);
    n.gain = params_add(ps, "gain", PARAM_LEARNED, init_constant(1), 1, &d);
    n.bias = params_add(ps, "bias", PARAM_LEARNED, init_constant(0), 1, &d);
    params_pop(ps);
    return n;
}

static struct cross cross_new(struct params *ps, int d)
{
    struct cross c;

    params_push(ps, "cross");
    c.norm = norm_new(ps, "norm", d);
    c.q = square(ps, "q", d);
    c.k = square(ps, "k", d);
    c.v = square(ps, "v", d);
    c.o = square(ps, "o", d);
    params_pop(ps);
    return c;
}

static void ffn_new(struct layer *l, struct params *ps, int d, int ff)
{
    params_push(ps, "ffn");
    l->ffn_norm = norm_new(ps, "norm", d);
    l->w1 = params_add(ps, "w1", PARAM_LEARNED, init_glorot(), 2,
                       (int[]){d, ff});
    l->b1 = params_add(ps, "b1", PARAM_LEARNED, init_constant(0), 1, &ff);
    l->w2 = params_add(ps, "w2", PARAM_LEARNED, init_glorot(), 2,
                       (int[]){ff, d});
    l->b2 = params_add(ps, "b2", PARAM_LEARNED, init_constant(0), 1, &d);
    params_pop(ps);
}

static void stack_new(struct stack *s, const char *name, int causal, int cross,
                      const struct model_config *c, const struct mix *mix,
                      struct params *ps)
{
    s->causal = causal;
    s->layer = arena_zero(ps->memory, (size_t)c->layers * sizeof *s->layer);
    params_push(ps, "%s", name);
    for (int i = 0; i < c->layers; i++) {
        struct layer *l = &s->layer[i];

        params_push(ps, "%d", i);
        params_push(ps, "self");
        l->self_norm = norm_new(ps, "norm", c->d);
        l->self = attention_new(mix, c, ps);
        params_pop(ps);
        if (cross)
            l->cross = cross_new(ps, c->d);
        ffn_new(l, ps, c->d, c->ff);
        params_pop(ps);
    }
    s->norm = norm_new(ps, "norm", c->d);
    params_pop(ps);
}

/* Sines in the first half of the width, cosines in the second; wavelengths
 * from 2 pi to 10000 x 2 pi. */
static tensor *sinusoid(struct params *ps, int n, int d)
{
    tensor *w = arena_zero(ps->memory, sizeof *w);
    int half = d / 2;

    *w = (tensor){.nd = 2, .dim = {n, d}};
    if (ps->counting || ps->dry)
        return w;
    w->x = arena_zero(ps->memory, (size_t)n * (size_t)d * sizeof *w->x);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < half; j++) {
            double a = i * pow(10000, -(double)j / (half > 1 ? half - 1 : 1));

            w->x[(size_t)i * (size_t)d + (size_t)j] = (real)sin(a);
            w->x[(size_t)i * (size_t)d + (size_t)(half + j)] = (real)cos(a);
        }
    return w;
}

struct model *model_new(const struct model_config *c, const struct mix *mix,
                        struct params *ps)
{
    struct model *m = arena_zero(ps->memory, sizeof *m);
    int table[] = {c->vocab, c->d};
    struct init embedding = init_normal(1 / sqrt(c->d));

    REQUIRE(c->d % c->heads == 0 && c->d % 2 == 0, "d %d, heads %d", c->d,
            c->heads);
    m->c = *c;
    m->wave = sinusoid(ps, c->N, c->d);
    m->table = params_add(ps, "embed.table", PARAM_LEARNED, embedding, 2,
                          table);
    if (c->family != FAMILY_LM)
        stack_new(&m->encoder, "encoder", 0, 0, c, mix, ps);
    if (c->family != FAMILY_ENCODER)
        stack_new(&m->decoder, "decoder", 1, c->family == FAMILY_SEQ2SEQ, c,
                  mix, ps);
    m->softmax = m->table;
    if (c->family == FAMILY_ENCODER) {
        m->class_w = params_add(ps, "classifier.w", PARAM_LEARNED,
                                init_glorot(), 2, (int[]){c->d, c->classes});
        m->class_b = params_add(ps, "classifier.b", PARAM_LEARNED,
                                init_constant(0), 1, &c->classes);
    } else if (!c->tied) {
        m->softmax = params_add(ps, "softmax.table", PARAM_LEARNED, embedding,
                                2, table);
    }
    return m;
}

static tensor *norm(const struct model *m, struct tape *t, struct norm n,
                    tensor *x)
{
    return ad_norm(t, x, n.gain, n.bias, m->c.norm_eps);
}

/* memory W, computed once a sentence while decoding. */
static tensor *from_memory(struct tape *t, struct cache *cache, tensor *memory,
                           tensor *w)
{
    tensor *y = cache ? cache_kept(cache) : NULL;

    if (y)
        return y;
    y = ad_linear(t, memory, w, NULL, ACT_NONE);
    return cache ? cache_keep(cache, y) : y;
}

static tensor *cross(const struct model *m, struct tape *t,
                     const struct cross *c, tensor *x, tensor *memory,
                     const int *length, struct cache *cache)
{
    int k = m->c.d / m->c.heads;
    tensor *q = ad_linear(t, x, c->q, NULL, ACT_NONE);
    tensor *key = from_memory(t, cache, memory, c->k);
    tensor *v = from_memory(t, cache, memory, c->v);
    double scale = m->c.dot_scale ? 1 / sqrt(k) : 1;
    tensor *b = ad_dot_scores(t, q, key, m->c.heads, scale);

    return ad_linear(t, ad_attend(t, b, v, (struct keys){.length = length}),
                     c->o, NULL, ACT_NONE);
}

static tensor *ffn(struct tape *t, const struct layer *l, tensor *x)
{
    tensor *inner = ad_linear(t, x, l->w1, l->b1, ACT_RELU);

    return ad_linear(t, ad_dropout(t, inner), l->w2, l->b2, ACT_NONE);
}

static tensor *run(const struct model *m, struct tape *t,
                   const struct stack *s, const int *ids, int b, int n,
                   const struct window *w, tensor *memory, const int *length)
{
    tensor *x = ad_embed(t, m->table, m->wave, ids, b, n, w->from,
                         sqrt(m->c.d));

    x = ad_dropout(t, x);
    for (int i = 0; i < m->c.layers; i++) {
        const struct layer *l = &s->layer[i];

        t->layer = i;
        t->place = s->causal ? TAPE_DECODER : TAPE_ENCODER;
        x = ad_residual(t, x, attention(l->self, t, norm(m, t, l->self_norm, x),
                                        w));
        t->place = TAPE_CROSS;
        if (l->cross.q)
            x = ad_residual(t, x, cross(m, t, &l->cross,
                                        norm(m, t, l->cross.norm, x), memory,
                                        length, w->cache));
        x = ad_residual(t, x, ffn(t, l, norm(m, t, l->ffn_norm, x)));
    }
    return norm(m, t, s->norm, x);
}

tensor *model_encode(const struct model *m, struct tape *t, const int *source,
                     const int *length, int b, int n)
{
    struct window w = {.keys = n, .length = length};

    return run(m, t, &m->encoder, source, b, n, &w, NULL, NULL);
}

tensor *model_decode(const struct model *m, struct tape *t, const int *ids,
                     int b, int n, const struct window *w, tensor *memory,
                     const int *memory_length)
{
    return run(m, t, &m->decoder, ids, b, n, w, memory, memory_length);
}

tensor *model_logits(const struct model *m, struct tape *t, tensor *y)
{
    int rows = (int)tensor_rows(y), d = m->c.d, v = m->c.vocab;
    tensor *logits = tape_leaf(t, 3, (int[]){y->dim[0], y->dim[1], v});
    struct gemm s = {.m = rows, .n = v, .k = d, .tb = 1, .lda = d, .ldb = d,
                     .ldc = v};

    t->be->gemm(&s, y->x, m->softmax->x, NULL, logits->x);
    return logits;
}

/* A length for each row only where some row is shorter than the rectangle. */
static const int *ragged(const int *length, int b, int n)
{
    for (int i = 0; i < b; i++)
        if (length[i] < n)
            return length;
    return NULL;
}

tensor *model_classify(const struct model *m, struct tape *t,
                       const int *source, const int *length, int b, int n)
{
    tensor *x = model_encode(m, t, source, ragged(length, b, n), b, n);

    return ad_linear(t, ad_mean(t, x, length), m->class_w, m->class_b,
                     ACT_NONE);
}

tensor *model_loss(const struct model *m, struct tape *t,
                   const struct input *in, struct loss *out)
{
    tensor *memory = NULL;
    const int *from = NULL;

    out->smoothing = m->c.label_smoothing;
    if (m->c.family == FAMILY_ENCODER) {
        out->target = in->label;
        out->length = NULL;
        return ad_class_loss(t, model_classify(m, t, in->source,
                                               in->source_length, in->b,
                                               in->n), out);
    }
    if (m->c.family == FAMILY_SEQ2SEQ) {
        from = ragged(in->source_length, in->b, in->n);
        memory = model_encode(m, t, in->source, from, in->b, in->n);
    }
    struct window w = {.keys = in->m, .causal = 1,
                       .length = ragged(in->target_length, in->b, in->m)};
    out->target = in->target_out;
    out->length = in->target_length;
    return ad_vocab_loss(t, model_decode(m, t, in->target_in, in->b, in->m, &w,
                                         memory, from), m->softmax, out);
}
