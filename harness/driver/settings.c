/*
 * settings: see settings.h.  Defaults are those of preset t2t for small
 * models; each key's name is the one the field's tools use.
 */
#include "harness/driver/settings.h"

#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "harness/driver/key.h"
#include "harness/driver/names.h"
#include "harness/driver/registry.h"
#include "harness/train/train.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const scales[] = {"smoke", "quick", "reduced", NULL};
static const char *const presets[] = {"t2t", NULL};
static const char *const mixes[] = {"logits", NULL};
static const char *const schedules[] = {"noam", NULL};

#define FIELD(x) offsetof(struct config, x), sizeof(((struct config *)0)->x)
#define SEED_MAX 9007199254740991.0 /* 2^53 - 1: any JSON reader keeps it */

/* clang-format off */
static const struct key table[] = {
    {"variant", &key_variant, FIELD(variant), KEY_AXIS, "vanilla", 0, 0, NULL,
     "attention variant, or a mixture of them: random+dense"},
    {"task", &key_task, FIELD(task), KEY_AXIS, "wmt14_ende", 0, 0, NULL,
     "what is learned"},
    {"scale", &key_word, FIELD(scale), KEY_AXIS, "quick", 0, 0, scales,
     "where the data come from; smoke: always generators"},
    {"seed", &key_seed, FIELD(seed), KEY_AXIS, "1", 0, SEED_MAX, NULL,
     "of initial weights, batches and dropout"},
    {"preset", &key_word, FIELD(preset), KEY_HASHED, "t2t", 0, 0, presets,
     "conventions of the model"},
    {"synthetic", &key_bool, FIELD(synthetic), KEY_HASHED, "false", 0, 0, NULL,
     "generators in place of real text"},
    {"mix", &key_word, FIELD(mix), KEY_HASHED, "logits", 0, 0, mixes,
     "reading of a mixture"},

    {"layers", &key_int, FIELD(model.layers), KEY_HASHED, "2", 1, 256, NULL,
     "layers of each stack"},
    {"d", &key_int, FIELD(model.d), KEY_HASHED, "128", 4, 65536, NULL,
     "width of the model"},
    {"heads", &key_int, FIELD(model.heads), KEY_HASHED, "4", 1, 1024, NULL,
     "attention heads; divides d"},
    {"ff", &key_int, FIELD(model.ff), KEY_HASHED, "512", 1, 262144, NULL,
     "inner width of the feed-forward layers"},
    {"N", &key_int, FIELD(model.N), KEY_HASHED, "64", 2, 65536, NULL,
     "longest sequence of the model"},
    {"length", &key_int, FIELD(length), KEY_HASHED, "0", 0, 65536, NULL,
     "longest sequence of this run, at most N; 0: N"},
    {"vocab", &key_int, FIELD(vocab), KEY_HASHED, "2000", 8, 1048576, NULL,
     "pieces of the tokenizer, or symbols of a generator"},
    {"rank", &key_int, FIELD(model.rank), KEY_HASHED, "8", 1, 65536, NULL,
     "of factorized-random"},
    {"a", &key_int, FIELD(model.a), KEY_HASHED, "0", 0, 65536, NULL,
     "short side of factorized-dense, a c = N; 0: nearest to sqrt(N)"},
    {"c", &key_int, FIELD(model.c), KEY_HASHED, "0", 0, 65536, NULL,
     "long side of factorized-dense; 0: N / a"},
    {"dense_bias", &key_bool, FIELD(model.dense_bias), KEY_HASHED, "true", 0,
     0, NULL, "biases of dense and factorized-dense"},
    {"tied", &key_bool, FIELD(model.tied), KEY_HASHED, "true", 0, 0, NULL,
     "the embedding table is the softmax's too"},
    {"dot_scale", &key_bool, FIELD(model.dot_scale), KEY_HASHED, "true", 0, 0,
     NULL, "divide learned dot products by sqrt(d / heads)"},
    {"norm_eps", &key_real, FIELD(model.norm_eps), KEY_HASHED, "1e-6", 0, 1,
     NULL, "inside the root of layer normalisation"},
    {"dropout", &key_real, FIELD(model.dropout), KEY_HASHED, "0.1", 0, 0.99,
     NULL, "on residuals, attention weights and the inner FFN layer"},
    {"label_smoothing", &key_real, FIELD(model.label_smoothing), KEY_HASHED,
     "0", 0, 0.99, NULL, "mass spread over the wrong classes in training"},
    {"R.init", &key_r_init, FIELD(model.r_scale), KEY_HASHED, "normal:1",
     1e-9, 1e9, NULL, "first value of R: normal:S or glorot"},

    {"batch", &key_int, FIELD(batch), KEY_HASHED, "32", 1, 65536, NULL,
     "examples a step"},
    {"steps", &key_int, FIELD(steps), KEY_HASHED, "1000", 1, 100000000, NULL,
     "optimiser steps"},
    {"shards", &key_int, FIELD(shards), KEY_HASHED, "4", 1, 1024, NULL,
     "parts of a batch, each done by one thread alone"},
    {"lanes", &key_int, FIELD(lanes), KEY_HASHED, "2", 1, 256, NULL,
     "gradient buffers, a power of two: the most threads of use"},
    {"train", &key_int, FIELD(train), KEY_HASHED, "0", 0, 2147483647, NULL,
     "training examples at most; 0: all"},
    {"valid", &key_int, FIELD(valid), KEY_HASHED, "0", 0, 2147483647, NULL,
     "validation examples at most; 0: all"},
    {"test", &key_int, FIELD(test), KEY_HASHED, "0", 0, 2147483647, NULL,
     "test examples at most; 0: all"},
    {"optimizer.b1", &key_real, FIELD(b1), KEY_HASHED, "0.9", 0, 0.999999,
     NULL, "Adam: decay of the first moment"},
    {"optimizer.b2", &key_real, FIELD(b2), KEY_HASHED, "0.997", 0, 0.999999,
     NULL, "Adam: decay of the second moment"},
    {"optimizer.eps", &key_real, FIELD(eps), KEY_HASHED, "1e-9", 1e-30, 1,
     NULL, "Adam: added to the root of the second moment"},
    {"schedule.name", &key_word, FIELD(schedule), KEY_HASHED, "noam", 0, 0,
     schedules, "scale d^-1/2 min(t^-1/2, t warmup^-3/2)"},
    {"schedule.scale", &key_real, FIELD(lr_scale), KEY_HASHED, "2", 0, 1e38,
     NULL, "factor of the learning rate"},
    {"schedule.warmup", &key_real, FIELD(warmup), KEY_HASHED, "8000", 1, 1e12,
     NULL, "steps of rising learning rate"},

    {"evals", &key_int, FIELD(evals), KEY_RUNTIME, "10", 1, 100000, NULL,
     "points of the validation curve; changes no other number"},
    {"checkpoint_seconds", &key_int, FIELD(checkpoint_seconds), KEY_RUNTIME,
     "30", 1, 86400, NULL, "between checkpoints; changes no number"},
    {"threads", &key_int, FIELD(threads), KEY_RUNTIME, "1", 1, 256, NULL,
     "of one worker; changes no number"},
};

