/*
 * layer_cost: what one self-attention layer of a variant costs.  Parameters are
 * counted in the declarations of the layer, operations by running it once, on
 * one sentence of N tokens, on the backend that computes nothing: matrix
 * products, a multiply-add is 2; softmax and element-wise products are left
 * out.  W_v and W_o, which every softmax variant has, are not counted.
 */
#ifndef CMD_LAYER_COST_H
#define CMD_LAYER_COST_H

#include "harness/nn/attention.h"

struct layer_cost {
    double params;  /* learned, beside W_v and W_o                      */
    double scores;  /* X -> B; NAN: it has no scores                    */
    double mixing;  /* B, V -> Y; without scores: all of it             */
};

struct layer_cost layer_cost(const struct model_config *c,
                             const struct variant *v);

/* For which N it is cheaper than dot product, N up to 65536. */
enum cheaper { CHEAPER_NEVER, CHEAPER_ALWAYS, CHEAPER_BELOW, CHEAPER_FROM };
struct break_even { enum cheaper when; int n; }; /* n: of below and from */

struct break_even break_even_params(const struct model_config *c,
                                    const struct variant *v,
                                    const struct variant *dot);
/* Of scores and mixing. */
struct break_even break_even_flops(const struct model_config *c,
                                   const struct variant *v,
                                   const struct variant *dot);

#endif
