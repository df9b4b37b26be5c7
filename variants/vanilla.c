/*
 * Dot-product attention (Vaswani et al. 2017, section 3.2)
 *
 *     B_h = X Q_h (X K_h)^T / sqrt(k)
 *
 * Learned per layer: Q and K, 2 d^2.  In the t5 preset 1/sqrt(k) is a factor of
 * the initial Q.  T5-base on C4 has 222,903,552 parameters.
 *
 * The reach of a logit is (2 d)^1/2, at most 2 mu^2 d k^1/2 (train/watch.h;
 * h k = d).
 */
#include "variants/dot.h"

const struct variant variant_vanilla = {
    .name = "vanilla",
    .title = "Transformer",
    .cite = "Vaswani et al. 2017, section 3.2",
    .depends = DEPENDS_PAIRS,
    .traits = VARIANT_SYMMETRIC | VARIANT_UNIVERSAL,
    .learns = "2 d^2",
    .size = sizeof(struct dot),
    .init = dot_init_learned,
    .scores = dot_scores,
};
