/* tiny: a model of test size, of any family and variant, and a batch for it
 * with unequal lengths, n < N and padding 0. */
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
    struct model       *model;    /* of the view, with gradients */
    struct tape        *tape;
    struct arena       *memory;
    struct formula      formula;
};

extern const char *const tiny_family[3]; /* "seq2seq", "lm", "encoder" */

/* Returns a configuration with two layers and label smoothing 0.1. In family
 * lm, the output embedding is not tied to the input embedding. */
struct model_config tiny_config(enum family family);
/* Returns the same configuration with the settings of T5. */
struct model_config tiny_t5(enum family family);

/* Opens a model with initial weights plus values from N(0, 0.2^2), so that no
 * gain is 1 and no bias is 0. The configuration selects the interpretation of a
 * mixture. */
void tiny_open(struct tiny *t, const struct model_config *c,
               const char *variant);
void tiny_close(struct tiny *t);

/* tiny_batch returns the batch. tiny_sentence returns sentence b of the batch,
 * without padding. */
struct input tiny_batch(enum family family);
struct input tiny_sentence(enum family family, int b);

/* Computes the logits of sentence b by the formula: out (m,V), or out (C) in
 * family encoder. */
void tiny_formula(struct tiny *t, int b, double *out);
