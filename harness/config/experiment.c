#include "harness/config/experiment.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/names.h"
#include "harness/base/share.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/config/tuning.h"
#include "harness/store/cell.h"
#include "harness/tasks/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const axis_key[] = {"scale", "task", "variant", "seed",
                                       NULL};

static int wrap(const struct experiment *e, const struct node *n, int rc)
{
    return tree_at(e->path, n, rc);
}

#define wrong(e, n, ...) wrap(e, n, err_set(ERR_USAGE, __VA_ARGS__))

static int want(const struct experiment *e, const struct node *n,
                enum node_kind kind, const char *example)
{
    return tree_want(e->path, n, kind, example);
}

static int read_title(struct experiment *e, const struct node *n)
{
    e->title = n->text;
    return want(e, n, NODE_TEXT, "title: What is asked");
}

/* One value of an axis as the settings print it, random+dense, not
 * dense+random; and 8, not 8.0. */
static int normal(struct experiment *e, const struct node *n, const char *key,
                  const char **out)
{
    struct config scratch = {.seed = 0};
    OWNED(free) char *text = NULL;

    PASS(want(e, n, NODE_TEXT, "vanilla"));
    PASS(wrap(e, n, settings_set(&scratch, key, n->text)));
    PASS(settings_get(&scratch, key, &text));
    if (str_ends(text, ".0"))
        text[strlen(text) - 2] = 0;
    *out = arena_text(e->memory, text);
    return OK;
}

static int read_values(struct experiment *e, const struct node *n,
                       const char *key, struct values *v)
{
    PASS(want(e, n, NODE_LIST, "[a, b]"));
    if (!n->child)
        return wrong(e, n, "'%s' is empty", n->key);
    v->key = key;
    v->value = arena_zero(e->memory,
                          ((size_t)tree_count(n) + 1) * sizeof *v->value);
    for (const struct node *c = n->child; c; c = c->next)
        PASS(normal(e, c, key, &v->value[v->n++]));
    int twice = names_twice(v->value, v->n, NULL);
    const struct node *c = n->child;
    for (int i = 0; i < twice; i++)
        c = c->next;
    return twice < 0 ? OK : wrong(e, c, "'%s' has %s twice", n->key,
                                  v->value[twice]);
}

/* Its key is that of the axis and an s: "tasks". */
static int read_axis(struct experiment *e, const struct node *n)
{
    int x = 0;

    while (strncmp(axis_key[x], n->key, strlen(n->key) - 1))
        x++;
    return read_values(e, n, axis_key[x], &e->axis[x]);
}

/* ---- what is not compared ---- */

static int read_uncompared(struct experiment *e, const struct node *n)
{
    return read_values(e, n, "task", &e->uncompared);
}

static const struct node *part_of(const struct node *root, const char *key)
{
    const struct node *n = root->child;

    while (n && strcmp(n->key, key))
        n = n->next;
    return n;
}

/* Behind the other parts, wherever it stands. */
static int check_uncompared(struct experiment *e, const struct node *root)
{
    const struct node *list = part_of(root, "uncompared");
    const struct node *n = list ? list->child : NULL;
    const struct values *tasks = &e->axis[AXIS_TASK];

    for (int i = 0; n; n = n->next, i++)
        if (names_index(tasks->value, e->uncompared.value[i]) < 0)
            return wrong(e, n, "'uncompared' has %s, which is not among "
                         "'tasks'", e->uncompared.value[i]);
    return OK;
}

/* ---- what is guessed ---- */

/* "dense: reads its head's slice" of what some variant or task is named; its
 * parts where it is a mixture. */
static int read_guess(struct experiment *e, const struct node *n,
                      const char **out)
{
    struct config scratch = {.seed = 0};
    const struct task *task;

    PASS(want(e, n, NODE_TEXT, "dense: reads its head's slice"));
    if (task_find(&task, n->key) < 0 &&
        settings_set(&scratch, "variant", n->key) < 0)
        return wrong(e, n, "'%s' is neither a task nor a variant", n->key);
    *out = arena_format(e->memory, "%s: %s", n->key, n->text);
    return OK;
}

static int read_guessed(struct experiment *e, const struct node *n)
{
    PASS(want(e, n, NODE_MAP, "{dense: reads its head's slice}"));
    e->guessed.value = arena_zero(
        e->memory, ((size_t)tree_count(n) + 1) * sizeof *e->guessed.value);
    for (const struct node *c = n->child; c; c = c->next)
        PASS(read_guess(e, c, &e->guessed.value[e->guessed.n++]));
    return OK;
}

/* ---- what is varied ---- */