/* What a preset, a scale and a kind of task say, before anybody else does. */
enum { ANY = -1 };
static const struct custom {
    const char *preset, *scale; /* NULL: any */
    int         kind;
    const char *key, *value;
} customs[] = {
    {"t2t", NULL, TASK_TRANSDUCE, "label_smoothing", "0.1"},
    {"t2t", NULL, TASK_LANGUAGE, "tied", "false"},
    {NULL, "smoke", ANY, "synthetic", "true"},
};
/* clang-format on */

enum { KEYS = sizeof table / sizeof *table };

static const struct key *find(const char *name)
{
    for (int i = 0; i < KEYS; i++)
        if (!strcmp(table[i].name, name))
            return &table[i];
    return NULL;
}

static int find_or_say(const struct key **out, const char *name)
{
    const char *names[KEYS + 1] = {NULL};

    *out = find(name);
    for (int i = 0; i < KEYS; i++)
        names[i] = table[i].name;
    return *out ? OK : names_unknown("key", name, names);
}

const char *settings_name(int i) { return i < KEYS ? table[i].name : NULL; }
const char *settings_initial(int i) { return table[i].initial; }
const char *settings_help(int i) { return table[i].help; }

int settings_is_axis(const char *key)
{
    const struct key *k = find(key);

    return k && k->role == KEY_AXIS;
}

