/*
 * ops: the differentiable operations, from which nn/ and variants/ build the
 * models.  op_list.h lists them.  Each op returns a new tensor on the tape.
 * Ops do not fail: a wrong shape is a programming error (REQUIRE).  Formulas
 * use these letters: b batch, h heads, n rows, m keys, d width, k = d/h, v
 * vocabulary, N maximum length; a' is the gradient d loss / d a.  Score tensors
 * are (h,b,n,m), or (h,1,n,m) if they are the same for every sentence.
 */
#pragma once

#include "harness/base/names.h"
#include "harness/engine/tape.h"

enum act { ACT_NONE, ACT_RELU };

/* Buckets of relative positions (key minus row), each with its own learned
 * score.  All distances of `longest` or more share the last bucket of their
 * direction.  If `causal` is 1, only earlier keys have buckets of their own; a
 * later key has the bucket of distance 0. */
struct relative { int buckets, longest, causal; };

/* How the parts of a mixture are combined: w are the weights of the parts, and
 * a is the learned tensor from which w is computed. */
#define MIX_RULES(X)                                                          \
    X(MIX_LOGITS, "logits")   /* w = softmax(a), a (parts): mixes scores   */ \
    X(MIX_PLUS, "plus")       /* w = 1, a NULL                             */ \
    X(MIX_SIGMOID, "sigmoid") /* w = (1 - s, s), s = sigmoid(a), a (1)     */ \
    X(MIX_WEIGHTS, "weights") /* like logits, but mixes outputs            */ \
    X(MIX_HEADS, "heads")     /* concatenates the heads of the parts       */
enum mix_rule { MIX_RULES(NAMES_VALUE) };

/* The keys that row i of the scores sees.  If `causal` is 1, these are only the
 * keys up to position `from` + i. */
struct keys {
    int        from, causal;
    const int *length;      /* (b) numbers of visible keys; NULL: all m */
    int        linear;      /* no softmax: (mask B) V              */
};

/* Arguments and results of the losses.  Cross-entropy with label smoothing and
 * its gradient are computed in one pass. */
struct loss {
    const int *target;     /* (b,m) ids, or (b) labels                    */
    const int *length;     /* (b) positions from this one on do not count;
                              NULL: all m count                           */
    const int *prompt;     /* (b) positions before this one do not count
                              either; NULL: 0                             */
    double     smoothing;
    double     scale;      /* 1 / number of targets in the batch          */
    double     logits;     /* factor of the logits; 0 means 1             */
    double     sum;        /* out: scale times the smoothed loss          */
    double    *nll;        /* out: (b,m) or (b) -log p, 0 at positions that
                              do not count; or NULL                       */
    unsigned char *hit;    /* out: shape of nll, 1 if correct, else 0; or
                              NULL                                        */
};

#define OP(name, ...) \
    tensor *ad_##name(struct tape *t, ROW_PARAMETERS(__VA_ARGS__));
#include "harness/engine/op_list.h"