const char *experiment_varied(const struct experiment *e, int i,
                              const char *key)
{
    for (int k = 0; k < e->point[i].n; k++)
        if (!strcmp(e->point[i].a[k].key, key))
            return e->point[i].a[k].value;
    return NULL;
}

int experiment_varies(const struct experiment *e, const char *key, int all)
{
    int n = 0;

    for (int i = 0; i < e->axis[AXIS_VARY].n; i++)
        n += experiment_varied(e, i, key) != NULL;
    return all ? n > 0 && n == e->axis[AXIS_VARY].n : n > 0;
}

static int check_varied(const struct experiment *e, const struct node *n)
{
    if (names_index(axis_key, n->key) >= 0)
        return wrong(e, n, "'%s' is not a setting; the list '%ss' at the "
                     "top of the file says it", n->key, n->key);
    return settings_is_planned(n->key)
               ? wrong(e, n, "'%s' follows from 'tune'", n->key)
               : OK;
}

static void take_points(struct experiment *e, int n)
{
    struct values *v = &e->axis[AXIS_VARY];

    v->n = n;
    v->value = arena_zero(e->memory, ((size_t)n + 1) * sizeof *v->value);
    e->point = arena_zero(e->memory, ((size_t)n + 1) * sizeof *e->point);
}

/* Point i of so many keys. */
static void set_point(struct experiment *e, int i, int keys)
{
    e->point[i].a = arena_take(e->memory,
                               ((size_t)keys + 1) * sizeof *e->point[i].a);
}

static void add_varied(struct experiment *e, int i, const struct node *n,
                       const char *value)
{
    struct assigns *p = &e->point[i];

    p->a[p->n++] = (struct assign){
        n->key, value, arena_format(e->memory, "%s:%d", e->path, n->line)};
}

/* {steps: [1, 2], layers: [1, 2]}: each with each, the last the fastest. */
static int read_product(struct experiment *e, const struct node *n)
{
    enum { MOST = 10000 };
    struct values *of = arena_zero(e->memory,
                                   ((size_t)tree_count(n) + 1) * sizeof *of);
    int keys = 0, points = 1;

    for (const struct node *c = n->child; c; c = c->next) {
        PASS(check_varied(e, c));
        PASS(read_values(e, c, c->key, &of[keys]));
        if (of[keys].n > MOST / points)
            return wrong(e, c, "'vary' has more than %d combinations", MOST);
        points *= of[keys++].n;
    }
    take_points(e, points);
    for (int i = 0; i < points; i++) {
        int stride = points, k = 0;

        set_point(e, i, keys);
        for (const struct node *c = n->child; c; c = c->next, k++) {
            stride /= of[k].n;
            add_varied(e, i, c, of[k].value[i / stride % of[k].n]);
        }
    }
    return OK;
}

/* [{}, {layers: 4}] */
static int read_points(struct experiment *e, const struct node *n)
{
    int i = 0;

    take_points(e, tree_count(n));
    for (const struct node *p = n->child; p; p = p->next, i++) {
        PASS(want(e, p, NODE_MAP, "- {layers: 4}"));
        set_point(e, i, tree_count(p));
        for (const struct node *c = p->child; c; c = c->next) {
            const char *value;

            PASS(check_varied(e, c));
            PASS(normal(e, c, c->key, &value));
            add_varied(e, i, c, value);
        }
    }
    return i ? OK : wrong(e, n, "'vary' is empty");
}

/* What each point adds to the name of a row. */
static int name_points(struct experiment *e, const struct node *n)
{
    enum { LABEL = 80 }; /* with variant and trial under FROZEN_ROW */
    struct values *v = &e->axis[AXIS_VARY];

    for (int i = 0; i < v->n; i++) {
        struct text name = {0};

        text_put(&name, "");
        for (int k = 0; k < e->point[i].n; k++)
            text_format(&name, ",%s=%s", e->point[i].a[k].key,
                        e->point[i].a[k].value);
        if (name.n > LABEL)
            return text_free(&name), wrong(e, n, "'vary' sets more at once "
                                           "than the %d letters of a row's "
                                           "name tell", LABEL);
        v->value[i] = text_keep(&name, e->memory);
    }
    int twice = names_twice(v->value, v->n, NULL);
    return twice < 0 ? OK : wrong(e, n, "'vary' has %s twice",
                                  *v->value[twice] ? v->value[twice] + 1
                                                   : "{}");
}

