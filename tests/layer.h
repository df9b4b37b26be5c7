/* layer: one self-attention layer of any variant, at the size of a test. */
#ifndef TESTS_LAYER_H
#define TESTS_LAYER_H

#include "harness/nn/attention.h"
#include "harness/nn/optim.h"
#include "tests/formula.h"

enum {
    LAYER_B = 3, LAYER_ROWS = 4, LAYER_N = 6, LAYER_D = 8, LAYER_HEADS = 2,
    LAYER_K = LAYER_D / LAYER_HEADS, LAYER_RANK = 2,
    LAYER_X = LAYER_B * LAYER_ROWS * LAYER_D
};

enum { LAYER_NAMES = 64 };

/* Every variant of variants/list.h, then mixtures; returns how many. */
int layer_names(const char *name[LAYER_NAMES]);

/* "random+dense"; aborts at a part that does not exist. */
struct mix layer_mix(const char *name);

struct layer {
    struct model_config c;
    struct mix          mix;
    struct params       plan, params, view; /* names begin with "self." */
    struct attention   *attention;          /* of the view: with gradients */
    struct tape        *tape;
    struct arena       *memory;
    tensor             *x;                  /* (b,n,d), n < N */
    struct formula      formula;
};

/* Learned values are N(0, 0.6^2), nothing is at its special start. */
void layer_open(struct layer *l, const char *name);
void layer_open_as(struct layer *l, const char *name,
                   const struct model_config *c);
void layer_close(struct layer *l);

extern const struct model_config layer_config;
extern const struct optim_rule   layer_adam;

/* A fresh tape, and the layer on x (b,n,d). */
tensor *layer_run(struct layer *l, enum tape_mode mode, tensor *x, int causal,
                  const int *length);

/* The scores B in the graph of the layer's output y. */
tensor *layer_scores(const tensor *y);

/* The formula on the same x, all sentences; free with the layer. */
double *layer_formula(struct layer *l, const tensor *x, int causal,
                      const int *length);

#endif
