/*
 * conv: what lightweight and dynamic convolutions have in common.
 *
 *     u = (X Wa + ba) * sigmoid(X Wb + bb),   w1 = (Wa, Wb) (d,2d)
 *     y[i,c] = sum_j softmax_j(tap[g(c), j]) u[i + first + j, c]
 *
 * H heads of K taps; channel c belongs to head g(c) = c H div d.  first is
 * -(K div 2) in an encoder and -(K - 1) in a decoder; outside the sentence, and
 * at padding, u is 0, and the weights are not renormalised.  Dropout acts on
 * the normalised taps (DropConnect).
 */
#ifndef VARIANTS_CONV_H
#define VARIANTS_CONV_H

#include "harness/nn/attention.h"

struct conv_layer {
    int     heads, k;    /* H, K                                      */
    tensor *w1, *b1;     /* (d,2d) (2d)                               */
    tensor *taps;        /* (H,K): lightweight; or NULL               */
    tensor *wk, *bk;     /* (d,H K) (H K): column g K + tap; or NULL       */
    tensor *bias;        /* (d) of the convolution; NULL: none        */
};

/* Taps are learned, or with `dynamic` made of u. */
void    conv_init(struct conv_layer *me, const struct model_config *c,
                  struct params *ps, int heads, int taps, int dynamic);
tensor *conv_output(const void *self, struct tape *t, tensor *x, tensor *v,
                    const struct window *w);

#endif
