/*
 * count: counts the parameters that a variant learns, from the declarations of
 * its layer and of whole models (nn/layer_cost.h, train/train.h).  The argument
 * `settings` holds configuration keys as for -S, such as "d=512 heads=8 N=256".
 */
#include "harness/claims/check_layer.h"

#include "harness/base/err.h"
#include "harness/claims/check_config.h"
#include "harness/nn/layer_cost.h"
#include "harness/nn/transformer.h"
#include "harness/train/train.h"

#include <math.h>

/* Returns the number of parameters that compute the scores of a layer, summed
 * over all parts of the mixture. */
static double layer(const struct config *c, const struct mix *mix)
{
    struct model_config own = model_resolve(&c->model, mix);
    double sum = 0;

    for (int i = 0; i < mix->n; i++)
        sum += layer_cost_params(&own, mix->part[i]);
    return sum;
}

/* Doubles the length N, and returns the number of additional parameters per
 * additional position. */
static double growth(const struct config *c, const struct mix *mix)
{
    struct config twice = *c;

    twice.model.N = 2 * c->model.N;
    twice.model.a = twice.model.c = 0;
    return (layer(&twice, mix) - layer(c, mix)) / c->model.N;
}

static int heads(const struct config *c, const struct mix *mix)
{
    return model_resolve(&c->model, mix).heads;
}

static int run_count(const struct check_args *a, struct check_out *o)
{
    struct config c, against;
    struct mix mix, other;

    PASS(check_config(&c, &mix, a, "variant"));
    PASS(check_config(&against, &other, a, "against"));
    double one = layer(&c, &mix), two = layer(&against, &other);
    if (two == 0)
        return err_set(ERR_USAGE, "against: %s has no learned parameters",
                       check_word(a, "against"));
    check_say(o, "layer", one, 0);
    check_say(o, "head", one / heads(&c, &mix), 0);
    check_say(o, "growth", growth(&c, &mix), 0);
    check_say(o, "ratio", one / two, 0);
    check_say(o, "model", train_params(&c, &mix), 0);
    return OK;
}

static const struct check_parameter parameters[] = {
    {"variant", NAN, "variant of the layer"},
    {"against", NAN, "denominator of 'ratio'; default: vanilla"},
    {"model", NAN, "base (one layer) or T5-base; default: base"},
    {"settings", NAN, "settings of the model, such as d=512 N=256"},
    {0}};

static const struct check_measure measures[] = {
    {"layer", "parameters of a layer without W_V and W_O"},
    {"head", "parameters of a head without W_V and W_O"},
    {"growth", "additional parameters per position"},
    {"ratio", "parameters of a layer / those of the variant that it is "
              "compared with"},
    {"model", "parameters of the whole model"},
    {0}};

const struct check check_count = {
    "count", "learned parameters of a layer and a model", parameters, measures,
    run_count};
