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

#include <math.h>
#include <string.h>

static const struct mask open_mask = {0, NULL};

/* Copies the weights of `from` to `to`.  The two layers were filled with
 * different weights, because the names of their parts differ. */
static void same_weights(struct check_layer *to, const struct check_layer *from)
{
    const struct params *ps = &to->layer.params;

    REQUIRE(ps->n == from->layer.params.n, "%d and %d parameters", ps->n,
            from->layer.params.n);
    for (int i = 0; i < ps->n; i++)
        memcpy(ps->list[i].value->x, from->layer.params.list[i].value->x,
               tensor_len(ps->list[i].value) * sizeof(real));
}

static double difference(struct check_layer *one, struct check_layer *two,
                         int n)
{
    tensor *x = layer_tokens(&one->layer, n, 99);
    const tensor *y = layer_run(&one->layer, TAPE_EVAL, x, &open_mask);
    const tensor *z = layer_run(&two->layer, TAPE_EVAL, x, &open_mask);
    double apart = 0, most = 0;

    for (size_t i = 0; i < tensor_len(y); i++) {
        apart = fmax(apart, fabs((double)y->x[i] - (double)z->x[i]));
        most = fmax(most, fabs((double)y->x[i]));
    }
    return apart / most;
}

static int run_mixture(const struct check_args *a, struct check_out *o)
{
    OWNED(check_layer_close) struct check_layer one = {0};
    OWNED(check_layer_close) struct check_layer two = {0};
    struct model_config c;
    const char *variant;

    PASS(check_layer_word(&variant, a, "variant"));
    PASS(check_layer_sizes(&c, a));
    PASS(check_layer_open(&one, variant, MIX_LOGITS, &c));
    PASS(check_layer_open(&two, variant, MIX_WEIGHTS, &c));
    same_weights(&two, &one);
    check_say(o, "difference", difference(&one, &two, c.N), 0);
    return OK;
}

static const struct check_parameter parameters[] = {
    {"variant", NAN, "the mixture, such as random+vanilla"},
    {"d", 16, "width of a token"},
    {"heads", 2, "heads"},
    {"N", 8, "tokens of a sentence"},
    {0}};

static const struct check_measure measures[] = {
    {"difference", "largest difference / largest output"},
    {0}};

const struct check check_mixture = {
    "mixture", "softmax of mixed scores, compared with mixed softmaxes",
    parameters, measures, run_mixture};
