#include "harness/config/settings.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/config/key_table.h"
#include "harness/config/settings_rules.h"
#include "harness/tasks/gen/gen.h"
#include "harness/tasks/task.h"
#include "harness/train/train.h"
#include "variants/variants.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const struct key *find(const char *name, const struct variant **by)
{
    const struct key *k;

    for (int i = 0; (k = key_at(i, by)) && strcmp(k->name, name); i++)
        ;
    return k;
}

static int unknown(const char *name)
{
    int n = 0;

    while (settings_name(n))
        n++;
    OWNED(free) const char **names = calloc((size_t)n + 1, sizeof *names);
    while (n-- > 0)
        names[n] = settings_name(n);
    return names_unknown("key", name, names, "synthbench list keys");
}

/* Sets a key.  If the key is a knob, `by` is its variant, and the value is kept
 * in c->model.  If `by` is NULL, the key is a field of struct config. */
static int set(const struct key *k, const struct variant *by,
               struct config *c, const char *value)
{
    return by ? knob_set(k, &c->model, value) : k->type->set(k, c, value);
}

static char *json(const struct key *k, const struct variant *by,
                  const struct config *c)
{
    return by ? knob_json(k, &c->model) : k->type->json(k, c);
}

const char *settings_name(int i)
{
    const struct variant *by;
    const struct key *k = key_at(i, &by);

    return k ? k->name : NULL;
}

int settings_is_axis(const char *key)
{
    const struct variant *by;
    const struct key *k = find(key, &by);

    return k && k->role == KEY_AXIS;
}

const char *settings_set_by(const char *key)
{
    return !strcmp(key, "trainer")                             ? "`adopt`"
           : !strcmp(key, "tuned") || !strcmp(key, "trial") ? "'tune'"
                                                               : NULL;
}

int settings_set(struct config *c, const char *key, const char *value)
{
    const struct variant *by;
    const struct key *k = find(key, &by);

    return k ? set(k, by, c, value) : unknown(key);
}

int settings_get(const struct config *c, const char *key, char **out)
{
    const struct variant *by;
    const struct key *k = find(key, &by);

    *out = NULL;
    if (!k)
        return unknown(key);
    char *s = json(k, by, c);
    size_t n = strlen(s);
    if (*s == '"') { /* no value has a character that JSON escapes */
        memmove(s, s + 1, n - 2);
        s[n - 2] = 0;
    }
    *out = s;
    return OK;
}

int settings_is_runtime(const char *key)
{
    const struct variant *by;
    const struct key *k = find(key, &by);

    return k && k->role == KEY_RUNTIME;
}

int settings_same(const struct config *c, const char *key, const char *value)
{
    struct config other = *c;
    OWNED(free) char *mine = NULL, *theirs = NULL;

    PASS(settings_set(&other, key, value));
    PASS(settings_get(c, key, &mine));
    PASS(settings_get(&other, key, &theirs));
    return !strcmp(mine, theirs);
}

/* ---- resolving ---- */

static struct config initial;

static void set_defaults(void)
{
    const struct variant *by;
    const struct key *k;

    for (int i = 0; (k = key_at(i, &by)); i++)
        REQUIRE(set(k, by, &initial, k->initial) == OK, "%s", err_last());
}

/* Returns the configuration in which every key has its default. */
static const struct config *defaults(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, set_defaults);
    return &initial;
}

static int assign(struct config *c, const struct assign *a)
{
    int rc = settings_set(c, a->key, a->value);

    return rc < 0 ? err_wrap(rc, "%s", a->where) : rc;
}

static int apply(struct config *c, const struct assign *a, int n,
                 enum task_kind kind)
{
    for (const struct key_custom *u = key_customs; u->key; u++) {
        if ((u->preset && strcmp(u->preset, c->preset)) ||
            (u->scale && strcmp(u->scale, c->scale)) ||
            (u->kind != KEY_ANY && u->kind != (int)kind))
            continue;
        PASS(settings_set(c, u->key, u->value));
    }
    for (int i = 0; i < n; i++)
        PASS(assign(c, &a[i]));
    return OK;
}

static const enum family family_of[] = {
    [TASK_TRANSDUCE] = FAMILY_SEQ2SEQ,
    [TASK_LANGUAGE] = FAMILY_LM,
    [TASK_CLASSIFY] = FAMILY_ENCODER,
    [TASK_DENOISE] = FAMILY_SEQ2SEQ,
};

/* Sets the defaults, the axes and the preset; key_customs depend on the axes
 * and the preset.  The preset is that of the task unless an assignment sets
 * another.  If `task` is NULL, there is no task. */
