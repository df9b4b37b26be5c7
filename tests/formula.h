/*
 * formula: the models in plain loops over double, one sentence at a time,
 * written from their definitions and not from the engine.  Parameters are
 * found by name, so names and layouts are tested too.
 */
#ifndef TESTS_FORMULA_H
#define TESTS_FORMULA_H

#include "harness/base/arena.h"
#include "harness/nn/model_config.h"
#include "harness/nn/params.h"

struct formula {
    const struct params       *ps;
    const struct model_config *c;
    const char                *variant; /* "random+dense" */
    struct arena              *memory;
};

/* The values of a parameter; NULL where there is none of this name. */
const real *formula_weight(const struct formula *f, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* y (n,e) = x (n,d) w (d,e) */
void formula_product(int n, int d, int e, const double *x, const real *w,
                     double *y);

/* Scores (n,n) of one variant and head, for the layer called `at`. */
void formula_scores(const struct formula *f, const char *at,
                    const char *variant, int h, const double *x, int n,
                    double *b);

/* P (n,n) of head h: the mixture of the parts' scores, after the softmax over
 * keys j < length and, when causal, j <= i. */
void formula_weights(const struct formula *f, const char *at, int h,
                     const double *x, int n, int length, int causal,
                     double *p);

/* Self-attention: x (n,d) -> y (n,d). */
void formula_attention(const struct formula *f, const char *at,
                       const double *x, int n, int length, int causal,
                       double *y);

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

#endif
