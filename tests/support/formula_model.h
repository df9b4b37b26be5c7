/* formula_model: the whole model in plain loops over double, around the
 * attention of verify/attention/formula.h. */
#pragma once

#include "harness/verify/attention/formula.h"

/* Encoder output (n,d); the first `length` ids are not padding. */
void formula_encode(const struct formula *f, const int *ids, int n, int length,
                    double *y);

/* Decoder output (m,d); memory (n,d) is NULL in family lm. */
void formula_decode(const struct formula *f, const int *ids, int m,
                    const double *memory, int n, int length, double *y);

/* logits (m,V) of decoder output, or logits (C) of encoder output (n,d). */
void formula_logits(const struct formula *f, const double *y, int m,
                    double *logits);
void formula_classify(const struct formula *f, const double *x, int length,
                      double *logits);

/* -sum_v q_v log p_v of one row, 1 - e on the target, the rest even. */
double formula_loss(const double *logits, int v, int target, double e);
