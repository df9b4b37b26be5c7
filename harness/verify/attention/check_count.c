/*
 * check_count: the property `params`, which verify.c runs.  It compares the
 * numbers of learned and frozen parameters of whole models with the formula.
 * All models are the same except for their attention, so equality implies that
 * with L layers (of both stacks), h heads, N positions, width d and rank r
 *
 *     random has L h N^2 learned parameters more than fixed-random,
 *     factorized-random has 2 L h N r more than fixed-random,
 *     vanilla has 2 L d^2 more than fixed-random, and
 *     a mixture learns the parameters of its parts and its scalars.
 */
#include "harness/nn/transformer.h"
#include "harness/verify/attention/verify.h"

#include <math.h>

static const char *const family[] = {FAMILIES(NAMES_WORD)};

/* The model of t2t, that of t5 with heads as wide as in the released code, and
 * one with the remaining options. */
static const struct model_config config[] = {
    {.layers = 3, .d = 64, .heads = 4, .ff = 96, .N = 24, .vocab = 100,
     .classes = 5, .tied = 1, .ffn_bias = 1, .dense_bias = 1, .rank = 8,
     .projection = 5, .conv_width = {2, {3, 7}}},
    {.layers = 2, .d = 64, .heads = 8, .head_width = 16, .cross_heads = 4,
     .ff = 96, .N = 36, .vocab = 100, .classes = 5, .norm = NORM_RMS,
     .position = POSITION_NONE, .relative_bias = 1, .relative_buckets = 8,
     .relative_distance = 16, .rank = 4, .projection = 9, .inner = 1, .gain = 1,
     .conv_heads = 16, .conv_width = {1, {9}}},
    {.layers = 1, .d = 64, .heads = 4, .ff = 96, .N = 16, .vocab = 100,
     .classes = 1, .attention_bias = 1, .position = POSITION_LEARNED,
     .rank = 8, .projection = 5, .conv_width = {1, {3}}},
};
enum { CONFIGS = sizeof config / sizeof *config };

static void count(const struct subject *s, struct model_config c,
                  struct gauge *m)
{
    struct params plan;

    c.mix = s->rule;
    c.share_q = s->share_q;
    if (mix_fault(&s->mix, &c))
        return;
    params_count(&plan);
    model_new(&c, &s->mix, &plan);
    double got = (double)params_total(&plan, PARAM_LEARNED);
    double want = (double)formula_model_learned(&c, s->variant);
    measure_worst(m, fabs(got - want), "%s has %.0f learned parameters, not "
                  "%.0f", family[c.family], got, want);
    got = (double)params_total(&plan, PARAM_FROZEN);
    want = (double)formula_frozen(&c, s->variant) * c.layers *
           (c.family == FAMILY_SEQ2SEQ ? 2 : 1);
    measure_worst(m, fabs(got - want), "%s has %.0f frozen parameters, not "
                  "%.0f", family[c.family], got, want);
    params_close(&plan);
}

static void params(const struct subject *s, const struct backend *be,
                   struct gauge *m)
{
    (void)be;
    for (int i = 0; i < CONFIGS; i++)
        for (int f = 0; f < 3; f++) {
            struct model_config c = config[i];

            c.family = (enum family)f;
            count(s, c, m);
        }
}

const struct property property_params = {
    .name = "params",
    .title = "whole models have as many parameters as the formulas say",
    .excuse = property_needs_formula,
    .whole = params};
