/*
 * cost: measures how the number of operations of a self-attention layer grows
 * with the length N and the width d.  Operations are counted on the tape that
 * trains the layer (nn/layer_cost.h).  An exponent is fitted over a size and
 * its multiples by 2, 4 and 8.  If a part of the layer contains no product, its
 * exponent is 0.
 */
#include "harness/claims/check.h"

#include "harness/base/err.h"
#include "harness/claims/check_config.h"
#include "harness/nn/layer_cost.h"
#include "harness/stats/fit.h"

#include <math.h>

enum { SIZES = 4 };

enum part { SCORES, MIXING, WHOLE };

static double flops(const struct model_config *c, const struct variant *v,
                    enum part part)
{
    if (part == WHOLE)
        return layer_cost_whole(c, v);
    struct layer_cost cost = layer_cost(c, v);
    if (part == MIXING)
        return cost.mixing;
    return isnan(cost.scores) ? cost.mixing : cost.scores;
}

/* Returns the exponent with which the operations of `part` grow with *size.
 * `size` points to c->N or c->d; the value there is restored. */
static double exponent(struct model_config *c, int *size,
                       const struct variant *v, enum part part)
{
    double x[SIZES], y[SIZES];
    int from = *size;

    for (int i = 0; i < SIZES; i++) {
        *size = from << i;
        x[i] = *size;
        y[i] = flops(c, v, part);
    }
    *size = from;
    return y[0] > 0 ? fit_power(x, y, SIZES).p : 0;
}

static int run_cost(const struct check_args *a, struct check_out *o)
{
    static const char *const by_n[] = {"scores_n", "mixing_n", "layer_n"};
    static const char *const by_d[] = {"scores_d", "mixing_d", "layer_d"};
    struct config of;
    struct mix mix;

    PASS(check_config(&of, &mix, a, "variant"));
    struct model_config c = of.model;
    if (mix.n > 1)
        return err_set(ERR_USAGE, "variant: %s: expected a variant that is not "
                       "a mixture", of.variant);
    if (c.N > 65536 / 8 || c.d > 65536 / 8)
        return err_set(ERR_USAGE, "N, d: expected at most %d: sizes up to "
                       "eight times larger are counted", 65536 / 8);
    for (int part = SCORES; part <= WHOLE; part++) {
        check_say(o, by_n[part],
                  exponent(&c, &c.N, mix.part[0], (enum part)part), 0);
        check_say(o, by_d[part],
                  exponent(&c, &c.d, mix.part[0], (enum part)part), 0);
    }
    check_say(o, "scores", flops(&c, mix.part[0], SCORES), 0);
    return OK;
}

static const struct check_parameter parameters[] = {
    {"variant", NAN, "variant of the layer"},
    {"model", NAN, "base (one layer) or T5-base; default: base"},
    {"settings", NAN, "settings of the model, such as d=512 N=256"},
    {0}};

static const struct check_measure measures[] = {
    {"scores_n", "exponent of n in the operations of X -> B"},
    {"scores_d", "exponent of d in the operations of X -> B"},
    {"mixing_n", "exponent of n in the operations of B and V -> Y"},
    {"mixing_d", "exponent of d in the operations of B and V -> Y"},
    {"layer_n", "exponent of n in the operations of the whole layer"},
    {"layer_d", "exponent of d in the operations of the whole layer"},
    {"scores", "operations of X -> B"},
    {0}};

const struct check check_cost = {
    "cost", "how operations of a layer grow with length and width", parameters,
    measures, run_cost};
