#include "harness/verify/traces/trace.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/config/key_table.h"
#include "harness/config/settings.h"
#include "variants/variants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- keys of the file ---- */

/*
 * A file may contain every key that determines what a step does (KEY_TRACED).
 * If a key is missing, its own default applies, except for the keys listed
 * here.  The list is part of the file format: the meaning of a file without a
 * key must not change.
 */
#define REQUIRED NULL
#define PRESET ""  /* set by the preset   */
#define REMARK "-" /* allowed and ignored */

static const struct file_key { const char *name, *absent; } exceptions[] = {
    {"family", REQUIRED},
    {"preset", REQUIRED},
    {"variant", REQUIRED},
    {"mix", PRESET}, /* only mixtures have it */
    {"layers", REQUIRED},
    {"d", REQUIRED},
    {"heads", REQUIRED},
    {"ff", REQUIRED},
    {"N", REQUIRED},
    {"vocab", REQUIRED},
    {"classes", "0"},
    {"norm", PRESET},
    {"position", PRESET},
    {"ffn_bias", PRESET},
    {"embed_scale", PRESET},
    {"logit_scale", PRESET},
    {"dot_scale", PRESET},
    {"relative_bias", REQUIRED},
    {"label_smoothing", REQUIRED},
    {"batch", REQUIRED},
    {"length", REQUIRED},
    {"seed", REQUIRED},
    {"optimizer.name", REQUIRED},
    {"schedule.name", REQUIRED},
    {"schedule.scale", "1"},
    {"schedule.warmup", "1"},
    {"conv_width", "3"},
    {"dropout", "0"},
    {"shards", PRESET}, /* one shard per row */
    {"steps", REMARK},
    {"program", REMARK},
    {"version", REMARK},
    {"commit", REMARK},
    {.name = NULL},
};

static const struct file_key *find(const struct file_key *k, const char *name)
{
    while (k->name && strcmp(k->name, name))
        k++;
    return k->name ? k : NULL;
}

/* Lists the keys that a file may contain, and what the absence of each means:
 * first those of `exceptions`, then the keys whose default applies.  The list
 * ends with NULL. */
static void list_keys(struct file_key out[TRACE_SETS])
{
    int n = sizeof exceptions / sizeof *exceptions - 1;
    const struct variant *by;
    const struct key *k;

    memcpy(out, exceptions, sizeof exceptions);
    for (int i = 0; (k = key_at(i, &by)); i++)
        if (k->role == KEY_TRACED && !find(exceptions, k->name)) {
            REQUIRE(n < TRACE_SETS - 1, "more than %d keys", n);
            out[n++] = (struct file_key){k->name, k->initial};
        }
    out[n].name = NULL;
}

/* Returns the optimiser that this key belongs to, or NULL if it is not specific
 * to one. */
static const char *only(const char *key)
{
    if (strncmp(key, "optimizer.", 10) || !strcmp(key, "optimizer.name"))
        return NULL;
    int adam = !strcmp(key, "optimizer.b1") || !strcmp(key, "optimizer.b2") ||
               !strcmp(key, "optimizer.eps");
    return adam ? "adam" : "adafactor";
}

/* Stores `value` under `key`.  A key such as "optimizer.b1" becomes the member
 * "b1" of the object "optimizer". */
static void put(json_t *to, const char *key, json_t *value)
{
    size_t n = strcspn(key, ".");
    char group[32];

    snprintf(group, sizeof group, "%.*s", (int)n, key);
    if (strcmp(group, "optimizer") && strcmp(group, "schedule")) {
        json_object_set(to, key, value);
        return;
    }
    if (!json_object_get(to, group))
        json_object_set_new(to, group, json_object());
    json_object_set(json_object_get(to, group), key + n + 1, value);
}

/* Returns true if the key can be omitted: a file without it means the same. */
static int implied(const struct config *c, const struct file_key *k)
{
    return k->absent && *k->absent && strcmp(k->absent, REMARK) &&
           strcmp(k->name, "classes") &&
           settings_same(c, k->name, k->absent) == 1;
}

char *trace_json(const struct config *c, const struct mix *mix)
{
    OWNED(free) char *flat = settings_all(c, 1);
    char name[MIX_NAME];
    OWNED(json_decref) json_t *all = json_loads(flat, 0, NULL);
    OWNED(json_decref) json_t *out = json_object();
    const char *optimizer = json_string_value(
        json_object_get(all, "optimizer.name"));
    struct file_key keys[TRACE_SETS];

    list_keys(keys);
    REQUIRE(all && mix_name(name, mix) == OK, "%s", flat);
    json_object_set_new(all, "family",
                        json_string(trace_families[c->model.family]));
    json_object_set_new(all, "variant", json_string(name));
    json_object_set_new(all, "program", json_string("synthbench"));
    if (c->model.family == FAMILY_ENCODER)
        json_object_set_new(all, "classes", json_integer(c->model.classes));
    if (mix->n == 1)
        json_object_del(all, "mix");
    for (const struct file_key *k = keys; k->name; k++) {
        json_t *v = json_object_get(all, k->name);
        const char *of = only(k->name);

        if (v && (!of || !strcmp(of, optimizer)) && !implied(c, k))
            put(out, k->name, v);
    }
    return json_dumps(out, JSON_REAL_PRECISION(17));
}

