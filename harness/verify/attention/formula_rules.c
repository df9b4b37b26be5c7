#include "harness/verify/attention/formula.h"

#include <string.h>

#define COUNT(x) formula_count_##x

/* clang-format off */
static const struct formula_rule rules[] = {
    {.name = "vanilla", .scores = formula_vanilla, .has_q = 1,
     .learned = COUNT(qk)},
    {.name = "dense", .scores = formula_dense, .learned = COUNT(dense)},
    {.name = "dense-mtf", .scores = formula_dense_mtf, .takes_q = 1,
     .learned = COUNT(dense_mtf)},
    {.name = "dense-literal", .scores = formula_dense_literal,
     .learned = COUNT(dense_literal)},
    {.name = "random", .scores = formula_table, .learned = COUNT(table)},
    {.name = "fixed-random", .scores = formula_table, .frozen = COUNT(table)},
    {.name = "factorized-random", .scores = formula_low_rank, .own = "rank",
     .learned = COUNT(pair)},
    {.name = "factorized-random-mtf", .scores = formula_columns,
     .own = "rows", .learned = COUNT(pair)},
    {.name = "factorized-dense", .scores = formula_factors, .own = "column",
     .learned = COUNT(factors)},
    {.name = "orthogonal", .scores = formula_frozen_dot,
     .orthonormal = ORTHONORMAL_HEAD, .learned = COUNT(gain),
     .frozen = COUNT(frozen_qk)},
    {.name = "orthogonal-split", .scores = formula_frozen_dot,
     .orthonormal = ORTHONORMAL_ALL, .learned = COUNT(gain),
     .frozen = COUNT(frozen_qk)},
    {.name = "orthogonal-tied", .scores = formula_tied,
     .orthonormal = ORTHONORMAL_HEAD, .learned = COUNT(gain),
     .frozen = COUNT(tied)},
    {.name = "frozen-gaussian", .scores = formula_frozen_dot,
     .learned = COUNT(gain), .frozen = COUNT(frozen_qk)},
    {.name = "linformer", .output = formula_linformer,
     .learned = COUNT(linformer)},
    {.name = "lightweight-conv", .output = formula_lightweight, .bare = 1,
     .reach = formula_reach_conv, .own = "band",
     .learned = COUNT(lightweight)},
    {.name = "lightweight-conv-mtf", .output = formula_lightweight_mtf,
     .bare = 1, .biased = 1, .reach = formula_reach_mtf,
     .learned = COUNT(lightweight_mtf)},
    {.name = "dynamic-conv", .output = formula_dynamic, .bare = 1,
     .reach = formula_reach_conv, .own = "band",
     .learned = COUNT(dynamic)},
    {.name = "dynamic-conv-mtf", .output = formula_dynamic_mtf, .bare = 1,
     .biased = 1, .reach = formula_reach_mtf, .learned = COUNT(dynamic_mtf)},
    {.name = "mixer", .scores = formula_table, .linear = 1,
     .learned = COUNT(table)},
    {.name = "uniform", .scores = formula_uniform},
};
/* clang-format on */

static const struct formula_rule *find(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strlen(rules[i].name) == n && !memcmp(rules[i].name, name, n))
            return &rules[i];
    return NULL;
}

const struct formula_rule *formula_rule(const char *name)
{
    return find(name, strlen(name));
}

const struct formula_rule *formula_part(const char *variant)
{
    return find(variant, strcspn(variant, "+"));
}

int formula_reach(const char *variant, const struct model_config *c,
                  int causal)
{
    const struct formula_rule *rule = formula_rule(variant);

    return rule && rule->reach ? rule->reach(c, causal) : -1;
}

/* ---- number of values that the model learns ---- */

static long norm_count(const struct model_config *c)
{
    return c->norm == NORM_LAYER ? 2 * c->d : c->d;
}

/* Counts the tables of positions and the last norm. */
static long ends_count(const struct model_config *c, const char *variant)
{
    const struct formula_rule *rule = formula_part(variant);
    long sum = c->probe ? 0 : norm_count(c);

    if (c->position == POSITION_LEARNED)
        sum += (long)c->N * c->d;
    if (c->relative_bias && !rule->output && !rule->linear)
        sum += (long)c->relative_buckets * c->heads;
    return sum;
}

/* Counts self-attention, feed-forward layers and norms of one stack. */
static long stack_count(const struct model_config *c, const char *variant)
{
    long d = c->d, ffn = 2 * d * c->ff + (c->ffn_bias ? c->ff + d : 0);
    long sum = ends_count(c, variant);

    if (c->probe)
        return sum + formula_learned(c, variant) + norm_count(c);
    for (int i = 0; i < c->layers; i++) {
        struct model_config own = *c;
        const struct widths *w = &c->conv_width;

        own.conv_width.at[0] = w->at[w->n == 0 ? 0 : i < w->n ? i : w->n - 1];
        sum += formula_learned(&own, variant) + ffn + 2 * norm_count(c);
    }
    return sum;
}

long formula_model_learned(const struct model_config *c, const char *variant)
{
    long d = c->d, table = c->vocab * d, stack = stack_count(c, variant);
    long cross = 4 * d * d + norm_count(c);

    if (c->family == FAMILY_ENCODER)
        return table + stack + d * c->classes + c->classes;
    if (c->family == FAMILY_LM)
        return table + stack + (c->tied ? 0 : table);
    return table + 2 * stack + c->layers * cross + (c->tied ? 0 : table);
}
