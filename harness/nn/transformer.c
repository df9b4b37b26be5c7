#include "harness/nn/transformer.h"

#include "harness/base/err.h"
#include "harness/nn/cache.h"

#include <math.h>

struct norm { tensor *gain, *bias; };
struct cross { struct norm norm; tensor *q, *k, *v, *o; };

struct layer {
    struct norm       self_norm, ffn_norm;
    struct attention *self;
    struct cross      cross; /* q NULL: none */
    tensor           *w1, *b1, *w2, *b2;
};

struct stack {
    int           causal;
    tensor       *relative; /* (buckets,h), or NULL     */
    tensor       *wave;     /* positions (N,d), or NULL */
    struct layer *layer;
    struct norm   norm;
};

struct model {
    struct model_config c;
    tensor      *table, *softmax; /* (V,d); the same if tied */
    tensor      *class_w, *class_b;
    struct stack encoder, decoder;
};

const struct model_config *model_config(const struct model *m) { return &m->c; }

static tensor *matrix(struct params *ps, const struct model_config *c,
                      const char *name, int d, int e, double scale)
{
    return params_add(ps, name, PARAM_LEARNED, init_matrix(c->init, scale), 2,
                      (int[]){d, e});
}

static tensor *vector(struct params *ps, const char *name, int d, double value)
{
    return params_add(ps, name, PARAM_LEARNED, init_constant(value), 1, &d);
}

static struct norm norm_new(struct params *ps, const struct model_config *c,
                            const char *at)
{
    struct norm n = {NULL, NULL};

    params_push(ps, "%s", at);
    n.gain = vector(ps, "gain", c->d, 1);
    if (c->norm == NORM_LAYER)
        n.bias = vector(ps, "bias", c->d, 0);
    params_pop(ps);
    return n;
}

static int cross_heads(const struct model_config *c)
{
    return c->cross_heads ? c->cross_heads : c->heads;
}

/* Returns 1 / sqrt(k), where k is the width of a head of cross-attention.  This
 * factor scales the scores if dot_scale is set, else the initial q. */
static double cross_scale(const struct model_config *c)
{
    return 1 / sqrt((double)c->d / cross_heads(c));
}

static struct cross cross_new(struct params *ps, const struct model_config *c)
{
    struct cross x;
    int d = c->d;

    params_push(ps, "cross");
    x.norm = norm_new(ps, c, "norm");
    x.q = matrix(ps, c, "q", d, d, c->dot_scale ? 1 : cross_scale(c));
    x.k = matrix(ps, c, "k", d, d, 1);
    x.v = matrix(ps, c, "v", d, d, 1);
    x.o = matrix(ps, c, "o", d, d, 1);
    params_pop(ps);
    return x;
}

static void ffn_new(struct layer *l, struct params *ps,
                    const struct model_config *c)
{
    params_push(ps, "ffn");
    l->ffn_norm = norm_new(ps, c, "norm");
    l->w1 = matrix(ps, c, "w1", c->d, c->ff, 1);
    if (c->ffn_bias)
        l->b1 = vector(ps, "b1", c->ff, 0);
    l->w2 = matrix(ps, c, "w2", c->ff, c->d, 1);
    if (c->ffn_bias)
        l->b2 = vector(ps, "b2", c->d, 0);
    params_pop(ps);
}

static struct init embedding(const struct model_config *c)
{
    double rule = c->init == INIT_GLOROT ? 1 / sqrt(c->d) : 1;

    return init_normal(c->init_embed > 0 ? c->init_embed : rule);
}

/* Returns c with the convolution width of layer i as the only width. */
static struct model_config of_layer(const struct model_config *c, int i)
{
    struct model_config own = *c;
    int last = c->conv_width.n - 1;

    if (last > 0)
        own.conv_width = (struct widths){1, {c->conv_width.at[i < last ? i
                                                                   : last]}};
    return own;
}

/* Returns the positions (n,d): sines in the first half of the width, cosines in
 * the second; wavelengths from 2 pi to 10000 x 2 pi. */
static tensor *sinusoid(struct params *ps, int n, int d)
{
    tensor *w = arena_zero(ps->memory, sizeof *w);
    int half = d / 2;

    *w = (tensor){.nd = 2, .dim = {n, d}};
    if (ps->counting || ps->be->dry) /* no value is read */
        return w;
    size_t bytes = (size_t)n * (size_t)d * sizeof(real);
    real *x = arena_zero(ps->memory, bytes);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < half; j++) {
            double a = i * pow(10000, -(double)j / (half > 1 ? half - 1 : 1));

            x[(size_t)i * (size_t)d + (size_t)j] = (real)sin(a);
            x[(size_t)i * (size_t)d + (size_t)(half + j)] = (real)cos(a);
        }
    w->x = arena_take(ps->data, bytes);
    ps->be->put(w->x, x, bytes);
    return w;
}

static tensor *positions(struct params *ps, const struct model_config *c)
{
    if (c->position == POSITION_SINUSOIDAL)
        return sinusoid(ps, c->N, c->d);
    if (c->position == POSITION_LEARNED)
        return params_add(ps, "position", PARAM_LEARNED, embedding(c), 2,
                          (int[]){c->N, c->d});
    return NULL;
}

