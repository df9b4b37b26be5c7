/*
 * formula: the models in plain loops over double, one sentence at a time,
 * written from their definitions and not from the engine.  Parameters are
 * found by name, so names and layouts are proven too.  Sources:
 *
 *     synthesizers           Tay et al. 2021; those named -mtf as the released
 *                            code (mesh_tensorflow) has them
 *     vanilla, the model     Vaswani et al. 2017; relative positions and root
 *                            mean square norm as in T5, Raffel et al. 2020
 *     linformer              Wang et al. 2020
 *     lightweight-conv, dynamic-conv   Wu et al. 2019
 *
 * Weights are copied to double when a formula is opened, so that slopes can be
 * taken of it whatever `real` is.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/nn/model_config.h"

struct formula {
    const struct model_config *c;
    const char                *variant; /* "random+dense" */
    const struct params       *params;
    double                   **weight;  /* of each of them, in double */
    struct arena              *kept, *scratch;
};

/* All three outlive the formula. */
void formula_open(struct formula *f, const struct params *ps,
                  const struct model_config *c, const char *variant);
void formula_close(struct formula *f);
void formula_forget(struct formula *f); /* scratch memory of what was run */

/* The parameter AT.NAME; NULL: there is none. */
const double *formula_weight(const struct formula *f, const char *at,
                             const char *name);

/* (n,d) doubles of scratch memory. */
double *formula_take(const struct formula *f, int n, int d);
/* y (n,e) = x (n,d) w (d,e) */
void formula_product(int n, int d, int e, const double *x, const double *w,
                     double *y);
/* x[0..n-1] becomes its softmax. */
void formula_softmax(double *x, int n);

/* One layer and sentence. */
struct formula_layer {
    const struct formula *f;
    const char   *at;       /* "encoder.0.self"                        */
    const double *relative; /* (buckets,h): T5's position bias, or NULL */
    int           index;    /* of the layer in its stack               */
    const double *x;        /* (n,d)                                   */
    int           n, length, causal;
};

/* In scratch memory: x W (n,e), x (n,d), W the parameter AT.w, + AT.b where
 * there is one (b NULL: none is asked for); and of the layer's own x, (n,I),
 * with NAME and NAME.bias. */
double *formula_linear(const struct formula_layer *l, const double *x, int d,
                       int e, const char *at, const char *w, const char *b);
double *formula_project(const struct formula_layer *l, const char *at,
                        const char *name);

/* Scores (n,n) of head h; what W_o is applied to, (n,I), or (n,d) without W_v,
 * in scratch memory; how many numbers. */
typedef void formula_scores(const struct formula_layer *l, const char *at,
                            int h, double *b);
typedef double *formula_output(const struct formula_layer *l, const char *at);
typedef long formula_count(const struct model_config *c);

/* What is known of one variant. */
enum { ORTHONORMAL_NOT, ORTHONORMAL_HEAD, ORTHONORMAL_ALL }; /* of a head */

struct formula_rule {
    const char     *name;
    formula_scores *scores; /* NULL: `output` takes their place */
    formula_output *output;
    int linear;    /* scores are the weights                              */
    int bare;      /* no W_v                                              */
    int orthonormal; /* columns of its frozen matrices: ORTHONORMAL_...     */
    int has_q;     /* learned queries, `q`, which ...                     */
    int takes_q;   /* ... another one takes with share_q                  */
    int biased;    /* its count holds the bias of W_o, which it always has */
    /* Numbers it learns a layer, W_v and W_o left out, and holds frozen; NULL:
     * none. */
    formula_count *learned, *frozen;
    const char *own; /* the property that such scores alone have, or NULL  */
    /* How many tokens to its left a row sees; NULL: all. */
    int (*reach)(const struct model_config *c, int causal);
};

/* Of a variant, or of the first part of "a+b"; NULL: there is none. */
const struct formula_rule *formula_rule(const char *name);
const struct formula_rule *formula_part(const char *variant);
/* Has every part of "a+b" a formula? */
int formula_knows(const char *variant);

/* Numbers that self-attention learns, or holds frozen, in a layer. */
long formula_learned(const struct model_config *c, const char *variant);
long formula_frozen(const struct model_config *c, const char *variant);
/* ... and that the whole model learns. */
long formula_model_learned(const struct model_config *c, const char *variant);

/* Rows see `reach` tokens to the left, and in an encoder as many at most to the
 * right; -1 where that is not known of the variant. */
int formula_reach(const char *variant, const struct model_config *c,
                  int causal);

/* Self-attention: (n,d), in scratch memory. */
double *formula_attention(const struct formula_layer *l);

/* ---- what the table of rules is made of ---- */

/* formula_scores.c */
formula_scores formula_vanilla, formula_frozen_dot, formula_tied, formula_dense,
    formula_dense_literal, formula_dense_mtf, formula_table, formula_low_rank,
    formula_columns, formula_factors, formula_uniform;
formula_count formula_count_qk, formula_count_frozen_qk, formula_count_tied,
    formula_count_gain, formula_count_dense, formula_count_dense_literal,
    formula_count_dense_mtf, formula_count_table, formula_count_pair,
    formula_count_factors;

/* formula_output.c */
formula_output formula_linformer, formula_lightweight, formula_dynamic,
    formula_lightweight_mtf, formula_dynamic_mtf;
formula_count formula_count_linformer, formula_count_lightweight,
    formula_count_dynamic, formula_count_lightweight_mtf,
    formula_count_dynamic_mtf;
int formula_reach_conv(const struct model_config *c, int causal);
int formula_reach_mtf(const struct model_config *c, int causal);

/* ... and what the two equalities of the convolutions need. */

/* u (n,d) = (x W + b)_1 sigmoid((x W + b)_2), zero at padding */
double *formula_gate(const struct formula_layer *l, const char *at);
/* The offset of the first tap. */
int formula_first(const struct formula_layer *l, int taps);
int formula_conv_heads(const struct model_config *c);
