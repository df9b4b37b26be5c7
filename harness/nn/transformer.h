/*
 * transformer: builds and runs a model of one of three families, or a probe.
 * model_new declares the parameters.  Training and evaluation call model_loss;
 * decoding calls model_encode, model_decode and model_logits; classification
 * calls model_classify.
 *
 *     seq2seq   encoder and decoder (Vaswani et al. 2017); cross-attention is
 *               always a vanilla dot product
 *     lm        a decoder without cross-attention
 *     encoder   an encoder, the mean over positions and a linear classifier;
 *               with one class, one output and the squared error
 *     probe     an lm or encoder (model_config.probe) that has only one layer
 *               of attention, whose output x + f(norm(x)) a linear layer reads
 *
 * A sub-layer is x + dropout(f(norm(x))), with one more norm at the end of a
 * stack; f is self-attention (a variant, nn/attention.h), cross-attention, or
 * relu(x W1 + b1) W2 + b2.  There are two presets (config/key_table.c).  t2t is
 * as in Tensor2Tensor: layer norm; sinusoidal positions (all sines, then all
 * cosines) are added to sqrt(d) times the embedding.  t5 is as in T5 (Raffel et
 * al. 2020): root mean square norm, no biases, a relative position bias shared
 * by the layers of a stack, logits divided by sqrt(d).
 */
#pragma once

#include "harness/nn/attention.h"

struct model;

/* The examples of a batch, or of a shard (a part of a batch).  Shapes: (b,n)
 * source, (b,m) targets, (b) lengths, labels and values. */
struct input {
    int        b, n, m;
    const int *source, *source_length;
    const int *target_in, *target_out, *target_length;
    const int *prompt;  /* (b) numbers of leading targets that do not count;
                           NULL: 0                                        */
    const int *label;
    const float *value; /* for regression: classes = 1                    */
};

/* Returns c with the number and width of heads that the mixture requires.  If
 * code_heads is set (heads: code), a mixture with a synthesizer has 8 heads of
 * width 128 in self-attention; cross-attention keeps the heads of c. */
struct model_config model_resolve(const struct model_config *c,
                                  const struct mix *mix);

/* Returns NULL, or the reason why the model cannot exist: a variant that cannot
 * be used in a decoder, parts that cannot be mixed, or the `fault` of a
 * variant. */
const char *model_fault(const struct model_config *c, const struct mix *mix);

/* Declares every parameter in ps.  The model is allocated in ps->memory. */
struct model *model_new(const struct model_config *c, const struct mix *mix,
                        struct params *ps);

/* Returns the loss of the examples.  The caller sets the members `scale`, `nll`
 * and `hit` of *out (struct loss, engine/ops.h). */
tensor *model_loss(const struct model *m, struct tape *t,
                   const struct input *in, struct loss *out);

/* Returns the encoder output (b,n,d), after the final norm (a probe has no
 * final norm). */
tensor *model_encode(const struct model *m, struct tape *t, const int *source,
                     const int *length, int b, int n);

/* Returns the decoder output (b,n,d) of the n positions from w->from on.
 * `memory` is the encoder output, memory_length its lengths; both are NULL in
 * family lm. */
tensor *model_decode(const struct model *m, struct tape *t, const int *ids,
                     int b, int n, const struct window *w, tensor *memory,
                     const int *memory_length);

/* Returns the logits (b,m,V) of decoder output y (b,m,d). */
tensor *model_logits(const struct model *m, struct tape *t, tensor *y);

/* Returns the class logits (b,C) of the encoder family. */
tensor *model_classify(const struct model *m, struct tape *t,
                       const int *source, const int *length, int b, int n);

const struct model_config *model_config(const struct model *m);
