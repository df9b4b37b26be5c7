/*
 * formula: the reference with which the checks compare the engine.  It computes
 * the models in plain loops over double, one sentence at a time; it is written
 * from their definitions and independent of the engine.  Parameters are found
 * by name, so names and layouts are verified as well.  Sources:
 *
 *     synthesizers           Tay et al. 2021; variants named ...-mtf follow the
 *                            released code (mesh_tensorflow)
 *     vanilla, the model     Vaswani et al. 2017; relative positions and root
 *                            mean square norm as in T5, Raffel et al. 2020
 *     linformer              Wang et al. 2020
 *     lightweight-conv, dynamic-conv   Wu et al. 2019
 *
 * formula_open copies the weights to double, so that numerical derivatives can
 * be computed in single-precision builds too.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/nn/model_config.h"

struct formula {
    const struct model_config *c;
    const char                *variant; /* "random+dense" */
    const struct params       *params;
    double                   **weight;  /* values of each parameter     */
    struct arena              *kept, *scratch;
};

/* Opens a formula; ps, c and variant must outlive it. */
void formula_open(struct formula *f, const struct params *ps,
                  const struct model_config *c, const char *variant);
void formula_close(struct formula *f);
/* Releases the scratch memory and all results in it. */
void formula_forget(struct formula *f);

/* Returns the values of the parameter AT.NAME, where AT is `at` and NAME is
 * `name`, or NULL if there is no such parameter. */
const double *formula_weight(const struct formula *f, const char *at,
                             const char *name);

/* Returns an array of (n,d) doubles in scratch memory. */
double *formula_take(const struct formula *f, int n, int d);
/* y (n,e) = x (n,d) w (d,e) */
void formula_product(int n, int d, int e, const double *x, const double *w,
                     double *y);
/* Replaces x[0..n-1] by its softmax. */
void formula_softmax(double *x, int n);

/* One layer and one sentence. */
struct formula_layer {
    const struct formula *f;
    const char   *at;       /* name of the layer, "encoder.0.self"     */
    const double *relative; /* (buckets,h): T5's position bias, or NULL */
    int           index;    /* of the layer, in its stack              */
    const double *x;        /* (n,d)                                   */
    int           n, length, causal;
};

/* formula_linear returns x W + b (n,e), where x is (n,d).  W and b are the
 * parameters of `at` with the names `w` and `b`; if `b` is NULL or there is no
 * such parameter, b is 0.  formula_project applies the parameters NAME and
 * NAME.bias to l->x and returns (n,I), where I is config_inner.  Both results
 * are in scratch memory. */
double *formula_linear(const struct formula_layer *l, const double *x, int d,
                       int e, const char *at, const char *w, const char *b);
double *formula_project(const struct formula_layer *l, const char *at,
                        const char *name);

/* A function of type formula_scores stores the scores (n,n) of head h in b.  A
 * function of type formula_output returns the input of W_o in scratch memory:
 * (n,I), or (n,d) if there is no W_v.  A function of type formula_count returns
 * a number of parameter values. */
typedef void formula_scores(const struct formula_layer *l, const char *at,
                            int h, double *b);
typedef double *formula_output(const struct formula_layer *l, const char *at);
typedef long formula_count(const struct model_config *c);

/* Which columns of a matrix are orthonormal: none, the columns of each head
 * among themselves, or all columns. */
enum { ORTHONORMAL_NOT, ORTHONORMAL_HEAD, ORTHONORMAL_ALL };

/* The formula of one variant. */
struct formula_rule {
    const char     *name;
    formula_scores *scores; /* NULL: `output` replaces them */
    formula_output *output;
    int linear;    /* the scores are the weights: there is no softmax     */
    int bare;      /* has no W_v                                          */
    int orthonormal; /* columns of its frozen matrices: ORTHONORMAL_...     */
    int has_q;     /* has learned queries, `q`                            */
    int takes_q;   /* with share_q, uses the `q` of another part          */
    int biased;    /* W_o always has a bias, which `learned` includes     */
    /* Number of learned and of frozen values per layer, without W_v and W_o;
     * NULL: none. */
    formula_count *learned, *frozen;
    const char *own; /* the property (property.own, verify.h) that only
                        these scores have, or NULL                         */
    /* Returns how many tokens to its left a row sees; NULL: all. */
    int (*reach)(const struct model_config *c, int causal);
};

/* formula_rule returns the rule of the variant `name`, formula_part the rule of
 * the first part of a mixture "a+b".  Both return NULL if there is no rule. */
const struct formula_rule *formula_rule(const char *name);
const struct formula_rule *formula_part(const char *variant);
/* Returns 1 if every part of the variant, such as "a+b", has a formula. */
int formula_knows(const char *variant);

/* formula_learned returns the number of learned values of self-attention per
 * layer, formula_frozen the number of frozen values. */
long formula_learned(const struct model_config *c, const char *variant);
long formula_frozen(const struct model_config *c, const char *variant);
/* Returns the number of values that the whole model learns. */
long formula_model_learned(const struct model_config *c, const char *variant);

/* Returns how many tokens to the left a row sees; in an encoder a row sees at
 * most as many to the right.  Returns -1 if the number is not known for the
 * variant. */
int formula_reach(const char *variant, const struct model_config *c,
                  int causal);

/* Returns the output of the self-attention layer l (n,d), in scratch memory. */
double *formula_attention(const struct formula_layer *l);

/* ---- the functions in the table of rules ---- */

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

/* The check of the convolutions (check_conv.c) also uses the three functions
 * below. */

/* Returns u (n,d), the input of a convolution: u = y_1 sigmoid(y_2), where y_1
 * and y_2 are the halves of x W + b; u is 0 at padding. */
double *formula_gate(const struct formula_layer *l, const char *at);
/* Returns the position of the first tap of a convolution, relative to the
 * row. */
int formula_first(const struct formula_layer *l, int taps);
int formula_conv_heads(const struct model_config *c);
