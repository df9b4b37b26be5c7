#include "harness/config/experiment.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/base/share.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const experiment_axis[AXES] = {"scale", "task", "variant",
                                           "seed"};

static int wrap(const struct experiment *e, const struct node *n, int rc)
{
    return rc < 0 ? err_wrap(rc, "%s:%d", e->path, n->line) : rc;
}

#define wrong(e, n, ...) wrap(e, n, err_set(ERR_USAGE, __VA_ARGS__))

static int want(const struct experiment *e, const struct node *n,
                enum node_kind kind, const char *example)
{
    static const char *const word[] = {"one value", "a list", "a map"};

    return n->kind == kind ? OK
                           : wrong(e, n, "%s must be %s, as in %s",
                                   n->key ? n->key : "this", word[kind],
                                   example);
}

static int count(const struct node *n)
{
    int k = 0;

    for (const struct node *c = n->child; c; c = c->next)
        k++;
    return k;
}

static int read_title(struct experiment *e, const struct node *n)
{
    e->title = n->text;
    return want(e, n, NODE_TEXT, "title: What is asked");
}

/* One value of an axis as the settings print it: random+dense, not
 * dense+random. */
static int normal(struct experiment *e, const struct node *n, const char *key,
                  const char **out)
{
    struct config scratch = {.seed = 0};
    OWNED(free) char *text = NULL;

    PASS(want(e, n, NODE_TEXT, "vanilla"));
    PASS(wrap(e, n, settings_set(&scratch, key, n->text)));
    PASS(settings_get(&scratch, key, &text));
    *out = arena_text(e->memory, text);
    return OK;
}

/* Its key is that of the axis and an s: "tasks". */
static int read_axis(struct experiment *e, const struct node *n)
{
    int x = 0;

    while (strncmp(experiment_axis[x], n->key, strlen(n->key) - 1))
        x++;
    struct values *v = &e->axis[x];
    PASS(want(e, n, NODE_LIST, "[a, b]"));
    if (!n->child)
        return wrong(e, n, "'%s' is empty", n->key);
    v->value = arena_take(e->memory, (size_t)count(n) * sizeof *v->value);
    for (const struct node *c = n->child; c; c = c->next)
        PASS(normal(e, c, experiment_axis[x], &v->value[v->n++]));
    int twice = names_twice(v->value, v->n, NULL);
    const struct node *c = n->child;
    for (int i = 0; i < twice; i++)
        c = c->next;
    return twice < 0 ? OK : wrong(e, c, "'%s' has %s twice", n->key,
                                  v->value[twice]);
}

/* A map of settings; their names, types and ranges are checked here. */
static int read_assigns(struct experiment *e, const struct node *n,
                        struct assigns *out)
{
    struct config scratch = {.seed = 0};

    PASS(want(e, n, NODE_MAP, "{layers: 2}"));
    out->a = arena_take(e->memory, (size_t)count(n) * sizeof *out->a + 1);
    for (const struct node *c = n->child; c; c = c->next) {
        char place[600];

        PASS(want(e, c, NODE_TEXT, "layers: 2"));
        if (settings_is_axis(c->key))
            return wrong(e, c, "'%s' is not a setting; the list '%ss' at the "
                         "top of the file says it", c->key, c->key);
        PASS(wrap(e, c, settings_set(&scratch, c->key, c->text)));
        snprintf(place, sizeof place, "%s:%d", e->path, c->line);
        out->a[out->n++] = (struct assign){
            c->key, c->text, arena_text(e->memory, place)};
    }
    return OK;
}

static int read_settings(struct experiment *e, const struct node *n)
{
    return read_assigns(e, n, &e->settings);
}

/* {variant: a, task: [b, c]}: puts the values into their normal spelling. */
static int read_match(struct experiment *e, const struct node *n)
{
    static const char *const keys[] = {"variant", "task", "scale", "seed",
                                       NULL};

    PASS(want(e, n, NODE_MAP, "{variant: random, task: lm1b}"));
    if (!n->child)
        return wrong(e, n, "an empty map would match every cell");
    for (struct node *c = n->child; c; c = c->next) {
        PASS(wrap(e, c, names_find("key to match", c->key, keys)));
        if (c->kind != NODE_LIST)
            PASS(normal(e, c, c->key, &c->text));
        for (struct node *v = c->child; v; v = v->next)
            PASS(normal(e, v, c->key, &v->text));
    }
    return OK;
}

