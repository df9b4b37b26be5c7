/*
 * dot: scores from dot products of two projections of the tokens,
 *
 *     B_h = X Q_h (X K_h)^T / sqrt(k),    Q, K in R^{d x h k}
 *
 * shared by the variants that differ in Q and K.  If Q and K are frozen, a
 * factor g_h for each head may be learned.
 */
#pragma once

#include "harness/nn/attention.h"

struct dot {
    tensor *q, *k; /* (d,h k): head i is columns i k .. */
    tensor *q_bias, *k_bias; /* (h k), or NULL          */
    tensor *gain;  /* (h,1), or NULL                    */
    int     heads;
    double  scale;
};

void    dot_init_frozen(struct dot *self, const struct model_config *c,
                        struct params *ps, struct init draw);
/* Declares one frozen matrix, "q", that is both Q and K. */
void    dot_init_tied(struct dot *self, const struct model_config *c,
                      struct params *ps, struct init draw);
void    dot_init_learned(void *self, const struct model_config *c,
                         struct params *ps);
tensor *dot_scores(const void *self, struct tape *t, tensor *x,
                   const struct window *w);