/* ---- from JSON ---- */

/* The settings that have been read; their texts are in `memory`. */
struct reading {
    struct assigns  set;
    const char     *family;          /* not a setting */
    struct arena   *memory;
    struct file_key key[TRACE_SETS]; /* all known keys */
};

static void set(struct reading *r, const char *key, const char *value)
{
    REQUIRE(r->set.n < TRACE_SETS, "%d settings", r->set.n);
    r->set.a[r->set.n++] = (struct assign){key, value, "config"};
}

static int take_member(struct reading *r, const char *key, json_t *v)
{
    int i = names_row("key", key, r->key, sizeof *r->key);

    PASS(i);
    const struct file_key *k = &r->key[i];
    if (trace_asked(&r->set, key, NULL))
        return err_set(ERR_USAGE, "config: %s appears twice", key);
    if (json_is_null(v) || (k->absent && !strcmp(k->absent, REMARK)))
        return OK;
    if (json_is_object(v) || json_is_array(v))
        return err_set(ERR_USAGE, "config: %s is neither a string nor a number",
                       key);
    OWNED(free) char *word = json_is_string(v) ? str_copy(json_string_value(v))
        : json_dumps(v, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    if (!strcmp(key, "family"))
        r->family = arena_text(r->memory, word);
    else
        set(r, k->name, arena_text(r->memory, word));
    return OK;
}

static int take_all(struct reading *r, json_t *all)
{
    const char *name, *inner;
    json_t *v, *w;

    json_object_foreach (all, name, v) {
        if (!json_is_object(v))
            PASS(take_member(r, name, v));
        json_object_foreach (v, inner, w) {
            OWNED(free) char *key = str_format("%s.%s", name, inner);

            PASS(take_member(r, key, w));
        }
    }
    return OK;
}

/* Returns ERR_USAGE if a key belongs to an optimiser other than the named one,
 * or OK. */
static int only_its_own(const struct reading *r)
{
    const char *name = trace_asked(&r->set, "optimizer.name", NULL);

    for (int i = 0; i < r->set.n; i++) {
        const char *of = only(r->set.a[i].key);

        if (name && of && strcmp(of, name))
            return err_set(ERR_USAGE, "config: %s is a key of %s, not of %s",
                           r->set.a[i].key, of, name);
    }
    return OK;
}

/* Checks that all required keys are present, and adds the defaults of absent
 * keys. */
static int complete(struct reading *r)
{
    for (const struct file_key *k = r->key; k->name; k++) {
        if (trace_asked(&r->set, k->name, NULL) ||
            (r->family && !strcmp(k->name, "family")))
            continue;
        if (!k->absent)
            return err_set(ERR_USAGE, "config: key %s is missing", k->name);
        if (strcmp(k->absent, PRESET) && strcmp(k->absent, REMARK))
            set(r, k->name, k->absent);
    }
    if (!trace_asked(&r->set, "shards", NULL)) /* one shard per row */
        set(r, "shards", trace_asked(&r->set, "batch", NULL));
    set(r, "lanes", "1");
    return OK;
}

int trace_json_read(struct config *c, struct mix *mix, const char *text,
                    int steps)
{
    json_error_t wrong = {.line = 0};
    OWNED(json_decref) json_t *all = json_loads(text, JSON_REJECT_DUPLICATES,
                                                &wrong);
    OWNED(arena_free) struct arena *memory = arena_new();
    struct assign a[TRACE_SETS];
    struct reading r = {.set = {0, a}, .memory = memory};

    list_keys(r.key);
    if (!json_is_object(all))
        return err_set(ERR_USAGE, "config: not a JSON object: %s",
                       all ? text : wrong.text);
    PASS(take_all(&r, all));
    PASS(only_its_own(&r));
    PASS(complete(&r));
    if (steps > 0) /* the schedule decays over these steps */
        set(&r, "steps", arena_format(memory, "%d", steps));
    PASS(trace_config_resolve(c, mix, r.family, &r.set));
    c->lanes = c->shards > 1 ? 2 : 1;
    c->steps = steps;
    return OK;
}
