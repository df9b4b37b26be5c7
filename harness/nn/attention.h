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
 *
 * To add a variant: one file in variants/, one row in variants/list.h.
 */
#ifndef NN_ATTENTION_H
#define NN_ATTENTION_H

#include "harness/engine/ops.h"
#include "harness/nn/model_config.h"
#include "harness/nn/params.h"

/* The part of the score matrix that is wanted: the rows of X are positions
 * from .. from + n - 1, the columns positions 0 .. keys - 1. */
struct window {
    int    from, keys;
    int    causal;         /* row i sees columns 0 .. i only               */
    const int *length;     /* (b) keys that are not padding; NULL: all     */
    struct cache *cache;   /* earlier positions while decoding, or NULL    */
};

/* Keys or values y (b,n,d) of positions from .. from + n - 1, together with
 * those of earlier positions: (b,keys,d).  Without a cache: y itself. */
tensor *window_extend(const struct window *w, tensor *y);

struct variant {
    const char *name;    /* key in experiments and in the store        */
    const char *title;   /* as the paper's tables print it             */
    const char *cite;    /* where the formula stands                   */
    const char *depends; /* "nothing", "own token", "pairs of tokens"  */
    const char *learns;  /* formula of its parameters a layer          */
    size_t      size;    /* of one layer's state                       */

    /* Declare one layer's parameters. */
    void (*init)(void *self, const struct model_config *c, struct params *ps);

    /* X (b,n,d) -> B (h,b,n,keys), or (h,1,n,keys) if it ignores X. */
    tensor *(*scores)(const void *self, struct tape *t, tensor *x,
                      const struct window *w);
};

/*
 * A mixture, "random+vanilla", is a property of the layer and costs a variant
 * nothing:  B = sum_i alpha_i B_i,  alpha = softmax(a),  a learned, 0 at first.
 */
enum { MIX_PARTS = 4 };

struct mix {
    int                   n;
    const struct variant *part[MIX_PARTS];
};

struct attention; /* one layer: parts and their state, a, W_v, W_o */

struct attention *attention_new(const struct mix *m,
                                const struct model_config *c,
                                struct params *ps);
tensor *attention(const struct attention *a, struct tape *t, tensor *x,
                  const struct window *w);

#endif
