/*
 * layer_cost: what one self-attention layer of a variant costs.  Parameters are
 * counted in the declarations of the layer, operations by running it once, on
 * one sentence of N tokens, on the backend that computes nothing: matrix
 * products, a multiply-add is 2; softmax and element-wise products are left
 * out.  W_v and W_o, which every softmax variant has, are not counted.
 */
#pragma once

#include "harness/nn/attention.h"

struct layer_cost {
    double params;  /* learned, beside W_v and W_o                      */
    double scores;  /* X -> B; NAN: it has no scores                    */
    double mixing;  /* B, V -> Y; without scores: all of it             */
};

struct layer_cost layer_cost(const struct model_config *c,
                             const struct variant *v);

/* Learned parameters, without the cost of running the layer. */
double layer_cost_params(const struct model_config *c,
                         const struct variant *v);

/* Operations of all of it, W_v and W_o too. */
double layer_cost_whole(const struct model_config *c, const struct variant *v);
