#include "harness/config/experiment_part.h"

#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/names.h"
#include "harness/base/datadir.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "harness/store/contrast.h"
#include "harness/tasks/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const axis_key[] = {"scale", "task", "variant", "seed", NULL};

static int read_title(struct experiment *e, const struct node *n)
{
    e->title = n->text;
    return part_want(e, n, NODE_TEXT, "title: All variants on lm1b");
}

/* Reads an axis.  Its key in the file is the key of the axis plus "s". */
static int read_axis(struct experiment *e, const struct node *n)
{
    int x = 0;

    while (strncmp(axis_key[x], n->key, strlen(n->key) - 1))
        x++;
    return part_values(e, n, axis_key[x], &e->axis[x]);
}

/* ---- tasks that are not compared ---- */

static int read_uncompared(struct experiment *e, const struct node *n)
{
    return part_values(e, n, "task", &e->uncompared);
}

/* Checks that `uncompared` lists only tasks of the experiment.  Runs after all
 * parts are read, because a file may list the parts in any order. */
static int check_uncompared(struct experiment *e, const struct node *root)
{
    const struct node *list = part_of(root, "uncompared");
    const struct node *n = list ? list->child : NULL;
    const struct values *tasks = &e->axis[AXIS_TASK];

    for (int i = 0; n; n = n->next, i++)
        if (names_index(tasks->value, e->uncompared.value[i]) < 0)
            return wrong(e, n, "'uncompared' has %s, which is not in 'tasks'",
                         e->uncompared.value[i]);
    return OK;
}

/* ---- contrasts ---- */

static int read_contrasts(struct experiment *e, const struct node *n)
{
    PASS(part_want(e, n, NODE_LIST, "[\"lm1b ppl: random - vanilla\"]"));
    for (const struct node *c = n->child; c; c = c->next)
        PASS(part_want(e, c, NODE_TEXT, "\"lm1b ppl: random - vanilla\""));
    e->contrast = n->child;
    return OK;
}

/* Returns true if the experiment has a contrast equal to `c` before `end`. */
static int is_repeated(const struct experiment *e, const struct node *end,
                       const struct contrast_named *c)
{
    struct contrast_named other;

    for (const struct node *n = e->contrast; n != end; n = n->next)
        if (contrast_read(&other, n->text, e->memory) &&
            contrast_same(&other, c))
            return 1;
    return 0;
}

static int check_contrast(const struct experiment *e, const struct node *n)
{
    struct contrast_named c;
    const struct task *task;

    if (!contrast_read(&c, n->text, e->memory))
        return wrong(e, n, "'%s' is not a contrast: expected 'TASK METRIC: "
                     "A - B', as in 'lm1b ppl: random - vanilla'", n->text);
    PASS(part_at(e, n, names_find("task", c.task, e->axis[AXIS_TASK].value)));
    PASS(part_at(e, n, task_find(&task, c.task)));
    PASS(part_at(e, n, names_find("metric", c.metric, task->metrics)));
    if (e->uncompared.n && names_index(e->uncompared.value, c.task) >= 0)
        return wrong(e, n, "'%s': %s is in 'uncompared'", n->text, c.task);
    if (!strcmp(c.a, c.b))
        return wrong(e, n, "'%s' compares a row with itself", n->text);
    return is_repeated(e, n, &c)
               ? wrong(e, n, "'contrasts' has '%s' twice", n->text)
               : OK;
}

/* Runs after all parts are read. matrix.c checks that the rows of the contrasts
 * exist, because this check requires the cells. */
static int check_contrasts(const struct experiment *e)
{
    for (const struct node *n = e->contrast; n; n = n->next)
        PASS(check_contrast(e, n));
    return OK;
}

/* ---- assumptions ---- */

/* Reads an assumption such as "dense: reads its head's slice".  Its key must be
 * a task, a variant or a mixture. */
static int read_guess(struct experiment *e, const struct node *n,
                      const char **out)
{
    struct config scratch = {.seed = 0};
    const struct task *task;

    PASS(part_want(e, n, NODE_TEXT, "dense: reads its head's slice"));
    if (task_find(&task, n->key) < 0 &&
        settings_set(&scratch, "variant", n->key) < 0)
        return wrong(e, n, "'%s' is neither a task nor a variant", n->key);
    *out = arena_format(e->memory, "%s: %s", n->key, n->text);
    return OK;
}

static int read_guessed(struct experiment *e, const struct node *n)
{
    PASS(part_want(e, n, NODE_MAP, "{dense: reads its head's slice}"));
    e->guessed.value = arena_zero(
        e->memory, ((size_t)tree_count(n) + 1) * sizeof *e->guessed.value);
    for (const struct node *c = n->child; c; c = c->next)
        PASS(read_guess(e, c, &e->guessed.value[e->guessed.n++]));
    return OK;
}

/* ---- settings ---- */

/* Does nothing: read_parts has read `vary` before the other parts. */
static int is_read(struct experiment *e, const struct node *n)
{
    (void)e, (void)n;
    return OK;
}

/* Returns ERR_USAGE if a file cannot set this setting, or if every point of
 * `vary` sets it. */
static int check_own(const struct experiment *e, const struct node *n)
{
    const char *by = settings_set_by(n->key);

    if (by)
        return wrong(e, n, "'%s' is set by %s", n->key, by);
    return experiment_varies(e, n->key, 1)
               ? wrong(e, n, "'vary' sets '%s' in every row, so this value has "
                       "no effect", n->key)
               : OK;
}

