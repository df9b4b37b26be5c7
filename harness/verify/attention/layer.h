/* layer: one self-attention layer of any subject, small, beside its formula:
 * n < N, two heads and more, sentences of unequal lengths. */
#pragma once

#include "harness/verify/attention/formula.h"
#include "harness/verify/attention/subject.h"

enum {
    LAYER_B = 3, LAYER_ROWS = 4, LAYER_N = 6, LAYER_D = 8, LAYER_HEADS = 2,
    LAYER_K = LAYER_D / LAYER_HEADS, LAYER_RANK = 2,
    LAYER_X = LAYER_B * LAYER_ROWS * LAYER_D
};

/* Encoder and decoder, without and with lengths. */
struct mask { int causal; const int *length; };
enum { MASKS = 4 };
extern const struct mask layer_mask[MASKS];
extern const int layer_length[LAYER_B];

/* Can the subject stand under this mask? */
int layer_may(const struct subject *s, const struct mask *m);

/* The plain one, one with other biases and no scale, one with T5's position
 * bias and heads of another width. */
enum { SETTINGS = 3 };
extern const struct model_config layer_config[SETTINGS];

struct layer {
    const struct subject *subject;
    struct model_config   c;
    int                   setting; /* its index of layer_config */
    const struct backend *be;
    struct params         plan, params, view; /* names begin with "self." */
    struct attention     *attention; /* of the view: with gradients       */
    tensor               *relative;  /* of the view, or NULL              */
    struct params         part;      /* scores' own, once asked for       */
    void                 *self;
    struct tape          *tape;
    struct arena         *memory;
    tensor               *x;         /* (b,n,d)                           */
    struct formula        formula;
};

/* Learned values are N(0, 0.6^2), nothing is at its special start.  The
 * reading of a mixture is the subject's. */
void layer_open(struct layer *l, const struct subject *s,
                const struct model_config *c, const struct backend *be);
void layer_close(struct layer *l);

/* Other tokens (b,n,d), with a gradient. */
tensor *layer_tokens(struct layer *l, int n, uint64_t site);

/* A fresh tape, and the layer on x (b,n,d). */
tensor *layer_run(struct layer *l, enum tape_mode mode, tensor *x,
                  const struct mask *m);
/* The same at positions from .. of w. */
tensor *layer_window(struct layer *l, enum tape_mode mode, tensor *x,
                     struct window w);

/* What a single variant's own function gives: B (h,b,n,n) or (h,1,n,n). */
tensor *layer_scores(struct layer *l, enum tape_mode mode, tensor *x,
                     const struct mask *m);

/* The formula on sentence b of x (b,n,d) in double: (n,d), scratch memory of
 * the formula. */
double *layer_formula(struct layer *l, const double *x, int b,
                      const struct mask *m);

/* The gradient of leaf_sum of the layer on l->x, in the view and l->x. */
void layer_backward(struct layer *l, const struct mask *m);