int settings_set(struct config *c, const char *key, const char *value)
{
    const struct key *k;
    int rc = find_or_say(&k, key);

    return rc < 0 ? rc : k->type->set(k, c, value);
}

int settings_get(const struct config *c, const char *key, char **out)
{
    const struct key *k;
    int rc = find_or_say(&k, key);

    *out = NULL;
    if (rc < 0)
        return rc;
    char *s = k->type->json(k, c);
    size_t n = strlen(s);
    if (*s == '"') { /* no value of ours has anything to escape */
        memmove(s, s + 1, n - 2);
        s[n - 2] = 0;
    }
    *out = s;
    return OK;
}

int settings_same(const struct config *c, const char *key, const char *value)
{
    struct config other = *c;
    char *mine = NULL, *theirs = NULL;
    int rc = OK;

    TRY(settings_set(&other, key, value));
    TRY(settings_get(c, key, &mine));
    TRY(settings_get(&other, key, &theirs));
    rc = !strcmp(mine, theirs);
out:
    free(mine);
    free(theirs);
    return rc;
}

/* ---- resolving ---- */

static int defaults(struct config *c)
{
    int rc = OK;

    memset(c, 0, sizeof *c);
    for (int i = 0; i < KEYS; i++)
        TRY(settings_set(c, table[i].name, table[i].initial));
out:
    return rc;
}

static const char *last_where(const struct assign *a, int n, const char *key)
{
    while (n-- > 0)
        if (!strcmp(a[n].key, key))
            return a[n].where;
    return NULL;
}

static int assign(struct config *c, const struct assign *a)
{
    int rc = settings_set(c, a->key, a->value);

    return rc < 0 ? err_wrap(rc, "%s", a->where) : rc;
}

static int apply(struct config *c, const struct assign *a, int n,
                 enum task_kind kind)
{
    int rc = OK;

    for (size_t i = 0; i < sizeof customs / sizeof *customs; i++) {
        const struct custom *u = &customs[i];

        if ((u->preset && strcmp(u->preset, c->preset)) ||
            (u->scale && strcmp(u->scale, c->scale)) ||
            (u->kind != ANY && u->kind != (int)kind))
            continue;
        TRY(settings_set(c, u->key, u->value));
    }
    for (int i = 0; i < n; i++)
        TRY(assign(c, &a[i]));
out:
    return rc;
}

/* ERR_USAGE, with the place where `key` was last written in front. */
__attribute__((format(printf, 4, 5))) static int
blame(const struct assign *a, int n, const char *key, const char *fmt, ...)
{
    const char *where = last_where(a, n, key);
    char text[512];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return err_set(ERR_USAGE, "%s%s%s", where ? where : "",
                   where ? ": " : "", text);
}

