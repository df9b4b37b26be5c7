#include "harness/config/settings_rules.h"

#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/nn/transformer.h"
#include "variants/variants.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The `n` assignments `a` of a configuration, in order. */
struct rule { const struct assign *a; int n; };

/* If there is an assignment to one of `keys`, puts the place of the last one in
 * front of the message.  Returns ERR_USAGE. */
static int place(struct rule r, const char *const *keys)
{
    while (r.n-- > 0)
        if (names_index(keys, r.a[r.n].key) >= 0)
            return err_wrap(ERR_USAGE, "%s", r.a[r.n].where);
    return ERR_USAGE;
}

#define clash_of(r, keys, ...) (err_set(ERR_USAGE, __VA_ARGS__), place(r, keys))
#define clash(r, key, other, ...)                                             \
    clash_of(r, ((const char *const[]){key, other, NULL}), __VA_ARGS__)

/* Returns the number of distances that have their own bucket.  It is half as
 * large in an encoder, which looks in both directions. */
static int exact_buckets(const struct model_config *m)
{
    return m->relative_buckets / (m->family == FAMILY_ENCODER ? 4 : 2);
}

/* Returns ERR_USAGE if head_width is set for a synthesizer with `heads: code`,
 * which sets the width itself. */
static int check_heads(const struct config *c, struct rule r)
{
    struct model_config plain = c->model;
    char name[MIX_NAME];
    struct mix mix;
    int rc = mix_parse(&mix, name, c->variant);

    plain.head_width = 0;
    if (rc == OK && c->model.head_width &&
        model_resolve(&plain, &mix).head_width)
        rc = clash(r, "head_width", "heads", "head_width: %d: heads: code "
                   "gives %s 8 heads of width 128; omit one of the two",
                   c->model.head_width, c->variant);
    return rc;
}

static int check_layers(const struct config *c, struct rule r)
{
    const struct model_config *m = &c->model;

    if (m->d % m->heads)
        return clash(r, "heads", "d", "d (%d) is not divisible by heads (%d)",
                     m->d, m->heads);
    if (m->cross_heads && m->d % m->cross_heads)
        return clash(r, "cross_heads", "d", "d (%d) is not divisible by "
                                            "cross_heads "
                                            "(%d)", m->d, m->cross_heads);
    if (m->code_heads && m->d % 8)
        return clash(r, "heads", "d", "d (%d) is not divisible by the 8 heads "
                                      "of heads=code", m->d);
    if (m->conv_heads && m->d % m->conv_heads)
        return clash(r, "conv_heads", "d", "d: %d is not divisible by "
                     "conv_heads: %d", m->d, m->conv_heads);
    if (m->d % 2)
        return clash(r, "d", "d", "d: %d is odd, sinusoidal positions need "
                     "an even width", m->d);
    if (m->probe && m->layers != 1)
        return clash(r, "probe", "layers", "probe: true: a probe has one "
                     "layer, not layers: %d", m->layers);
    if (m->probe && m->family == FAMILY_SEQ2SEQ)
        return clash(r, "probe", "task", "probe: true: task %s needs an "
                     "encoder and a decoder, a probe is one layer", c->task);
    return OK;
}

static int check_lengths(const struct config *c, struct rule r)
{
    const struct model_config *m = &c->model;

    if (c->length > m->N)
        return clash(r, "length", "N", "length: %d is greater than N: %d, the "
                                       "longest sequence that the model "
                                       "supports; lower length or raise "
                                       "N", c->length, m->N);
    if ((m->a && m->N % m->a) || (m->c && m->N % m->c) ||
        (m->a && m->c && m->a != m->N / m->c))
        return clash(r, "a", "c", "a (%d) and c (%d): factorized-dense needs "
                     "a times c = N (%d)", m->a, m->c, m->N);
    if (m->relative_bias && m->relative_distance <= exact_buckets(m))
        return clash(r, "relative_distance", "relative_buckets",
                     "relative_distance: %d must be above %d, the number of "
                     "distances with a bucket of their own",
                     m->relative_distance, exact_buckets(m));
    if (c->batch_by == BATCH_EXAMPLES && (long long)c->batch * m->N > INT_MAX)
        return clash(r, "batch", "N", "batch: %d sequences of N: %d are more "
                     "than %d tokens", c->batch, m->N, INT_MAX);
    return OK;
}

