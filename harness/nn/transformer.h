/*
 * transformer: the three model families.
 *
 *     seq2seq   encoder and decoder (Vaswani et al. 2017), cross-attention
 *               always vanilla dot product
 *     lm        a decoder without cross-attention
 *     encoder   an encoder, the mean over positions, a linear classifier, or
 *               one output and the squared error where there is one class
 *     probe     (of lm or encoder) one layer of attention and nothing else:
 *               what reads x + f(norm(x)) is linear
 *
 * A sub-layer is x + dropout(f(norm(x))), with one more norm at the end of a
 * stack; f is self-attention (a variant, nn/attention.h), cross-attention, or
 * relu(x W1 + b1) W2 + b2.  Two presets (config/key_table.c): t2t, as in
 * Tensor2Tensor (layer norm; sinusoids, sines then cosines, added to sqrt(d)
 * times the embedding), and t5, as in T5 (Raffel et al. 2020: root mean square
 * norm, no biases, a relative position bias shared by the layers of a stack,
 * logits divided by sqrt(d)).
 */
#pragma once

#include "harness/nn/attention.h"

struct model;

/* One step's ids, or a shard's.  Shapes: (b,n) source, (b,m) targets. */
struct input {
    int        b, n, m;
    const int *source, *source_length;
    const int *target_in, *target_out, *target_length;
    const int *prompt;  /* (b) targets at first that do not count; NULL: 0 */
    const int *label;
    const float *value; /* of regression: classes = 1 */
};

/* Where the Transformer's heads are not the variant's (heads: code), the
 * latter: 8 heads of 128 for a synthesizer; cross-attention keeps its own. */
struct model_config model_resolve(const struct model_config *c,
                                  const struct mix *mix);

/* NULL, or why there is no such model: a variant that cannot sit in a decoder,
 * parts that do not mix, matrices that do not exist. */
const char *model_fault(const struct model_config *c, const struct mix *mix);

/* Declares every parameter in ps; memory is ps's. */
struct model *model_new(const struct model_config *c, const struct mix *mix,
                        struct params *ps);

/* The loss of a batch or shard; out->scale, nll and hit as ad_vocab_loss. */
tensor *model_loss(const struct model *m, struct tape *t,
                   const struct input *in, struct loss *out);

/* Encoder output (b,n,d), normed. */
tensor *model_encode(const struct model *m, struct tape *t, const int *source,
                     const int *length, int b, int n);

/* Decoder output (b,m,d) of positions w->from ..; memory and its lengths are
 * NULL in family lm. */
tensor *model_decode(const struct model *m, struct tape *t, const int *ids,
                     int b, int n, const struct window *w, tensor *memory,
                     const int *memory_length);

/* Logits of decoder output y: (b,m,V). */
tensor *model_logits(const struct model *m, struct tape *t, tensor *y);

/* Class logits (b,C) of the encoder family. */
tensor *model_classify(const struct model *m, struct tape *t,
                       const int *source, const int *length, int b, int n);

const struct model_config *model_config(const struct model *m);