static void stack_new(struct stack *s, const char *name, int causal, int cross,
                      const struct model_config *c, const struct mix *mix,
                      struct params *ps)
{
    s->causal = causal;
    s->layer = arena_zero(ps->memory, (size_t)c->layers * sizeof *s->layer);
    params_push(ps, "%s", name);
    s->wave = positions(ps, c);
    if (c->relative_bias && !variant_alone(mix->part[0]))
        s->relative = params_add(ps, "relative", PARAM_LEARNED, init_glorot(),
                                 2, (int[]){c->relative_buckets, c->heads});
    for (int i = 0; i < c->layers; i++) {
        struct model_config own = of_layer(c, i);
        struct layer *l = &s->layer[i];

        params_push(ps, "%d", i);
        params_push(ps, "self");
        l->self_norm = norm_new(ps, c, "norm");
        l->self = attention_new(mix, &own, ps);
        params_pop(ps);
        if (cross)
            l->cross = cross_new(ps, c);
        if (!c->probe)
            ffn_new(l, ps, c);
        params_pop(ps);
    }
    if (!c->probe)
        s->norm = norm_new(ps, c, "norm");
    params_pop(ps);
}

struct model_config model_resolve(const struct model_config *c,
                                  const struct mix *mix)
{
    struct model_config own = *c;
    int synthesizer = 0;

    for (int i = 0; i < mix->n; i++)
        synthesizer |= mix->part[i]->traits & VARIANT_SYNTHESIZER;
    if (c->code_heads && synthesizer) {
        own.cross_heads = cross_heads(c);
        own.heads = 8;
        own.head_width = 128;
    }
    return own;
}

const char *model_fault(const struct model_config *c, const struct mix *mix)
{
    struct model_config own = model_resolve(c, mix);

    return mix_fault(mix, &own);
}

struct model *model_new(const struct model_config *config,
                        const struct mix *mix, struct params *ps)
{
    struct model *m = arena_zero(ps->memory, sizeof *m);
    struct model_config *c = &m->c;
    int table[] = {config->vocab, config->d};
    const char *fault = model_fault(config, mix);

    m->c = model_resolve(config, mix);
    REQUIRE(!fault, "%s", fault);
    REQUIRE((c->d % c->heads == 0 || c->head_width) && c->d % 2 == 0 &&
                c->d % cross_heads(c) == 0, "d %d, heads %d", c->d, c->heads);
    m->table = params_add(ps, "embed.table", PARAM_LEARNED, embedding(c), 2,
                          table);
    if (c->family != FAMILY_LM)
        stack_new(&m->encoder, "encoder", 0, 0, c, mix, ps);
    if (c->family != FAMILY_ENCODER)
        stack_new(&m->decoder, "decoder", 1, c->family == FAMILY_SEQ2SEQ, c,
                  mix, ps);
    m->softmax = m->table;
    if (c->family == FAMILY_ENCODER) {
        m->class_w = matrix(ps, c, "classifier.w", c->d, c->classes, 1);
        m->class_b = vector(ps, "classifier.b", c->classes, 0);
    } else if (!c->tied) {
        m->softmax = params_add(ps, "softmax.table", PARAM_LEARNED,
                                embedding(c), 2, table);
    }
    return m;
}

static tensor *norm(const struct model *m, struct tape *t, struct norm n,
                    tensor *x)
{
    return ad_norm(t, x, n.gain, n.bias, m->c.norm_eps);
}

/* The input of cross-attention: the encoder's output, packed or not. */
struct memory {
    tensor               *x;
    const struct packing *packing;
    const int            *length;
};

static tensor *linear(struct tape *t, tensor *x, tensor *w,
                      const struct packing *packing)
{
    struct window of = {.packing = packing, .tokens = packing ? x : NULL};

    return window_linear(&of, t, x, w, NULL);
}

/* Returns the product of `memory` and w.  While decoding, computes it only once
 * for each sentence. */
static tensor *from_memory(struct tape *t, struct cache *cache,
                           const struct memory *memory, tensor *w)
{
    tensor *y = cache ? cache_kept(cache) : NULL;

    if (y)
        return y;
    y = linear(t, memory->x, w, memory->packing);
    return cache ? cache_keep(cache, y) : y;
}

static tensor *cross(const struct model *m, struct tape *t,
                     const struct cross *c, tensor *x,
                     const struct memory *memory, const struct window *w)
{
    tensor *q = linear(t, x, c->q, w->packing);
    tensor *key = from_memory(t, w->cache, memory, c->k);
    tensor *v = from_memory(t, w->cache, memory, c->v);
    struct keys keys = {.length = memory->length};
    double scale = m->c.dot_scale ? cross_scale(&m->c) : 1;
    tensor *b = ad_dot_scores(t, q, key, cross_heads(&m->c), scale);
    tensor *y = ad_attend(t, b, v, keys);

    attention_release(t, 1, &b, v);
    return linear_last(t, ad_pack(t, y, w->packing), c->o, NULL);
}

