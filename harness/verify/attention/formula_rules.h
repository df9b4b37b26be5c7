/* formula_rules: the formulas of every variant, by name. */
#ifndef VERIFY_FORMULA_RULES_H
#define VERIFY_FORMULA_RULES_H

#include "harness/verify/attention/formula.h"

typedef void formula_scores(const struct formula_layer *l, const char *at,
                            int h, double *b);
typedef void formula_output(const struct formula_layer *l, const char *at,
                            double *y);
typedef long formula_count(const struct model_config *c);

/* formula_scores.c */
formula_scores formula_vanilla, formula_frozen_dot, formula_dense,
    formula_dense_mtf, formula_table, formula_low_rank, formula_columns,
    formula_factors, formula_uniform;
formula_count formula_count_none, formula_count_qk, formula_count_frozen_qk,
    formula_count_dense, formula_count_dense_mtf, formula_count_table,
    formula_count_pair, formula_count_factors;

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

#endif
