/*
 * attention: the interface of a variant, and the layer that runs one.
 * nn/transformer.c calls attention_new for each layer and attention in each
 * pass.
 *
 * Every self-attention in the paper is, for each head,
 *
 *     Y = softmax(B + mask) V,    V = X W_v,    out = concat(Y) W_o
 *
 * and a variant defines the scores B.  The layer owns W_v, W_o, heads, masks
 * and dropout; the variant owns B and its parameters.  Score tensors are
 * (h,b,n,m), head outermost, so that a product per head runs over all b n rows
 * at once.  Scores that do not depend on X are (h,1,n,m).  Variants for
 * comparison that are not a softmax over n x n scores implement `output` in
 * place of `scores`.
 *
 * To add a variant, write one file in variants/, with its knobs (knob.h), and
 * add one row to variants/list.h.
 */
#pragma once

#include "harness/nn/knob.h"

/* The part of the score matrix that is computed: its rows are the positions
 * `from` to `from` + n - 1 of X, its columns the positions 0 to `keys` - 1. */
struct window {
    int    from, keys;
    int    causal;         /* position i sees positions 0 .. i only     */
    const int *length;     /* (b) keys that are not padding; NULL: all  */
    struct cache *cache;   /* earlier positions while decoding, or NULL */
    tensor *relative;      /* (h,1,n,keys) added to the scores, or NULL */
    const struct packing *packing; /* how X is packed; NULL: not packed */
    tensor *tokens;        /* X without padding, or NULL                */
};

/* A function that is applied to each token separately need not be computed at
 * padding.  window_tokens returns X without padding, or x if X is not packed.
 * The caller computes the function y of these tokens.  window_spread then
 * returns y with padding, ([h,]b,n,.); no later op may read y.  window_linear
 * computes X `matrix` + `bias` in this way; `bias` may be NULL. */
tensor *window_tokens(const struct window *w, tensor *x);
tensor *window_spread(const struct window *w, struct tape *t, tensor *y);
tensor *window_linear(const struct window *w, struct tape *t, tensor *x,
                      tensor *matrix, tensor *bias);

/* Releases values after attention with the n scores b[] and the values v
 * (tape_shrink): no later op may read v, or the tensors from which b[] were
 * computed. */
void attention_release(struct tape *t, int n, tensor *const b[], tensor *v);

/* Returns x w + c without an activation, as ad_linear does; no later op may
 * read x.  c may be NULL. */
tensor *linear_last(struct tape *t, tensor *x, tensor *w, tensor *c);

/* y (b,n,d) are the keys or values of positions `from` to `from` + n - 1.
 * Returns (b,keys,d): y together with the keys or values of earlier positions,
 * from the cache.  If there is no cache, returns y. */
tensor *window_extend(const struct window *w, tensor *y);

/* What row i of B depends on, in addition to the learned parameters. */
enum depends {
    DEPENDS_NOTHING, DEPENDS_TOKEN, DEPENDS_NEIGHBOURS, DEPENDS_PAIRS
};
extern const char *const depends_text[]; /* "nothing", "own token", ... */

enum trait {
    VARIANT_SYNTHESIZER = 1,  /* 8 heads of 128 if code_heads is set      */
    VARIANT_SYMMETRIC = 2,    /* ignores positions: f(PX) = P f(X) for
                                 every permutation P                      */
    VARIANT_LINEAR = 4,       /* scores are the weights: no softmax       */
    VARIANT_NO_VALUES = 8,    /* no W_v: `output` computes from X itself  */
    VARIANT_OUTPUT_BIAS = 16, /* W_o has a bias, `o.bias`                 */
    VARIANT_ENCODER_ONLY = 32, /* rows depend on later tokens */
    VARIANT_SHARES = 64,      /* may use a tensor of another part of a
                                 mixture, so its parameters are declared
                                 after those of the other parts */
    VARIANT_UNIVERSAL = 128,  /* a row of weights can approximate any
                                 function of what it depends on           */
    VARIANT_LOW_RANK = 256    /* VARIANT_UNIVERSAL holds only if
                                 model_config.rank is large enough        */
};

struct variant {
    const char  *name;    /* key in experiments and in the store   */
    const char  *title;   /* as printed in the paper's tables      */
    const char  *cite;    /* source of the formula                 */
    const char  *formula; /* in the notation of print/formula.h; NULL: none */
    enum depends depends;
    unsigned     traits;
    const char  *learns;  /* formula: learned parameters per layer */
    size_t       size;    /* bytes of the state of one layer       */
    const struct key *knobs; /* of the variant (knob.h); NULL: none */

    /* Returns the reason why a layer with configuration c cannot exist, or NULL
     * if it can.  `fault` itself is NULL if every layer can exist. */
    const char *(*fault)(const struct model_config *c);

    /* Declares the parameters of one layer.  The caller has called
     * params_scores(ps, 1), so they count as parameters of the scores, except
     * those that are declared after `init` calls params_scores(ps, 0). */
    void (*init)(void *self, const struct model_config *c, struct params *ps);

    /* Returns B (h,b,n,keys) for x (b,n,d), or (h,1,n,keys) if it ignores x. */
    tensor *(*scores)(const void *self, struct tape *t, tensor *x,
                      const struct window *w);

    /* If not NULL, replaces `scores`.  Returns the input of W_o:
     * (b,n,h k), or (b,n,d) if the variant has no values.  x is (b,n,d); v is
     * V (b,n,h k), or NULL if the variant has no values. */
    tensor *(*output)(const void *self, struct tape *t, tensor *x, tensor *v,
                      const struct window *w);
};

/* Returns 1 if the variant has no scores for a softmax.  Such a variant cannot
 * be part of a mixture, and has no relative position bias. */
int variant_alone(const struct variant *v);

/*
 * A mixture, such as "random+vanilla", is a property of the layer; variants
 * need no code for mixtures.  In the following rules (model_config.mix,
 * engine/ops.h), B_1 are the scores of part[0], B_2 those of part[1], and so
 * on:
 *     logits   B = sum_i alpha_i B_i, alpha = softmax(a), a learned, 0 at first
 *     plus     B = B_1 + B_2
 *     sigmoid  B = (1 - s) B_1 + s B_2, s = sigmoid(a)
 *     weights  Y = sum_i alpha_i softmax(B_i) V
 *     heads    each of p parts has h/p heads of its own; the first part has the
 *              first heads.  A part is initialized like an attention of h/p
 *              heads of width k, and dense variants cut the token into h/p
 *              slices
 */
enum { MIX_PARTS = 4 };

struct mix {
    int                   n;
    const struct variant *part[MIX_PARTS];
};

/* Returns NULL, or the reason why these parts cannot form one layer's
 * attention. */
const char *mix_fault(const struct mix *m, const struct model_config *c);

struct attention; /* one layer: its parts, the mixture's a, W_v, W_o */

/* Declares the parameters of one layer in ps and returns the layer. */
struct attention *attention_new(const struct mix *m,
                                const struct model_config *c,
                                struct params *ps);
/* Returns the output of the layer for x (b,n,d).  If w->packing is set, x and
 * the result are packed. */
tensor *attention(const struct attention *a, struct tape *t, tensor *x,
                  const struct window *w);
