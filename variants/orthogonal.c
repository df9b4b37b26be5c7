/*
 * Orthogonal frozen-QK attention (symbols in variants/variants.h)
 *
 *     B_h = g_h X Q_h (X K_h)^T / sqrt(k),   Q_h^T Q_h = K_h^T K_h = I
 *
 * Q_h, K_h in R^{d x k} are drawn once and never trained; the optimizer has no
 * state for them.  `orthogonal` draws a matrix for each head.
 * `orthogonal-split` draws one matrix (d,h k) and gives each head k of its
 * columns, so that heads are also orthogonal to each other.  orthogonal.method
 * selects the method (stats/linalg.h); the default, QR of a Gaussian with the
 * signs of diag(R) folded in, is Haar distributed.
 *
 * `orthogonal-tied` has K_h = Q_h.  Over draws of Q_h,
 * E[x Q_h (y Q_h)^T] = (k/d) x y^T for two tokens x and y, whereas independent
 * Q_h and K_h give 0.  The expected scores are therefore a positive
 * semidefinite kernel of the tokens.
 *
 * `frozen-gaussian` has entries N(0, 1/d).  It is the control that separates
 * the effect of orthogonality from that of freezing.  All four variants divide
 * by sqrt(k), in both presets.
 *
 * g_h = 1, unless orthogonal.gain is set: then it is learned, starting at 1.
 * The scale of a softmax's logits is its temperature, which frozen matrices
 * cannot learn.  Without the gain only W_v and W_o are learned, and a logit
 * changes only if X changes.  With the gain, h more parameters per layer are
 * learned, and the reach of a logit between two tokens is 1, its maximum mu
 * (train/watch.h).
 */
#include "variants/dot.h"

#include <math.h>

static const char *const methods[] = {LINALG_METHODS(NAMES_WORD) NULL};

static const struct key knobs[] = {
    {.name = "orthogonal.method", .type = &key_enum, KNOB(orthogonal),
     .initial = "qr", .choices = methods,
     .help = "method for drawing orthogonal matrices"},
    {.name = "orthogonal.gain", .type = &key_bool, KNOB(gain),
     .initial = "false",
     .help = "learn a factor per head for frozen dot products"},
    {.name = NULL}};

static int power_of_two(int n) { return !(n & (n - 1)); }

static const char *fault(const struct model_config *c, int columns)
{
    if (columns > c->d)
        return "more orthonormal columns than rows: heads are too wide";
    if (c->orthogonal == LINALG_HADAMARD && !power_of_two(c->d))
        return "orthogonal.method hadamard needs d to be a power of two";
    return NULL;
}

static const char *fault_heads(const struct model_config *c)
{
    return fault(c, config_head(c));
}

static const char *fault_split(const struct model_config *c)
{
    return fault(c, config_inner(c));
}

static void init_heads(void *self, const struct model_config *c,
                       struct params *ps)
{
    dot_init_frozen(self, c, ps, init_orthogonal(c->orthogonal, c->heads));
}

static void init_split(void *self, const struct model_config *c,
                       struct params *ps)
{
    dot_init_frozen(self, c, ps, init_orthogonal(c->orthogonal, 1));
}

static void init_tied(void *self, const struct model_config *c,
                      struct params *ps)
{
    dot_init_tied(self, c, ps, init_orthogonal(c->orthogonal, c->heads));
}

static void init_gaussian(void *self, const struct model_config *c,
                          struct params *ps)
{
    dot_init_frozen(self, c, ps, init_normal(1 / sqrt(c->d)));
}

const struct variant variant_orthogonal = {
    .name = "orthogonal",
    .title = "Orthogonal frozen QK",
    .cite = "proposed rival: frozen orthogonal W_Q, W_K",
    .formula = "B_h = g_h X Q_h (X K_h)^T / sqrt(k); Q_h^T Q_h = K_h^T K_h = I",
    .depends = DEPENDS_PAIRS,
    .traits = VARIANT_SYMMETRIC,
    .learns = "0",
    .size = sizeof(struct dot),
    .knobs = knobs,
    .fault = fault_heads,
    .init = init_heads,
    .scores = dot_scores,
};

const struct variant variant_orthogonal_split = {
    .name = "orthogonal-split",
    .title = "Orthogonal frozen QK (split)",
    .cite = "one orthogonal matrix split over the heads",
    .formula = "B_h = g_h X Q_h (X K_h)^T / sqrt(k); Q^T Q = K^T K = I",
    .depends = DEPENDS_PAIRS,
    .traits = VARIANT_SYMMETRIC,
    .learns = "0",
    .size = sizeof(struct dot),
    .fault = fault_split,
    .init = init_split,
    .scores = dot_scores,
};

const struct variant variant_orthogonal_tied = {
    .name = "orthogonal-tied",
    .title = "Orthogonal frozen QK (tied)",
    .cite = "orthogonal with W_K = W_Q",
    .formula = "B_h = g_h X Q_h (X Q_h)^T / sqrt(k); Q_h^T Q_h = I",
    .depends = DEPENDS_PAIRS,
    .traits = VARIANT_SYMMETRIC,
    .learns = "0",
    .size = sizeof(struct dot),
    .fault = fault_heads,
    .init = init_tied,
    .scores = dot_scores,
};

const struct variant variant_frozen_gaussian = {
    .name = "frozen-gaussian",
    .title = "Gaussian frozen QK",
    .cite = "control: freezing without orthogonality",
    .formula = "B_h = g_h X Q_h (X K_h)^T / sqrt(k); Q_h, K_h in RR^{d x k}",
    .depends = DEPENDS_PAIRS,
    .traits = VARIANT_SYMMETRIC,
    .learns = "0",
    .size = sizeof(struct dot),
    .init = init_gaussian,
    .scores = dot_scores,
};
