/*
 * attention: what a variant is, and the layer that runs one.
 *
 * Every self-attention in the paper is, for each head,
 *
 *     Y = softmax(B + mask) V,    V = X W_v,    out = concat(Y) W_o
 *
 * and a variant says where the scores B come from.  The layer owns W_v, W_o,
 * heads, masks and dropout; the variant owns B and its parameters.
 * Score tensors are (h,b,n,m): head outermost, so that a product per head
 * runs over all b n rows at once; scores that do not depend on X are (h,1,n,m).
 * The models it is compared with that are no softmax over n x n scores give
 * `output` in place of `scores`.
 *
 * To add a variant: one file in variants/, its knobs in it, and one row in
 * variants/list.h.
 */
#pragma once

#include "harness/nn/knob.h"

/* The part of the score matrix that is wanted: the rows of X are positions
 * from .. from + n - 1, the columns positions 0 .. keys - 1. */
struct window {
    int    from, keys;
    int    causal;         /* row i sees columns 0 .. i only               */
    const int *length;     /* (b) keys that are not padding; NULL: all     */
    struct cache *cache;   /* earlier positions while decoding, or NULL    */
    tensor *relative;      /* (h,1,n,keys) added to the scores, or NULL    */
    const struct packing *packing; /* of X's tokens, or NULL: it is whole  */
    tensor *tokens;        /* X without padding, or NULL                   */
};

/* What is made of tokens one by one need not be made at padding: from X's
 * tokens, then spread to ([h,]b,n,.), the last to read y.  X W + c is. */
tensor *window_tokens(const struct window *w, tensor *x);
tensor *window_spread(const struct window *w, struct tape *t, tensor *y);
tensor *window_linear(const struct window *w, struct tape *t, tensor *x,
                      tensor *matrix, tensor *bias);

/* Keys or values y (b,n,d) of positions from .. from + n - 1, together with
 * those of earlier positions: (b,keys,d).  Without a cache: y itself. */
tensor *window_extend(const struct window *w, tensor *y);

/* What row i of B depends on, beside the weights. */
enum depends {
    DEPENDS_NOTHING, DEPENDS_TOKEN, DEPENDS_NEIGHBOURS, DEPENDS_PAIRS
};
extern const char *const depends_text[]; /* "nothing", "own token", ... */

enum trait {
    VARIANT_SYNTHESIZER = 1,  /* the released code gives it 8 heads of 128  */
    VARIANT_SYMMETRIC = 2,    /* knows no positions: f(PX) = P f(X)         */
    VARIANT_LINEAR = 4,       /* scores are the weights: no softmax         */
    VARIANT_NO_VALUES = 8,    /* has no W_v; `output` makes its own         */
    VARIANT_OUTPUT_BIAS = 16, /* W_o has a bias, `o.bias`                   */
    VARIANT_ENCODER_ONLY = 32, /* a row always sees later tokens            */
    VARIANT_SHARES = 64,      /* may take another part's tensor: it is
                                 declared after the others                  */
    VARIANT_UNIVERSAL = 128,  /* its rows of weights can come as near as one
                                 likes to any function of what they see ... */
    VARIANT_LOW_RANK = 256    /* ... where model_config.rank is enough      */
};

struct variant {
    const char  *name;    /* key in experiments and in the store        */
    const char  *title;   /* as the paper's tables print it             */
    const char  *cite;    /* where the formula stands                   */
    enum depends depends;
    unsigned     traits;
    const char  *learns;  /* formula of its parameters a layer          */
    size_t       size;    /* of one layer's state                       */
    const struct key *knobs; /* that it declares (knob.h); NULL: none    */

    /* Why there is no such layer, or NULL; NULL itself: there always is. */
    const char *(*fault)(const struct model_config *c);

    /* Declare one layer's parameters: of its scores, but for those that it
     * takes out by params_scores. */
    void (*init)(void *self, const struct model_config *c, struct params *ps);

    /* X (b,n,d) -> B (h,b,n,keys), or (h,1,n,keys) if it ignores X. */
    tensor *(*scores)(const void *self, struct tape *t, tensor *x,
                      const struct window *w);

    /* In place of scores: X (b,n,d) and V (b,n,h k), NULL where it has no
     * values -> what W_o is applied to, (b,n,h k), or (b,n,d) without V. */
    tensor *(*output)(const void *self, struct tape *t, tensor *x, tensor *v,
                      const struct window *w);
};

/* Has no scores for a softmax: it cannot be part of a mixture, and relative
 * positions are not added to it. */
int variant_alone(const struct variant *v);

/*
 * A mixture, "random+vanilla", is a property of the layer and costs a variant
 * nothing (model_config.mix, engine/ops.h):
 *     logits   B = sum_i alpha_i B_i, alpha = softmax(a), a learned, 0 at first
 *     plus     B = B_1 + B_2
 *     sigmoid  B = (1 - s) B_1 + s B_2, s = sigmoid(a)
 *     weights  Y = sum_i alpha_i softmax(B_i) V
 *     heads    of p parts each has h/p heads of its own: the first part the
 *              first heads.  A part starts as an attention of h/p heads of the
 *              same width k does, and dense forms cut the token into h/p slices
 */
enum { MIX_PARTS = 4 };

struct mix {
    int                   n;
    const struct variant *part[MIX_PARTS];
};

/* The model as one part of the mixture sees it: with MIX_HEADS it has fewer
 * heads, of the same width. */
struct model_config mix_config(const struct mix *m,
                               const struct model_config *c);

/* NULL, or why these parts cannot be one layer's attention. */
const char *mix_fault(const struct mix *m, const struct model_config *c);

struct attention; /* one layer: parts and their state, a, W_v, W_o */

struct attention *attention_new(const struct mix *m,
                                const struct model_config *c,
                                struct params *ps);
/* x: packed where the window says so, and so is the result. */
tensor *attention(const struct attention *a, struct tape *t, tensor *x,
                  const struct window *w);
