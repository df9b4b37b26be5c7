/* formula_model: computes the whole model in plain loops over double, around
 * the attention of verify/attention/formula.h. Tests compare the real model
 * with it. */
#pragma once

#include "harness/verify/attention/formula.h"

/* Computes the encoder output (n,d) of n ids. The first `length` ids are not
 * padding. */
void formula_encode(const struct formula *f, const int *ids, int n, int length,
                    double *y);

/* Computes the decoder output (m,d). memory is (n,d), or NULL in family lm. */
void formula_decode(const struct formula *f, const int *ids, int m,
                    const double *memory, int n, int length, double *y);

/* Computes the logits (m,V) of a decoder output (m,d), or the logits of the
 * classes, (C), of an encoder output (n,d). */
void formula_logits(const struct formula *f, const double *y, int m,
                    double *logits);
void formula_classify(const struct formula *f, const double *x, int length,
                      double *logits);

/* Returns the loss -sum_v q_v log p_v of one row of v logits with softmax p; q
 * is 1 - e on the target and uniform on the rest. */
double formula_loss(const double *logits, int v, int target, double e);