/* Reads a map of settings and checks their names, types and ranges. */
static int read_assigns(struct experiment *e, const struct node *n,
                        struct assigns *out)
{
    struct config scratch = {.seed = 0};

    PASS(part_want(e, n, NODE_MAP, "{layers: 2}"));
    out->a = arena_take(e->memory, (size_t)tree_count(n) * sizeof *out->a + 1);
    for (const struct node *c = n->child; c; c = c->next) {
        char place[600];

        PASS(part_want(e, c, NODE_TEXT, "layers: 2"));
        if (settings_is_axis(c->key))
            return wrong(e, c, "'%s' is not a setting; use the list '%ss' at "
                         "the top of the file", c->key, c->key);
        PASS(part_at(e, c, settings_set(&scratch, c->key, c->text)));
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

static int read_override(struct experiment *e, const struct node *n)
{
    PASS(part_want(e, n, NODE_LIST, "- match: {task: lm1b}\n  set: {N: 64}"));
    e->override =
        arena_zero(e->memory, (size_t)tree_count(n) * sizeof *e->override + 1);
    for (const struct node *c = n->child; c; c = c->next) {
        struct override *o = &e->override[e->noverride++];
        const struct node *set = NULL;

        PASS(part_want(e, c, NODE_MAP, "{match: {task: lm1b}, set: {N: 64}}"));
        for (const struct node *k = c->child; k; k = k->next) {
            int i = names_find("key", k->key, NAMES("match", "set"));

            PASS(part_at(e, k, i));
            *(i ? &set : &o->match) = k;
        }
        if (!o->match || !set)
            return wrong(e, c, "an override needs 'match' and 'set'");
        PASS(part_match(e, o->match, 0));
        PASS(read_assigns(e, set, &o->set));
    }
    return OK;
}

static int read_exclude(struct experiment *e, const struct node *n)
{
    PASS(part_want(e, n, NODE_LIST, "- {variant: random, task: lm1b}"));
    for (const struct node *c = n->child; c; c = c->next)
        PASS(part_match(e, c, 1));
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
    {"contrasts", 0, read_contrasts},
    {.key = NULL},
};

enum { PARTS = sizeof parts / sizeof *parts - 1 };

static int read_parts(struct experiment *e, const struct node *root)
{
    char seen[PARTS] = {0};

    PASS(part_want(e, root, NODE_MAP, "title: ..."));
    PASS(read_vary(e, root));
    for (const struct node *c = root->child; c; c = c->next) {
        int i = names_row("key", c->key, parts, sizeof *parts);

        PASS(part_at(e, c, i));
        seen[i] = 1;
        PASS(parts[i].read(e, c));
    }
    for (int i = 0; i < PARTS; i++)
        if (parts[i].required && !seen[i])
            return wrong(e, root, "'%s' is missing", parts[i].key);
    PASS(check_uncompared(e, root));
    return check_contrasts(e);
}

/* Replaces invalid characters by '_', until the name is valid for a store.
 * Cuts the name after 100 bytes. */
const char *experiment_name(const char *path, struct arena *a)
{
    char *name = arena_text(a, str_base(file_stdin(path)));
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

/* Reports that there is no file at `path`.  Suggests the nearest file of the
 * same folder or the nearest included experiment. */
static int missing(struct arena *a, const char *folder, const char *path)
{
    const char *near = folder_nearest(path, ".yaml", a);
    const char *end = near ? ".yaml" : "";
    const char *what = strpbrk(path, "/.") ? "file" : "experiment or file";

    if (!near && !strchr(path, '/'))
        near = folder_nearest(arena_format(a, "%s/%s", folder, path), ".yaml",
                              a);
    if (near)
        return err_set(ERR_USAGE, "%s: no such %s: did you mean '%s%s'?",
                       path, what, *end ? near : str_base(near), end);
    return err_set(ERR_USAGE, "%s: no such %s; `synthbench list "
                   "experiments` lists the included experiments", path, what);
}

/* Sets *out to the file of an experiment.  This is `path` itself if it is a
 * file, else experiments/PATH.yaml in the working directory or among the
 * included experiments.  A folder at `path` is not an experiment; it is
 * probably a store. */
static int find(const char **out, struct arena *a, const char *path)
{
    OWNED(free) char *folder = NULL;

    *out = file_stdin(path);
    if (*out != path)
        return OK;
    if (file_exists(path) && !file_is_folder(path))
        return file_named(path, 0);
    *out = arena_format(a, "experiments/%s.yaml", path);
    if (file_exists(*out))
        return OK;
    PASS(datadir_find(&folder, "experiments"));
    *out = arena_format(a, "%s/%s.yaml", folder, path);
    if (file_exists(*out))
        return OK;
    return file_is_folder(path)
               ? err_set(ERR_USAGE, "%s: is a folder, not an experiment file; "
                         "to name a store, use --store", path)
               : missing(a, folder, path);
}

int experiment_folder(char **out)
{
    if (!file_exists("experiments"))
        return datadir_find(out, "experiments");
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
    e->name = experiment_name(path, e->memory);
    PASS(tree_read(&root, path, e->memory));
    PASS(read_parts(e, root));
    return MOVE_OUT(out, e);
}

void experiment_close(struct experiment *e)
{
    if (!e)
        return;
    arena_free(e->memory);
    free(e);
}
