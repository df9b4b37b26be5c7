/*
 * Dot-product attention (Vaswani et al. 2017, section 3.2; symbols in
 * variants/variants.h)
 *
 *     B_h = X Q_h (X K_h)^T / sqrt(k)
 *
 * Learned per layer: Q and K, 2 d^2.  In the t5 preset the initial Q has the
 * factor 1/sqrt(k) instead of B.  T5-base on C4 has 222,903,552 parameters.
 *
 * The reach of a logit is (2 d)^1/2, its maximum 2 mu^2 d k^1/2 (train/watch.h;
 * for h k = d).
 */
#include "variants/dot.h"

const struct variant variant_vanilla = {
    .name = "vanilla",
    .title = "Transformer",
    .cite = "Vaswani et al. 2017, section 3.2",
    .formula = "B_h = X Q_h (X K_h)^T / sqrt(k)",
    .depends = DEPENDS_PAIRS,
    .traits = VARIANT_SYMMETRIC | VARIANT_UNIVERSAL,
    .learns = "2 d^2",
    .size = sizeof(struct dot),
    .init = dot_init_learned,
    .scores = dot_scores,
};
