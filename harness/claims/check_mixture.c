/*
 * mixture: compares two interpretations of a mixture of scores B_i with shares
 * alpha_i, in one layer with the same weights and tokens:
 *
 *     logits     softmax(sum_i alpha_i B_i) V
 *     weights    sum_i alpha_i softmax(B_i) V
 *
 * Measures the largest difference of the two outputs divided by the largest
 * output.
 */
#include "harness/claims/check_layer.h"

#include "harness/base/err.h"

#include <string.h>

static int run_mixture(const struct check_values *v, struct check_out *o)
{
    OWNED(check_layer_close) struct check_layer one = {0};
    OWNED(check_layer_close) struct check_layer two = {0};
    struct model_config c = check_layer_config(v);
    double most;

    PASS(check_layer_open(&one, v->variant, MIX_LOGITS, &c));
    PASS(check_layer_open(&two, v->variant, MIX_WEIGHTS, &c));
    /* The two layers were filled with different weights, because the names of
     * their parts differ. */
    REQUIRE(two.layer.params.n == one.layer.params.n, "%d and %d parameters",
            two.layer.params.n, one.layer.params.n);
    for (int i = 0; i < two.layer.params.n; i++) {
        const tensor *to = two.layer.params.list[i].value;

        memcpy(to->x, one.layer.params.list[i].value->x,
               tensor_len(to) * sizeof(real));
    }
    tensor *x = layer_tokens(&one.layer, c.N, 99);
    double apart = check_apart((int)tensor_len(x), check_layer_output(&one, x),
                               check_layer_output(&two, x), &most);
    check_say(o, "difference", apart / most, 0);
    return OK;
}

const struct check check_mixture = {
    "mixture", "softmax of mixed scores, compared with mixed softmaxes",
    "variant d=16 heads=2 N=8", run_mixture,
    {{"difference", "largest difference / largest output"}}};
