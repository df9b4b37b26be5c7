/*
 * Orthogonal frozen-QK attention
 *
 *     B_h = X Q_h (X K_h)^T / sqrt(k),   Q_h^T Q_h = K_h^T K_h = I
 *
 * Q_h, K_h in R^{d x k} are drawn once per head, Haar distributed (QR of a
 * Gaussian with the signs of diag(R) folded in), and never trained: the
 * optimiser has no state for them.  Learned: nothing beside W_v, W_o.
 */
#include "variants/dot.h"

static void init(void *self, const struct model_config *c, struct params *ps)
{
    dot_init(self, c, ps, PARAM_FROZEN, init_orthogonal(c->heads), 1);
}

const struct variant variant_orthogonal = {
    .name = "orthogonal",
    .title = "Orthogonal frozen QK",
    .cite = "proposed rival: frozen orthogonal W_Q, W_K",
    .depends = "pairs of tokens",
    .learns = "0",
    .size = sizeof(struct dot),
    .init = init,
    .scores = dot_scores,
};