/* Before the other parts, wherever it stands: they ask what is varied. */
static int read_vary(struct experiment *e, const struct node *root)
{
    const struct node *n = part_of(root, "vary");

    if (!n) {
        take_points(e, 1);
        e->axis[AXIS_VARY].value[0] = "";
        return OK;
    }
    if (n->kind == NODE_TEXT)
        return wrong(e, n, "vary must be a map, as in {steps: [350, 700]}, or "
                     "a list, as in [{}, {layers: 4}]");
    PASS((n->kind == NODE_LIST ? read_points : read_product)(e, n));
    return name_points(e, n);
}

static int is_read(struct experiment *e, const struct node *n)
{
    (void)e, (void)n;
    return OK;
}

/* A setting that is varied has no other value, and some nobody sets. */
static int check_own(const struct experiment *e, const struct node *n)
{
    if (settings_is_planned(n->key))
        return wrong(e, n, "'%s' follows from 'tune'", n->key);
    return experiment_varies(e, n->key, 1)
               ? wrong(e, n, "'%s' is what 'vary' lists, so this value would "
                       "be nobody's", n->key)
               : OK;
}

/* A map of settings; their names, types and ranges are checked here. */
static int read_assigns(struct experiment *e, const struct node *n,
                        struct assigns *out)
{
    struct config scratch = {.seed = 0};

    PASS(want(e, n, NODE_MAP, "{layers: 2}"));
    out->a = arena_take(e->memory, (size_t)tree_count(n) * sizeof *out->a + 1);
    for (const struct node *c = n->child; c; c = c->next) {
        char place[600];

        PASS(want(e, c, NODE_TEXT, "layers: 2"));
        if (settings_is_axis(c->key))
            return wrong(e, c, "'%s' is not a setting; the list '%ss' at the "
                         "top of the file says it", c->key, c->key);
        PASS(wrap(e, c, settings_set(&scratch, c->key, c->text)));
        PASS(check_own(e, c));
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

/* A value of a match; `tuned` is true or false. */
static int read_matched(struct experiment *e, struct node *n, const char *key)
{
    if (strcmp(key, "tuned"))
        return normal(e, n, key, &n->text);
    PASS(want(e, n, NODE_TEXT, "tuned: false"));
    return wrap(e, n, names_find("value of tuned", n->text,
                                 NAMES("false", "true")));
}

/* {variant: a, task: [b, c]}: puts the values into their normal spelling.
 * excluded: it may say which of a pair, tuned and not. */
static int read_match(struct experiment *e, const struct node *n, int excluded)
{
    static const char *const fixed[] = {"variant", "task", "scale", "seed",
                                        NULL};
    static const char *const all[] = {"variant", "task", "scale", "seed",
                                      "tuned", NULL};

    PASS(want(e, n, NODE_MAP, "{variant: random, task: lm1b}"));
    if (!n->child)
        return wrong(e, n, "an empty map would match every cell");
    for (struct node *c = n->child; c; c = c->next) {
        if (!experiment_varies(e, c->key, 0))
            PASS(wrap(e, c, names_find("key to match", c->key,
                                       excluded ? all : fixed)));
        if (c->kind != NODE_LIST || !strcmp(c->key, "tuned"))
            PASS(read_matched(e, c, c->key));
        for (struct node *v = c->child; v; v = v->next)
            PASS(read_matched(e, v, c->key));
    }
    return OK;
}

static int read_override(struct experiment *e, const struct node *n)
{
    PASS(want(e, n, NODE_LIST, "- match: {task: lm1b}\n  set: {N: 64}"));
    e->override =
        arena_zero(e->memory, (size_t)tree_count(n) * sizeof *e->override + 1);
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
        PASS(read_match(e, o->match, 0));
        PASS(read_assigns(e, set, &o->set));
    }
    return OK;
}

static int read_grid(struct experiment *e, const struct node *n,
                     struct tune *t)
{
    PASS(want(e, n, NODE_MAP, "{schedule.scale: [1, 2]}"));
    for (const struct node *c = n->child; c; c = c->next) {
        if (t->n == TUNE_KEYS)
            return wrong(e, c, "at most %d settings are tuned", TUNE_KEYS);
        if (experiment_varies(e, c->key, 0))
            return wrong(e, c, "'%s' is varied: it cannot be tuned, too",
                         c->key);
        PASS(read_values(e, c, c->key, &t->grid[t->n++]));
    }
    return OK;
}

static int read_share(struct experiment *e, const struct node *n,
                      struct tune *t)
{
    PASS(want(e, n, NODE_TEXT, "share: 1"));
    return str_to_real(n->text, &t->share) || t->share <= 0 || t->share > 100
               ? wrong(e, n, "share: %s: expected a number above 0, at most "
                       "100: the steps of all trials in those of a cell",
                       n->text)
               : OK;
}

static int read_seed(struct experiment *e, const struct node *n,
                     struct tune *t)
{
    struct config scratch = {.seed = 0};

