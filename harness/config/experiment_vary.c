#include "harness/config/experiment_part.h"

#include "harness/base/names.h"
#include "harness/base/text.h"

#include <string.h>

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
    const char *by = settings_set_by(n->key);

    if (names_index(axis_key, n->key) >= 0)
        return wrong(e, n, "'%s' is not a setting; use the list '%ss' at the "
                     "top of the file", n->key, n->key);
    return by ? wrong(e, n, "'%s' is set by %s", n->key, by) : OK;
}

static void take_points(struct experiment *e, int n)
{
    struct values *v = &e->axis[AXIS_VARY];

    v->n = n;
    v->value = arena_zero(e->memory, ((size_t)n + 1) * sizeof *v->value);
    e->point = arena_zero(e->memory, ((size_t)n + 1) * sizeof *e->point);
}

/* Allocates room for `keys` settings in point `i`. */
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

/* Reads a map such as {steps: [1, 2], layers: [1, 2]}, which has a point for
 * every combination; the last key varies fastest. */
static int read_product(struct experiment *e, const struct node *n)
{
    enum { MOST = 10000 };
    struct values *of = arena_zero(e->memory,
                                   ((size_t)tree_count(n) + 1) * sizeof *of);
    int keys = 0, points = 1;

    for (const struct node *c = n->child; c; c = c->next) {
        PASS(check_varied(e, c));
        PASS(part_values(e, c, c->key, &of[keys]));
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

/* Reads a list such as [{}, {layers: 4}], which has a point for every map. */
static int read_points(struct experiment *e, const struct node *n)
{
    int i = 0;

    take_points(e, tree_count(n));
    for (const struct node *p = n->child; p; p = p->next, i++) {
        PASS(part_want(e, p, NODE_MAP, "- {layers: 4}"));
        set_point(e, i, tree_count(p));
        for (const struct node *c = p->child; c; c = c->next) {
            const char *value;

            PASS(check_varied(e, c));
            PASS(part_value(e, c, c->key, &value));
            add_varied(e, i, c, value);
        }
    }
    return i ? OK : wrong(e, n, "'vary' is empty");
}

/* Names each point with the text that it adds to the name of a row, such as
 * ",steps=700". */
static int name_points(struct experiment *e, const struct node *n)
{
    /* A row with its variant and trial must fit into FROZEN_ROW bytes. */
    enum { LABEL = 80 };
    struct values *v = &e->axis[AXIS_VARY];

    for (int i = 0; i < v->n; i++) {
        struct text name = {0};

        text_put(&name, "");
        for (int k = 0; k < e->point[i].n; k++)
            text_format(&name, ",%s=%s", e->point[i].a[k].key,
                        e->point[i].a[k].value);
        if (name.n > LABEL)
            return text_free(&name), wrong(e, n, "'vary' sets so much at once "
                                           "that a row's name exceeds %d "
                                           "characters", LABEL);
        v->value[i] = text_keep(&name, e->memory);
    }
    int twice = names_twice(v->value, v->n, NULL);
    return twice < 0 ? OK : wrong(e, n, "'vary' has %s twice",
                                  *v->value[twice] ? v->value[twice] + 1
                                                   : "{}");
}

int read_vary(struct experiment *e, const struct node *root)
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