static int read_override(struct experiment *e, const struct node *n)
{
    PASS(want(e, n, NODE_LIST, "- match: {task: lm1b}\n  set: {N: 64}"));
    e->override =
        arena_zero(e->memory, (size_t)count(n) * sizeof *e->override + 1);
    for (const struct node *c = n->child; c; c = c->next) {
        struct override *o = &e->override[e->noverride++];
        const struct node *set = NULL;

        PASS(want(e, c, NODE_MAP, "{match: {task: lm1b}, set: {N: 64}}"));
        for (const struct node *k = c->child; k; k = k->next) {
            int i = names_find("key", k->key, NAMES("match", "set"));

            PASS(wrap(e, k, i));
            *(i ? &set : &o->match) = k;
        }
        if (!o->match || !set)
            return wrong(e, c, "an override needs 'match' and 'set'");
        PASS(read_match(e, o->match));
        PASS(read_assigns(e, set, &o->set));
    }
    return OK;
}

static int read_exclude(struct experiment *e, const struct node *n)
{
    PASS(want(e, n, NODE_LIST, "- {variant: random, task: lm1b}"));
    for (const struct node *c = n->child; c; c = c->next)
        PASS(read_match(e, c));
    e->exclude = n->child;
    return OK;
}

static const struct part {
    const char *key;
    int         required;
    int (*read)(struct experiment *e, const struct node *n);
} parts[] = {
    {"title", 1, read_title},       {"variants", 1, read_axis},
    {"tasks", 1, read_axis},        {"scales", 1, read_axis},
    {"seeds", 1, read_axis},        {"settings", 0, read_settings},
    {"override", 0, read_override}, {"exclude", 0, read_exclude},
    {.key = NULL},
};

enum { PARTS = sizeof parts / sizeof *parts - 1 };

static int read_parts(struct experiment *e, const struct node *root)
{
    char seen[PARTS] = {0};

    PASS(want(e, root, NODE_MAP, "title: ..."));
    for (const struct node *c = root->child; c; c = c->next) {
        int i = names_row("key", c->key, parts, sizeof *parts);

        PASS(wrap(e, c, i));
        seen[i] = 1;
        PASS(parts[i].read(e, c));
    }
    for (int i = 0; i < PARTS; i++)
        if (parts[i].required && !seen[i])
            return wrong(e, root, "'%s' is missing", parts[i].key);
    return OK;
}

/* That of the file, in characters that a store's experiment may have. */
static const char *name_of(struct arena *a, const char *path)
{
    char *name = arena_text(a, str_base(path));
    char *dot = strrchr(name, '.');

    if (dot && dot > name)
        *dot = 0;
    for (char *c = name; !cell_name_ok(name) && *c; c++) {
        char one[] = {'a', *c, 0};

        *c = cell_name_ok(one + (c == name)) ? *c : '_';
        if (c - name == 100)
            *c = 0;
    }
    return name;
}

/* "quick" is experiments/quick.yaml, here or where the program came with it. */
static int find(const char **out, struct arena *a, const char *path)
{
    OWNED(free) char *folder = NULL;

    *out = path;
    if (file_exists(path))
        return file_named(path, 0);
    PASS(experiment_folder(&folder));
    OWNED(free) char *full = str_format("%s/%s.yaml", folder, path);
    if (!file_exists(full))
        return err_set(ERR_USAGE, "%s: no such file; `synthbench list "
                       "experiments` shows those in %s/", path, folder);
    *out = arena_text(a, full);
    return OK;
}

int experiment_folder(char **out)
{
    if (!file_exists("experiments"))
        return share_find(out, "experiments");
    *out = str_copy("experiments");
    return OK;
}

int experiment_read(struct experiment **out, const char *path)
{
    OWNED(experiment_close) struct experiment *e = calloc(1, sizeof *e);
    struct node *root;

    *out = NULL;
    e->memory = arena_new();
    PASS(find(&path, e->memory, path));
    e->path = arena_text(e->memory, path);
    e->name = name_of(e->memory, path);
    PASS(tree_read(&root, path, e->memory));
    PASS(read_parts(e, root));
    return HAND_ON(out, e);
}

void experiment_close(struct experiment *e)
{
    if (!e)
        return;
    arena_free(e->memory);
    free(e);
}