    PASS(want(e, n, NODE_TEXT, "seed: 0"));
    PASS(wrap(e, n, settings_set(&scratch, "seed", n->text)));
    t->seed = (long long)scratch.seed;
    return OK;
}

static int read_tune_match(struct experiment *e, const struct node *n,
                           struct tune *t)
{
    t->match = n;
    return read_match(e, n, 0);
}

static const struct tune_part {
    const char *key;
    int (*read)(struct experiment *e, const struct node *n, struct tune *t);
} tune_parts[] = {{"match", read_tune_match}, {"grid", read_grid},
                  {"share", read_share}, {"seed", read_seed}, {.key = NULL}};

static int read_tuned(struct experiment *e, const struct node *n,
                      struct tune *t)
{
    PASS(want(e, n, NODE_MAP, "{match: {task: lm1b}, grid: {score_rate: "
              "[1, 8]}, share: 1, seed: 0}"));
    t->seed = -1;
    for (const struct node *c = n->child; c; c = c->next) {
        int i = names_row("key", c->key, tune_parts, sizeof *tune_parts);

        PASS(wrap(e, c, i));
        PASS(tune_parts[i].read(e, c, t));
    }
    if (!t->match || !t->n || t->share <= 0 || t->seed < 0)
        return wrong(e, n, "'tune' needs match, grid, share and seed");
    OWNED(free) char *text = tuning_text(t, &(struct config){.steps = 1});
    return wrap(e, n, settings_set(&(struct config){.seed = 0}, "tuned", text));
}

static int read_tune(struct experiment *e, const struct node *n)
{
    PASS(want(e, n, NODE_LIST, "- {match: {task: lm1b}, ...}"));
    e->tune = arena_zero(e->memory,
                         (size_t)tree_count(n) * sizeof *e->tune + 1);
    for (const struct node *c = n->child; c; c = c->next)
        PASS(read_tuned(e, c, &e->tune[e->ntune++]));
    return OK;
}

static int read_exclude(struct experiment *e, const struct node *n)
{
    PASS(want(e, n, NODE_LIST, "- {variant: random, task: lm1b}"));
    for (const struct node *c = n->child; c; c = c->next)
        PASS(read_match(e, c, 1));
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
    {"seeds", 1, read_axis},        {"vary", 0, is_read},
    {"settings", 0, read_settings}, {"override", 0, read_override},
    {"exclude", 0, read_exclude},   {"tune", 0, read_tune},
    {"uncompared", 0, read_uncompared}, {"guessed", 0, read_guessed},
    {.key = NULL},
};

enum { PARTS = sizeof parts / sizeof *parts - 1 };

static int read_parts(struct experiment *e, const struct node *root)
{
    char seen[PARTS] = {0};

    PASS(want(e, root, NODE_MAP, "title: ..."));
    PASS(read_vary(e, root));
    for (const struct node *c = root->child; c; c = c->next) {
        int i = names_row("key", c->key, parts, sizeof *parts);

        PASS(wrap(e, c, i));
        seen[i] = 1;
        PASS(parts[i].read(e, c));
    }
    for (int i = 0; i < PARTS; i++)
        if (parts[i].required && !seen[i])
            return wrong(e, root, "'%s' is missing", parts[i].key);
    return check_uncompared(e, root);
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

/* A file beside it, or an experiment, may have been meant. */
static int missing(struct arena *a, const char *folder, const char *path)
{
    const char *near = folder_nearest(path, ".yaml", a);
    const char *end = near ? ".yaml" : "";

    if (!near && !strchr(path, '/'))
        near = folder_nearest(arena_format(a, "%s/%s", folder, path), ".yaml",
                              a);
    if (near)
        return err_set(ERR_USAGE, "%s: no such file: did you mean '%s%s'?",
                       path, *end ? near : str_base(near), end);
    return err_set(ERR_USAGE, "%s: no such file; `synthbench list experiments` "
                   "tells those that come with the program", path);
}

/* "quick" is experiments/quick.yaml, here or where the program came with it. */
static int find(const char **out, struct arena *a, const char *path)
{
    OWNED(free) char *folder = NULL;

    *out = file_stdin(path);
    if (*out != path)
        return OK;
    if (file_exists(path))
        return file_named(path, 0);
    *out = arena_format(a, "experiments/%s.yaml", path);
    if (file_exists(*out))
        return OK;
    PASS(share_find(&folder, "experiments"));
    *out = arena_format(a, "%s/%s.yaml", folder, path);
    return file_exists(*out) ? OK : missing(a, folder, path);
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