static int check_rate(const struct config *c, struct rule r)
{
    static const char *const decays[] = {DECAYS(NAMES_WORD) NULL};
    static const char *const keys[] = {"schedule.warmup", "steps",
                                       "schedule.name", NULL};

    if (names_index(decays, c->schedule) >= 0 && c->warmup > c->steps)
        return clash_of(r, keys, "schedule.warmup (%g) is more than steps "
                                 "(%d), but the schedule `%s` decays after "
                                 "the warmup; set schedule.warmup to at most "
                                 "%d, or steps to at least %.0f", c->warmup,
                        c->steps, c->schedule, c->steps, ceil(c->warmup));
    return OK;
}

/* Checks score_rate.PART: the variant must be a mixture of which PART is a
 * part. */
static int check_part_rates(const struct config *c, struct rule r)
{
    char name[MIX_NAME];
    struct mix mix;

    PASS(mix_parse(&mix, name, c->variant));
    for (int i = 0; i < PART_RATES && c->optimizer.part_rate[i].part; i++) {
        const char *part = c->optimizer.part_rate[i].part;
        char key[64];
        int at = 0;

        snprintf(key, sizeof key, "score_rate.%s", part);
        if (mix.n == 1)
            return clash(r, key, "variant", "%s: %s is not a mixture; use "
                         "'score_rate'", key, c->variant);
        while (at < mix.n && strcmp(mix.part[at]->name, part))
            at++;
        if (at == mix.n)
            return clash(r, key, "variant", "%s: %s has no part %s", key,
                         c->variant, part);
    }
    return OK;
}

static int check_batch(const struct config *c, struct rule r)
{
    if (c->shards > c->batch)
        return clash(r, "shards", "batch", "shards (%d) is more than batch "
                                           "(%d)", c->shards, c->batch);
    if (c->devices > 1 && c->batch_by == BATCH_EXAMPLES)
        return clash(r, "batch.devices", "batch.by", "batch.devices: %d needs "
                     "batch.by: tokens", c->devices);
    if (c->batch % c->devices)
        return clash(r, "batch.devices", "batch", "batch: %d tokens are not "
                     "divisible by batch.devices: %d", c->batch, c->devices);
    return OK;
}

/* Checks lanes, decoding and the source of the data. */
static int check_run(const struct config *c, struct rule r)
{
    if (c->lanes > c->shards || (c->lanes & (c->lanes - 1)))
        return clash(r, "lanes", "shards", "lanes: %d must be a power of two "
                     "and at most shards: %d", c->lanes, c->shards);
    if (c->nbest > c->beam)
        return clash(r, "decode.nbest", "decode.beam", "decode.nbest (%d) is "
                     "more than decode.beam (%d)", c->nbest, c->beam);
    if (2 * c->beam > c->vocab)
        return clash(r, "decode.beam", "vocab", "decode.beam (%d) is more "
                                                "than half of vocab "
                                                "(%d)", c->beam, c->vocab);
    if (!strcmp(c->scale, "smoke") && !c->synthetic)
        return clash(r, "synthetic", "scale", "synthetic: false: the smoke "
                     "scale has only generators; use scale quick");
    if (c->skip_nul && strcmp(c->scale, "full"))
        return clash(r, "skip_nul", "scale", "skip_nul: true is for official "
                     "data; scale: %s does not use it", c->scale);
    return OK;
}

/* The shortest example of any task: a text with one masked span. */
enum { LENGTH_MIN = 4 };

int rules_check_length(const struct config *c, const struct assign *a, int n)
{
    if (c->length >= LENGTH_MIN)
        return OK;
    return clash(((struct rule){a, n}), "length", "N", "length: %d is less "
                 "than %d, the shortest example of any task", c->length,
                 LENGTH_MIN);
}

int rules_check(const struct config *c, const struct assign *a, int n)
{
    struct rule r = {a, n};

    PASS(check_layers(c, r));
    PASS(check_heads(c, r));
    PASS(check_lengths(c, r));
    PASS(check_rate(c, r));
    PASS(check_part_rates(c, r));
    PASS(check_batch(c, r));
    return check_run(c, r);
}

int settings_check(const struct config *c)
{
    return rules_check(c, NULL, 0);
}

int settings_check_mix(const struct config *c, int n, const struct assign *a,
                       int na)
{
    int asked = 0;

    for (int i = 0; i < n; i++) {
        if (strchr(c[i].variant, '+'))
            return OK;
        asked |= c[i].model.mix != MIX_LOGITS;
    }
    if (!asked)
        return OK;
    return clash(((struct rule){a, na}), "mix", "mix", "mix: no selected "
                 "variant is a mixture, such as random+vanilla");
}
