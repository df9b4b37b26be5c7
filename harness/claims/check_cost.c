/*
 * cost: measures how the number of operations of a self-attention layer grows
 * with the length N and the width d.  Operations are counted on the tape that
 * trains the layer (nn/layer_cost.h).  An exponent is fitted over a size and
 * its multiples by 2, 4 and 8.  If the scores need no product, their exponent
 * is 0.
 *
 * count: counts the parameters that a variant learns, from the declarations of
 * its layer and of whole models (nn/layer_cost.h, train/train.h).
 *
 * Both change settings of a model by the argument `settings`, which holds
 * configuration keys as for -S, such as "d=512 heads=8 N=256".
 */
#include "harness/claims/check.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/config/settings.h"
#include "harness/nn/layer_cost.h"
#include "harness/nn/transformer.h"
#include "harness/stats/fit.h"
#include "harness/train/train.h"
#include "variants/variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the model ---- */

enum { MOST = 32, OF_A_MODEL = 14 };

/* The models that the argument `model` can name: one layer of the paper's base
 * shape, and the model of the paper's Table 4 as in the released code. */
static const struct assign models[][OF_A_MODEL] = {
    {{"variant", "vanilla", ""}, {"task", "agnews", ""}, {"layers", "1", ""},
     {"d", "512", ""}, {"heads", "8", ""}, {"ff", "2048", ""},
     {"N", "256", ""}, {"rank", "8", ""}},
    {{"variant", "vanilla", ""}, {"task", "c4", ""}, {"preset", "t5", ""},
     {"layers", "12", ""}, {"d", "768", ""}, {"heads", "12:code", ""},
     {"ff", "3072", ""}, {"N", "512", ""}, {"vocab", "32128", ""},
     {"rank", "16", ""}, {"mix", "plus", ""}, {"share_q", "true", ""}}};

/* Sets *c and *mix to the model of a variant.  Returns ERR_USAGE if an argument
 * is invalid or the variant cannot be built. */
static int read_model(struct config *c, struct mix *mix,
                      const struct check_values *v, const char *variant)
{
    OWNED(free) char *text = str_copy(v->settings);
    struct assign all[MOST];
    int n = 0;

    for (; n < OF_A_MODEL && models[v->model][n].key; n++)
        all[n] = models[v->model][n];
    all[0].value = variant;
    for (char *rest = text, *word; (word = strtok_r(NULL, " ", &rest));) {
        char *value = strchr(word, '=');

        if (!value || n == MOST)
            return err_set(ERR_USAGE, "settings: %s: expected key=value, at "
                           "most %d times", word, MOST);
        *value++ = 0;
        all[n++] = (struct assign){word, value, "settings"};
    }
    PASS(settings_resolve(c, all, n));
    settings_expect(c);
    PASS(mix_read(mix, c->variant));
    const char *fault = model_fault(&c->model, mix);
    return fault ? err_set(ERR_USAGE, "%s: %s", c->variant, fault) : OK;
}

/* ---- cost ---- */

enum { SIZES = 4 };

/* Returns the operations of a whole layer if `whole` is 1, else those that
 * compute its scores.  If the variant has no scores, the latter are `mixing`
 * (nn/layer_cost.h). */
static double flops(const struct model_config *c, const struct variant *v,
                    int whole)
{
    if (whole)
        return layer_cost_whole(c, v);
    struct layer_cost cost = layer_cost(c, v);
    return isnan(cost.scores) ? cost.mixing : cost.scores;
}

/* Returns the exponent with which the operations grow with *size.  `size`
 * points to c->N or c->d; the value there is restored. */
static double exponent(struct model_config *c, int *size,
                       const struct variant *v, int whole)
{
    double x[SIZES], y[SIZES];
    int from = *size;

    for (int i = 0; i < SIZES; i++) {
        *size = from << i;
        x[i] = *size;
        y[i] = flops(c, v, whole);
    }
    *size = from;
    return y[0] > 0 ? fit_exponent(x, y, SIZES) : 0;
}

static int run_cost(const struct check_values *v, struct check_out *o)
{
    static const char *const by_n[] = {"scores_n", "layer_n"};
    static const char *const by_d[] = {"scores_d", "layer_d"};
    struct config of;
    struct mix mix;

    PASS(read_model(&of, &mix, v, v->variant));
    struct model_config c = of.model;
    if (mix.n > 1)
        return err_set(ERR_USAGE, "variant: %s: expected a variant that is not "
                       "a mixture", of.variant);
    if (c.N > 65536 / 8 || c.d > 65536 / 8)
        return err_set(ERR_USAGE, "N, d: expected at most %d: sizes up to "
                       "eight times larger are counted", 65536 / 8);
    for (int whole = 0; whole < 2; whole++) {
        check_say(o, by_n[whole], exponent(&c, &c.N, mix.part[0], whole), 0);
        check_say(o, by_d[whole], exponent(&c, &c.d, mix.part[0], whole), 0);
    }
    return OK;
}

const struct check check_cost = {
    "cost", "how operations of a layer grow with length and width",
    "variant=vanilla model=base settings=", run_cost,
    {{"scores_n", "exponent of n in the operations of X -> B"},
     {"scores_d", "exponent of d in the operations of X -> B"},
     {"layer_n", "exponent of n in the operations of the whole layer"},
     {"layer_d", "exponent of d in the operations of the whole layer"}}};

/* ---- count ---- */

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

static int run_count(const struct check_values *v, struct check_out *o)
{
    struct config c, against;
    struct mix mix, other;

    PASS(read_model(&c, &mix, v, v->variant));
    PASS(read_model(&against, &other, v, v->against));
    double one = layer(&c, &mix), two = layer(&against, &other);
    if (two == 0)
        return err_set(ERR_USAGE, "against: %s has no learned parameters",
                       v->against);
    check_say(o, "layer", one, 0);
    check_say(o, "head", one / model_resolve(&c.model, &mix).heads, 0);
    check_say(o, "growth", growth(&c, &mix), 0);
    check_say(o, "ratio", one / two, 0);
    check_say(o, "model", train_params(&c, &mix), 0);
    return OK;
}

const struct check check_count = {
    "count", "learned parameters of a layer and a model",
    "variant=vanilla against=vanilla model=base settings=", run_count,
    {{"layer", "parameters of a layer without W_V and W_O"},
     {"head", "parameters of a head without W_V and W_O"},
     {"growth", "additional parameters per position"},
     {"ratio", "parameters of a layer / those of the variant that it is "
               "compared with"},
     {"model", "parameters of the whole model"}}};
