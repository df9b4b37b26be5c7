/*
 * model_config: the description of a model without its weights, from which
 * nn/transformer.c and the variants build it.  Every field is part of the
 * configuration hash.  config/key_table.c defines the key and the default of
 * each field.  Only the keys of knobs are defined in the files of the variants
 * (knob.h).
 */
#pragma once

#include "harness/base/key.h"
#include "harness/base/names.h"
#include "harness/engine/ops.h"
#include "harness/nn/params.h"

#define FAMILIES(X)                                                           \
    X(FAMILY_SEQ2SEQ, "seq2seq")                                              \
    X(FAMILY_LM, "lm")                                                        \
    X(FAMILY_ENCODER, "encoder")
enum family { FAMILIES(NAMES_VALUE) };

#define NORMS(X) X(NORM_LAYER, "layer") X(NORM_RMS, "rms")
enum norm_kind { NORMS(NAMES_VALUE) };

#define POSITIONS(X)                                                          \
    X(POSITION_SINUSOIDAL, "sinusoidal")                                      \
    X(POSITION_LEARNED, "learned")                                            \
    X(POSITION_NONE, "none")
enum position_kind { POSITIONS(NAMES_VALUE) };

enum r_init { R_NORMAL, R_GLOROT };

/* The maximum number of knobs without a field (knob.h) that can differ from
 * their defaults at the same time. */
enum { KNOBS = 8 };
struct knob { const struct key *key; double x; };

struct model_config {
    enum family family;
    int    layers;          /* L, in each stack                            */
    int    d, heads, ff, N; /* width, h, FFN inner width, longest length   */
    int    head_width;      /* k of self-attention; 0: d / h               */
    int    cross_heads;     /* heads of cross-attention; 0: h              */
    int    code_heads;      /* 1: synthesizers have 8 heads of width 128   */
    int    vocab, classes;  /* V; C (encoder family; 1: regression)        */
    int    tied;            /* 1: the embedding is also the softmax matrix */
    int    probe;           /* 1: no feed-forward layers, no final norm    */

    enum norm_kind norm;
    enum position_kind position;
    enum init_rule init;    /* initialization of matrices                     */
    double init_embed;      /* standard deviation of embeddings; 0: from init */
    double norm_eps;
    int    ffn_bias;        /* biases in the feed-forward layers              */
    int    attention_bias;  /* biases of learned W_q, W_k, W_v, W_o           */
    int    embed_scale;     /* multiply embeddings by sqrt(d)                 */
    int    logit_scale;     /* divide the last norm's output by sqrt(d)       */
    int    dot_scale;       /* divide learned dot products by sqrt(k)         */
    int    relative_bias;   /* position bias in self-attention, a table per
                               stack                                          */
    int    relative_buckets, relative_distance;

    enum mix_rule  mix;     /* how the parts of a mixture are combined     */
    enum r_init    r_init;
    double r_scale;         /* R ~ N(0, r_scale^2) under R_NORMAL          */
    enum linalg_method orthogonal; /* how orthogonal matrices are drawn */
    int    gain;            /* frozen dot products learn a factor per head */
    int    rank;            /* r of factorized-random and of its -mtf form */
    int    a, c;            /* factorized-dense: a c = N; 0: near sqrt(N)  */
    int    inner;           /* factorized-dense has a d x d inner layer    */
    int    dense_bias;      /* biases in dense and factorized-dense        */
    int    share_q;         /* dense-mtf uses the matrix q of vanilla      */
    int    projection;      /* p of linformer; 0: N / 4                    */
    int    conv_heads;      /* H of the convolutions; 0: h                 */
    struct widths conv_width; /* K of the convolutions                 */
    struct knob   own[KNOBS]; /* knobs without a field; key NULL: unused */

    double dropout;         /* residuals, attention weights, FFN inner */
    double label_smoothing;
};

/* Returns k, the width of one head of self-attention. */
static inline int config_head(const struct model_config *c)
{
    return c->head_width ? c->head_width : c->d / c->heads;
}

/* Returns I = h k, the width of q, k and v of self-attention. */
static inline int config_inner(const struct model_config *c)
{
    return c->heads * config_head(c);
}
