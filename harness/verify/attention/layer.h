/* layer: one small self-attention layer of a subject (subject.h), together with
 * its formula (formula.h).  verify.c opens the layer; the checks run it in
 * several ways.  It has fewer rows than N, at least two heads, and sentences of
 * unequal lengths. */
#pragma once

#include "harness/verify/attention/formula.h"
#include "harness/verify/attention/subject.h"

enum {
    LAYER_B = 3, LAYER_ROWS = 4, LAYER_N = 6, LAYER_D = 8, LAYER_HEADS = 2,
    LAYER_K = LAYER_D / LAYER_HEADS, LAYER_RANK = 2,
    LAYER_X = LAYER_B * LAYER_ROWS * LAYER_D
};

/* The masks of encoder and decoder, each without and with lengths. */
struct mask { int causal; const int *length; };
enum { MASKS = 4 };
extern const struct mask layer_mask[MASKS];
extern const int layer_length[LAYER_B];

/* Returns 1 if the subject supports this mask. */
int layer_may(const struct subject *s, const struct mask *m);

/* The settings in which a layer is checked: a plain one; one with other biases
 * and without the scale of dot products; and one with T5's position bias and
 * heads of a different width. */
enum { SETTINGS = 3 };
extern const struct model_config layer_config[SETTINGS];

struct layer {
    const struct subject *subject;
    struct model_config   c;
    int                   setting; /* index of c in layer_config */
    const struct backend *be;
    struct params         plan, params, view; /* names begin with "self." */
    struct attention     *attention; /* of the view, with gradients       */
    tensor               *relative;  /* of the view, or NULL              */
    /* The parameters and the state of the subject's only variant, which
     * layer_scores opens; `self` is NULL before. */
    struct params         part;
    void                 *self;
    struct tape          *tape;
    struct arena         *memory;
    tensor               *x;         /* (b,n,d)                           */
    struct formula        formula;
};

/* Opens a layer.  Learned values are drawn from N(0, 0.6^2), so that no
 * parameter has a special initial value such as 0 or 1.  The parts of a mixture
 * are combined by the member `rule` of the subject. */
void layer_open(struct layer *l, const struct subject *s,
                const struct model_config *c, const struct backend *be);
void layer_close(struct layer *l);

/* Returns a new input (b,n,d) of n random tokens per sentence, with a
 * gradient. */
tensor *layer_tokens(struct layer *l, int n, uint64_t site);

/* Begins a new tape and returns the output of the layer for x (b,n,d). */
tensor *layer_run(struct layer *l, enum tape_mode mode, tensor *x,
                  const struct mask *m);
/* Does the same as layer_run, but with the positions and the mask of window
 * w. */
tensor *layer_window(struct layer *l, enum tape_mode mode, tensor *x,
                     struct window w);

/* Returns the scores B (h,b,n,n) or (h,1,n,n) that the variant's function
 * `scores` computes.  The subject must be a single variant. */
tensor *layer_scores(struct layer *l, enum tape_mode mode, tensor *x,
                     const struct mask *m);

/* Returns the output (n,d) of the formula for sentence b of x (b,n,d), in
 * scratch memory of the formula. */
double *layer_formula(struct layer *l, const double *x, int b,
                      const struct mask *m);

/* Runs the layer on l->x and computes the gradient of leaf_sum (leaf.h) of its
 * output.  The gradient is stored in the parameters of l->view and in l->x. */
void layer_backward(struct layer *l, const struct mask *m);
