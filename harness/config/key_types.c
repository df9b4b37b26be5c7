#include "harness/config/key_types.h"

#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/config/settings.h"
#include "harness/tasks/task.h"
#include "variants/variants.h"

#include <stdio.h>
#include <string.h>

/* A number, a rule for synthesizers, or both: 12:code. */
static int heads_set(const struct key *k, void *of, const char *text)
{
    static const char *const rules[] = {"equal", "code", NULL};
    struct config *c = of;
    const char *colon = strchr(text, ':');
    const char *rule = colon ? colon + 1 : text;
    int i = names_index(rules, rule), rc;
    char number[16] = "";

    snprintf(number, sizeof number, "%.*s",
             colon ? (int)(colon - text) : (int)strlen(text), text);
    if (i >= 0 && !colon) {
        c->model.code_heads = i;
        return OK;
    }
    if (colon && i < 0)
        return key_wrong(k, text, "a number, equal, code or number:code");
    rc = key_int.set(k, of, number);
    if (rc == OK)
        c->model.code_heads = colon ? i : 0;
    return rc;
}

static char *heads_json(const struct key *k, const void *of)
{
    const struct config *c = of;

    if (c->model.code_heads)
        return str_format("\"%d:code\"", c->model.heads);
    return key_int.json(k, of);
}

const struct key_type key_heads = {heads_set, heads_json};

static int variant_set(const struct key *k, void *of, const char *text)
{
    char name[MIX_NAME];
    struct mix mix;
    int rc = mix_parse(&mix, name, text);

    return rc < 0 ? rc : key_put(k, of, name);
}

const struct key_type key_variant = {variant_set, key_text_json};

static int task_set(const struct key *k, void *of, const char *text)
{
    const struct task *task;
    int rc = task_find(&task, text);

    return rc < 0 ? rc : key_put(k, of, task->name);
}

const struct key_type key_task = {task_set, key_text_json};

int key_is_id(const char *text)
{
    size_t n = strspn(text, "0123456789abcdef");

    return n == SETTINGS_ID - 1 && !text[n];
}

static int pretrained_set(const struct key *k, void *of, const char *text)
{
    const struct task *task;
    int rc = OK;

    if (!strcmp(text, "none") || key_is_id(text))
        return key_put(k, of, text);
    rc = task_find(&task, text);
    if (rc == OK && !task->pretrains)
        rc = err_set(ERR_USAGE, "%s: %s keeps no weights; c4 does", k->name,
                     text);
    return rc < 0 ? rc : key_put(k, of, text);
}

const struct key_type key_pretrained = {pretrained_set, key_text_json};
