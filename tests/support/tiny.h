/* tiny: a model of any family and variant at the size of a test, and a batch
 * for it: unequal lengths, n < N, padding 0. */
#pragma once

#include "harness/nn/transformer.h"
#include "harness/verify/attention/formula.h"

enum {
    TINY_B = 3, TINY_SOURCE = 5, TINY_TARGET = 4, TINY_N = 6, TINY_D = 8,
    TINY_VOCAB = 11, TINY_CLASSES = 3
};

struct tiny {
    struct model_config c;
    struct mix          mix;
    struct params       plan, params, view;
    struct model       *model;    /* of the view: with gradients */
    struct tape        *tape;
    struct arena       *memory;
    struct formula      formula;
};

extern const char *const tiny_family[3]; /* "seq2seq", "lm", "encoder" */

/* Two layers, label smoothing 0.1; in family lm the softmax is apart. */
struct model_config tiny_config(enum family family);
/* The same as t5 would have it. */
struct model_config tiny_t5(enum family family);

/* Weights as they are drawn, plus N(0, 0.2^2): no gain is 1, no bias 0.  The
 * configuration says how a mixture is mixed. */
void tiny_open(struct tiny *t, const struct model_config *c,
               const char *variant);
void tiny_close(struct tiny *t);

/* The batch; all of it, or one sentence cut to its lengths. */
struct input tiny_batch(enum family family);
struct input tiny_sentence(enum family family, int b);

/* out (m,V) = logits of sentence b by the formula; out (C) of the encoder. */
void tiny_formula(struct tiny *t, int b, double *out);
