/*
 * layer_cost: counts the parameters and operations of one self-attention layer
 * of a variant, for the checks of claims and for tables of costs.
 *
 * Parameters are counted from the declarations of the layer.  Operations are
 * counted by running the layer once on one sentence of N tokens, with
 * backend_dry, which computes nothing.  Only matrix products count, with 2
 * operations per multiply-add.  Softmax and element-wise products are not
 * counted, nor are W_v and W_o, which every softmax variant has.
 */
#pragma once

#include "harness/nn/attention.h"

struct layer_cost {
    double params;  /* learned, without W_v and W_o                 */
    double scores;  /* operations for B; NAN: there are no scores   */
    double mixing;  /* operations for Y from B and V; if there are no
                       scores, all that are counted of the layer    */
};

struct layer_cost layer_cost(const struct model_config *c,
                             const struct variant *v);

/* Returns the member `params` that layer_cost would return, without running the
 * layer. */
double layer_cost_params(const struct model_config *c,
                         const struct variant *v);

/* Returns the operations of the whole layer, including W_v and W_o. */
double layer_cost_whole(const struct model_config *c, const struct variant *v);