static int begin(struct config *c, const struct task **task,
                 const struct assign *a, int n)
{
    *c = *defaults();
    for (int i = 0; i < n; i++)
        if (settings_is_axis(a[i].key))
            PASS(assign(c, &a[i]));
    if (task) {
        PASS(task_find(task, c->task));
        if ((*task)->preset)
            PASS(settings_set(c, "preset", (*task)->preset));
    }
    for (int i = 0; i < n; i++)
        if (!strcmp(a[i].key, "preset"))
            PASS(assign(c, &a[i]));
    return OK;
}

static int finish(struct config *c, enum task_kind kind,
                  const struct assign *a, int n)
{
    PASS(apply(c, a, n, kind));
    c->model.family = family_of[kind];
    if (!c->length)
        c->length = c->model.N;
    return rules_check(c, a, n);
}

int settings_resolve(struct config *c, const struct assign *a, int n)
{
    const struct task *task;

    PASS(begin(c, &task, a, n));
    PASS(finish(c, task->kind, a, n));
    return rules_check_length(c, a, n);
}

int settings_resolve_family(struct config *c, enum family family,
                            const struct assign *a, int n)
{
    int kind = 0;

    while (family_of[kind] != family)
        kind++;
    PASS(begin(c, NULL, a, n));
    PASS(finish(c, (enum task_kind)kind, a, n));
    return settings_check_mix(c, 1, a, n);
}

void settings_expect(struct config *c)
{
    const struct task *task;

    c->model.vocab = c->vocab;
    c->model.classes = GEN_CLASSES;
    if (!c->synthetic && task_find(&task, c->task) == OK && task->classes)
        c->model.classes = task->classes;
}

/* ---- text ---- */

/* Adds a value, given as JSON, to an object. */
static void put_word(json_t *all, const struct key *k, const char *word)
{
    json_t *v = json_loads(word, JSON_DECODE_ANY, NULL);

    REQUIRE(v, "%s: '%s' is not JSON", k->name, word);
    json_object_set_new(all, k->name, v);
}

/* Returns 1 if a key that is no axis has its default. */
static int is_default(const struct key *k, const struct variant *by,
                      const struct config *c)
{
    const struct config *plain = defaults();

    if (k->role == KEY_AXIS)
        return 0;
    if (by ? k->size && key_alike(k, &c->model, &plain->model)
           : key_alike(k, c, plain))
        return 1;
    OWNED(free) char *own = json(k, by, c), *word = json(k, by, plain);
    return !strcmp(own, word);
}

/* Returns the settings of `c` as text; if `brief` is not 0, without those that
 * have their default. */
static char *text(const struct config *c, int brief, int hashed)
{
    OWNED(json_decref) json_t *all = json_object();
    const struct variant *by;
    const struct key *k;

    for (int i = 0; (k = key_at(i, &by)); i++) {
        if ((k->role != KEY_RUNTIME) != hashed ||
            (brief && is_default(k, by, c)))
            continue;
        OWNED(free) char *word = json(k, by, c);
        put_word(all, k, word);
    }
    return json_dumps(all, JSON_SORT_KEYS | JSON_COMPACT |
                               JSON_REAL_PRECISION(17));
}

char *settings_all(const struct config *c, int hashed)
{
    return text(c, 0, hashed);
}

char *settings_text(const struct config *c, int hashed)
{
    struct config short_ = *c;

    if (c->length == c->model.N)
        short_.length = 0;
    return text(&short_, 1, hashed);
}

int settings_recipe(const struct config *c)
{
    const struct task_opts o = train_data(c, NULL, NULL);
    const struct task *task;

    REQUIRE(task_find(&task, c->task) == OK, "%s", err_last());
    return task_version(task, &o);
}

void settings_id(const struct config *c, char id[SETTINGS_ID])
{
    OWNED(free) char *config = settings_text(c, 1);

    cell_id(id, config, settings_recipe(c), NUMERICS_VERSION);
}

static int restore(struct config *c, const char *text)
{
    OWNED(json_decref) json_t *all = json_loads(text, 0, NULL);
    json_t *v;
    const char *name;

    if (!json_is_object(all))
        return err_set(ERR_STORE, "not a configuration: %s", text);
    json_object_foreach (all, name, v) {
        OWNED(free) char *word = json_is_string(v)
                                     ? str_copy(json_string_value(v))
                                     : json_dumps(v, JSON_ENCODE_ANY);

        if (settings_set(c, name, word) < 0)
            return err_wrap(ERR_STORE, "written by another version of "
                            "synthbench");
    }
    return OK;
}

int settings_restore(struct config *c, const char *hashed, const char *other)
{
    const struct task *task;

    *c = *defaults();
    PASS(restore(c, hashed));
    PASS(restore(c, other));
    PASS(task_find(&task, c->task));
    c->model.family = family_of[task->kind];
    if (!c->length)
        c->length = c->model.N;
    return OK;
}
