#include "harness/config/experiment_part.h"

#include "harness/base/names.h"
#include "harness/base/owned.h"
#include "harness/base/str.h"

#include <stdlib.h>
#include <string.h>

int part_at(const struct experiment *e, const struct node *n, int rc)
{
    return tree_at(e->path, n, rc);
}

int part_want(const struct experiment *e, const struct node *n,
              enum node_kind kind, const char *example)
{
    return tree_want(e->path, n, kind, example);
}

int part_value(struct experiment *e, const struct node *n, const char *key,
               const char **out)
{
    struct config scratch = {.seed = 0};
    OWNED(free) char *text = NULL;

    PASS(part_want(e, n, NODE_TEXT, "vanilla"));
    PASS(part_at(e, n, settings_set(&scratch, key, n->text)));
    PASS(settings_get(&scratch, key, &text));
    if (str_ends(text, ".0"))
        text[strlen(text) - 2] = 0;
    *out = arena_text(e->memory, text);
    return OK;
}

int part_values(struct experiment *e, const struct node *n, const char *key,
                struct values *v)
{
    PASS(part_want(e, n, NODE_LIST, "[a, b]"));
    if (!n->child)
        return wrong(e, n, "'%s' is empty", n->key);
    v->key = key;
    v->value = arena_zero(e->memory,
                          ((size_t)tree_count(n) + 1) * sizeof *v->value);
    for (const struct node *c = n->child; c; c = c->next)
        PASS(part_value(e, c, key, &v->value[v->n++]));
    int twice = names_twice(v->value, v->n, NULL);
    const struct node *c = n->child;
    for (int i = 0; i < twice; i++)
        c = c->next;
    return twice < 0 ? OK : wrong(e, c, "'%s' has %s twice", n->key,
                                  v->value[twice]);
}

const struct node *part_of(const struct node *root, const char *key)
{
    const struct node *n = root->child;

    while (n && strcmp(n->key, key))
        n = n->next;
    return n;
}

/* Reads a value of a match.  The value of `tuned` must be true or false. */
static int read_matched(struct experiment *e, struct node *n, const char *key)
{
    if (strcmp(key, "tuned"))
        return part_value(e, n, key, &n->text);
    PASS(part_want(e, n, NODE_TEXT, "tuned: false"));
    return part_at(e, n, names_find("value of tuned", n->text,
                                    NAMES("false", "true")));
}

int part_match(struct experiment *e, const struct node *n, int excluded)
{
    static const char *const fixed[] = {"variant", "task", "scale", "seed",
                                        NULL};
    static const char *const all[] = {"variant", "task", "scale", "seed",
                                      "tuned", NULL};

    PASS(part_want(e, n, NODE_MAP, "{variant: random, task: lm1b}"));
    if (!n->child)
        return wrong(e, n, "an empty map would match every cell");
    for (struct node *c = n->child; c; c = c->next) {
        if (!experiment_varies(e, c->key, 0))
            PASS(part_at(e, c, names_find("key to match", c->key,
                                          excluded ? all : fixed)));
        if (c->kind != NODE_LIST || !strcmp(c->key, "tuned"))
            PASS(read_matched(e, c, c->key));
        for (struct node *v = c->child; v; v = v->next)
            PASS(read_matched(e, v, c->key));
    }
    return OK;
}