/* Rules between keys. */
static int check(const struct config *c, const struct assign *a, int n)
{
    const struct model_config *m = &c->model;

    if (m->d % m->heads)
        return blame(a, n, "heads", "d: %d is not divisible by heads: %d",
                     m->d, m->heads);
    if (m->d % 2)
        return blame(a, n, "d", "d: %d is odd, sinusoidal positions need an "
                     "even width", m->d);
    if (c->length > m->N)
        return blame(a, n, "length", "n > N: length: %d is more than N: %d, "
                     "the longest sequence the model has scores for; lower "
                     "length or raise N", c->length, m->N);
    if ((m->a && m->N % m->a) || (m->c && m->N % m->c) ||
        (m->a && m->c && m->a * m->c != m->N))
        return blame(a, n, "a", "a: %d, c: %d: factorized-dense needs "
                     "a c = N = %d", m->a, m->c, m->N);
    if (c->shards > c->batch)
        return blame(a, n, "shards", "shards: %d is more than batch: %d",
                     c->shards, c->batch);
    if (c->lanes > c->shards || (c->lanes & (c->lanes - 1)))
        return blame(a, n, "lanes", "lanes: %d must be a power of two and at "
                     "most shards: %d", c->lanes, c->shards);
    if (!strcmp(c->scale, "smoke") && !c->synthetic)
        return blame(a, n, "synthetic", "synthetic: false: the smoke scale "
                     "has only generators; take scale quick");
    return OK;
}

static const enum family family_of[] = {
    [TASK_TRANSDUCE] = FAMILY_SEQ2SEQ,
    [TASK_LANGUAGE] = FAMILY_LM,
    [TASK_CLASSIFY] = FAMILY_ENCODER,
};

int settings_resolve(struct config *c, const struct assign *a, int n)
{
    const struct task *task;
    int rc = OK;

    TRY(defaults(c));
    for (int i = 0; i < n; i++) /* what the customs ask about */
        if (settings_is_axis(a[i].key) || !strcmp(a[i].key, "preset"))
            TRY(assign(c, &a[i]));
    TRY(registry_task(&task, c->task));
    TRY(apply(c, a, n, task->kind));
    c->model.family = family_of[task->kind];
    if (!c->length)
        c->length = c->model.N;

    TRY(check(c, a, n));
out:
    return rc;
}

void settings_expect(struct config *c)
{
    c->model.vocab = c->vocab;
    c->model.classes = 4;
}

/* ---- text ---- */

char *settings_text(const struct config *c, int hashed)
{
    json_t *all = json_object();

    for (int i = 0; i < KEYS; i++) {
        const struct key *k = &table[i];

        if ((k->role != KEY_RUNTIME) != hashed)
            continue;
        char *word = k->type->json(k, c);
        json_t *v = json_loads(word, JSON_DECODE_ANY, NULL);

        REQUIRE(v, "%s: '%s' is not JSON", k->name, word);
        json_object_set_new(all, k->name, v);
        free(word);
    }
    char *s = json_dumps(all, JSON_SORT_KEYS | JSON_COMPACT |
                                  JSON_REAL_PRECISION(17));
    REQUIRE(s, "out of memory");
    json_decref(all);
    return s;
}

void settings_id(const struct config *c, char id[SETTINGS_ID])
{
    char hex[HASH_HEX];
    char *config = settings_text(c, 1);
    char *text = str_format("%s data %d numerics %d", config,
                            DATA_RECIPE_VERSION, NUMERICS_VERSION);

    hash_sha256(text, strlen(text), hex);
    memcpy(id, hex, SETTINGS_ID - 1);
    id[SETTINGS_ID - 1] = 0;
    free(text);
    free(config);
}

static int restore(struct config *c, const char *text)
{
    json_t *all = json_loads(text, 0, NULL), *v;
    const char *name;
    int rc = OK;

    if (!json_is_object(all))
        rc = err_set(ERR_STORE, "not a configuration: %s", text);
    json_object_foreach (all, name, v) {
        char *word = json_is_string(v)
                         ? str_copy(json_string_value(v))
                         : json_dumps(v, JSON_ENCODE_ANY);

        if (rc == OK && settings_set(c, name, word) < 0)
            rc = err_wrap(ERR_STORE, "written by another version");
        free(word);
    }
    json_decref(all);
    return rc;
}

int settings_restore(struct config *c, const char *hashed, const char *other)
{
    const struct task *task;
    int rc = OK;

    TRY(defaults(c));
    TRY(restore(c, hashed));
    TRY(restore(c, other));
    TRY(registry_task(&task, c->task));
    c->model.family = family_of[task->kind];
out:
    return rc;
}
