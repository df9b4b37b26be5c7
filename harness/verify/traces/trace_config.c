#include "harness/verify/traces/trace.h"

#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/config/settings.h"
#include "harness/nn/transformer.h"
#include "variants/variants.h"

#include <string.h>

enum { STEPS = 1000 }; /* maximum, because the results of all steps are kept */

const char *const trace_families[] = {FAMILIES(NAMES_WORD) NULL};

const char *trace_asked(const struct assigns *set, const char *key,
                        const char *otherwise)
{
    for (int i = 0; i < set->n; i++)
        if (!strcmp(set->a[i].key, key))
            otherwise = set->a[i].value;
    return otherwise;
}

static int set_family(struct config *c, const struct assigns *set)
{
    const char *text = trace_asked(set, "classes", "3");
    long long n = 0;

    c->model.vocab = c->vocab;
    c->model.classes = 0;
    if (c->model.family != FAMILY_ENCODER)
        return OK;
    if (str_to_int(text, &n) || n < 1 || n > 1 << 20)
        return err_set(ERR_USAGE, "classes: '%s' is not a positive whole "
                       "number", text);
    c->model.classes = (int)n;
    return OK;
}

/* Replaces `heads: code` by the value that it has for this variant. */
static void settle(struct config *c, const struct mix *mix)
{
    OWNED(params_close) struct params plan;

    params_count(&plan);
    c->model = *model_config(model_new(&c->model, mix, &plan));
    c->model.code_heads = 0;
}

int trace_config_resolve(struct config *c, struct mix *mix, const char *family,
                         const struct assigns *set)
{
    const char *variant = trace_asked(set, "variant", "");
    int i = names_find("family", family, trace_families), n = 0;
    struct assign a[TRACE_SETS];

    PASS(i);
    for (int j = 0; j < set->n; j++)
        if (strcmp(set->a[j].key, "classes"))
            a[n++] = set->a[j];
    PASS(settings_resolve_family(c, (enum family)i, a, n));
    PASS(mix_read(mix, variant));
    PASS(set_family(c, set));
    if (c->model.dropout > 0)
        return err_set(ERR_USAGE, "dropout: %g: other programs cannot repeat a "
                       "trace with dropout; set it to 0", c->model.dropout);
    if (c->precision != PRECISION_FP32)
        return err_set(ERR_USAGE, "precision: traces require fp32, which their "
                       "tolerances assume");
    if (c->device != DEVICE_CPU)
        return err_set(ERR_USAGE, "device: traces are of the processor; use "
                       "cpu");
    if (c->batch_by == BATCH_TOKENS)
        return err_set(ERR_USAGE, "batch.by: tokens: all batches of a trace "
                       "have the same size; use examples");
    if (c->model.probe)
        return err_set(ERR_USAGE, "probe: traces require a whole model");
    const char *fault = mix_fault(mix, &c->model);
    if (fault)
        return err_set(ERR_USAGE, "%s in family %s: %s", variant, family,
                       fault);
    settle(c, mix);
    return OK;
}

/* Defaults of traces; settings that are given override them.  A row applies to
 * every trace, to those of one preset, or to variants whose names contain
 * `part`. */
static const struct small {
    const char *preset, *part, *key, *value;
} smalls[] = {
    {NULL, NULL, "layers", "2"},
    {NULL, NULL, "d", "16"},
    {NULL, NULL, "heads", "4"},
    {NULL, NULL, "ff", "24"},
    {NULL, NULL, "N", "24"},
    {NULL, NULL, "length", "20"},
    {NULL, NULL, "vocab", "40"},
    {NULL, NULL, "batch", "3"},
    {NULL, NULL, "shards", "3"},
    {NULL, NULL, "lanes", "2"},
    {NULL, NULL, "steps", "3"},
    {NULL, NULL, "tied", "true"},
    {NULL, NULL, "dropout", "0"},
    {NULL, NULL, "optimizer.factor_min", "8"},
    {"t2t", NULL, "schedule.warmup", "100"},
    {NULL, "factorized-random", "rank", "3"},
    {NULL, "factorized-dense", "a", "4"},
    {NULL, "factorized-dense", "c", "6"},
    {NULL, "-conv", "conv_heads", "2"},
    {NULL, "-conv", "conv_width", "5"},
    {NULL, "linformer", "projection", "6"},
    {.key = NULL},
};

int trace_config_make(struct config *c, struct mix *mix, const char *family,
                      const struct assigns *given)
{
    const char *variant = trace_asked(given, "variant", "vanilla");
    const char *preset = trace_asked(given, "preset", "t2t");
    struct assign a[TRACE_SETS] = {{"variant", variant, "--variant"}};
    struct assigns all = {1, a};

    for (const struct small *d = smalls; d->key; d++)
        if ((!d->preset || !strcmp(d->preset, preset)) &&
            (!d->part || strstr(variant, d->part)))
            a[all.n++] = (struct assign){d->key, d->value,
                                         "default of traces"};
    if (trace_asked(given, "classes", NULL) &&
        (!family || strcmp(family, "encoder")))
        return err_set(ERR_USAGE, "classes: family %s has no classes",
                       family ? family : "lm");
    REQUIRE(all.n + given->n <= TRACE_SETS, "%d settings", given->n);
    for (int i = 0; i < given->n; i++)
        a[all.n++] = given->a[i];
    int rc = trace_config_resolve(c, mix, family ? family : "lm", &all);
    if (rc == OK && c->steps > STEPS)
        rc = err_set(ERR_USAGE, "steps: %d: a trace has at most %d steps, "
                     "because rounding errors accumulate", c->steps, STEPS);
    return rc;
}