static tensor *ffn(struct tape *t, const struct layer *l, tensor *x)
{
    tensor *inner = ad_linear(t, x, l->w1, l->b1, ACT_RELU);

    return linear_last(t, ad_dropout(t, inner), l->w2, l->b2);
}

static tensor *relative(const struct model *m, struct tape *t,
                        const struct stack *s, int n, const struct window *w)
{
    struct relative r = {m->c.relative_buckets, m->c.relative_distance,
                         s->causal};

    return s->relative ? ad_relative(t, s->relative, &r, w->from, n, w->keys)
                       : NULL;
}

/* Returns x + dropout(y), where y was computed from z, which no later op
 * reads. */
static tensor *residual(struct tape *t, tensor *x, tensor *z, tensor *y)
{
    tape_shrink(t, z);
    return ad_residual(t, x, y);
}

/* Runs one stack.  The result is packed according to t->packing. */
static tensor *run_stack(const struct model *m, struct tape *t,
                         const struct stack *s, const int *ids, int b, int n,
                         const struct window *window,
                         const struct memory *memory)
{
    struct window w = *window;
    tensor *x = ad_embed(t, m->table, s->wave, ids, b, n, w.from,
                         m->c.embed_scale ? sqrt(m->c.d) : 1);

    w.packing = t->packing = tape_packing(t, w.length, b, n);
    x = ad_dropout(t, ad_pack(t, x, w.packing));
    w.relative = relative(m, t, s, n, &w);
    for (int i = 0; i < m->c.layers; i++) {
        const struct layer *l = &s->layer[i];

        t->layer = i;
        t->place = s->causal ? TAPE_DECODER : TAPE_ENCODER;
        tensor *z = norm(m, t, l->self_norm, x);
        x = residual(t, x, z, attention(l->self, t, z, &w));
        t->place = TAPE_CROSS;
        if (l->cross.q) {
            z = norm(m, t, l->cross.norm, x);
            x = residual(t, x, z, cross(m, t, &l->cross, z, memory, &w));
        }
        if (!m->c.probe) {
            z = norm(m, t, l->ffn_norm, x);
            x = residual(t, x, z, ffn(t, l, z));
        }
    }
    return m->c.probe ? x : norm(m, t, s->norm, x);
}

/* Returns the factor of the logits: 1 / sqrt(d) if logit_scale is set, else
 * 1. */
static double logit_factor(const struct model *m)
{
    return m->c.logit_scale ? 1 / sqrt(m->c.d) : 1;
}

tensor *model_encode(const struct model *m, struct tape *t, const int *source,
                     const int *length, int b, int n)
{
    struct window w = {.keys = n, .length = length};

    tensor *x = run_stack(m, t, &m->encoder, source, b, n, &w, NULL);

    return ad_unpack(t, x, t->packing);
}

tensor *model_decode(const struct model *m, struct tape *t, const int *ids,
                     int b, int n, const struct window *w, tensor *memory,
                     const int *memory_length)
{
    struct memory from = {memory, NULL, memory_length};
    tensor *x = run_stack(m, t, &m->decoder, ids, b, n, w, &from);

    return ad_unpack(t, x, t->packing);
}

tensor *model_logits(const struct model *m, struct tape *t, tensor *y)
{
    int rows = (int)tensor_rows(y), d = m->c.d, v = m->c.vocab;
    tensor *logits = tape_leaf(t, 3, (int[]){y->dim[0], y->dim[1], v});
    struct gemm s = {.m = rows, .n = v, .k = d, .tb = 1, .lda = d, .ldb = d,
                     .ldc = v, .alpha = (real)logit_factor(m)};

    tape_gemm(t, &s, y->x, m->softmax->x, NULL, logits->x);
    return logits;
}

/* Returns `length`, or NULL if every row has n positions. */
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
    struct memory memory = {0};

    out->smoothing = m->c.label_smoothing;
    if (m->c.family == FAMILY_ENCODER) {
        tensor *y = model_classify(m, t, in->source, in->source_length, in->b,
                                   in->n);

        out->target = in->label;
        out->length = out->prompt = NULL;
        return m->c.classes == 1 ? ad_square_loss(t, y, in->value, out)
                                 : ad_class_loss(t, y, out);
    }
    if (m->c.family == FAMILY_SEQ2SEQ) {
        struct window all = {.keys = in->n, .length = ragged(in->source_length,
                                                             in->b, in->n)};

        memory.length = all.length;
        memory.x = run_stack(m, t, &m->encoder, in->source, in->b, in->n, &all,
                             NULL);
        memory.packing = t->packing;
    }
    struct window w = {.keys = in->m, .causal = 1,
                       .length = ragged(in->target_length, in->b, in->m)};
    out->target = in->target_out;
    out->length = in->target_length;
    out->prompt = in->prompt;
    out->logits = logit_factor(m);
    tensor *y = run_stack(m, t, &m->decoder, in->target_in, in->b, in->m, &w,
                          &memory);
    return ad_vocab_loss(t, ad_unpack(t, y, t->packing), m->softmax, out);
}
