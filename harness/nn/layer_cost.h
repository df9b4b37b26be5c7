/*
 * layer_cost: the cost of one self-attention layer of a variant, for the checks
 * of claims and for tables of costs.
 *
 * Parameters are counted from the declarations of the layer.  Operations are
 * counted by running it once, on one sentence of N tokens, on the backend that
 * computes nothing: they are those of matrix products, with 2 for a
 * multiply-add.  Softmax and element-wise products are not counted, nor are W_v
 * and W_o, which every softmax variant has.
 */
#pragma once

#include "harness/nn/attention.h"

struct layer_cost {
    double params;  /* learned, without W_v and W_o                 */
    double scores;  /* X -> B; NAN: the variant has no scores       */
    double mixing;  /* B, V -> Y; everything if there are no scores */
};

struct layer_cost layer_cost(const struct model_config *c,
                             const struct variant *v);

/* Returns layer_cost.params without running the layer. */
double layer_cost_params(const struct model_config *c,
                         const struct variant *v);

/* Returns the operations of the whole layer, including W_v and W_o. */
double layer_cost_whole(const struct model_config *c, const struct variant *v);
