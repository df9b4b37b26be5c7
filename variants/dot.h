/*
 * dot: scores from dot products of two projections of the tokens,
 *
 *     B_h = X Q_h (X K_h)^T / sqrt(k),    Q, K in R^{d x h k}
 *
 * This code is common to the variants that differ only in how Q and K are
 * initialized and learned.  If Q and K are frozen, a factor g_h of B_h can be
 * learned for each head.  variants/variants.h defines the symbols.
 */
#pragma once

#include "harness/nn/attention.h"

struct dot {
    tensor *q, *k; /* (d,h k): head i has columns i k to i k + k - 1 */
    tensor *q_bias, *k_bias; /* (h k), or NULL          */
    tensor *gain;  /* (h,1), or NULL                    */
    int     heads;
    double  scale;
};

/* Each function declares parameters: dot_init_frozen the frozen matrices "q"
 * and "k", dot_init_tied one frozen matrix, "q", that is both Q and K, and
 * dot_init_learned learned matrices. */
void    dot_init_frozen(struct dot *self, const struct model_config *c,
                        struct params *ps, struct init draw);
void    dot_init_tied(struct dot *self, const struct model_config *c,
                      struct params *ps, struct init draw);
void    dot_init_learned(void *self, const struct model_config *c,
                         struct params *ps);
/* Returns the scores B.  The variants use it as their member `scores`
 * (nn/attention.h). */
tensor *dot_scores(const void *self, struct tape *t, tensor *x,
                   const struct window *w);
