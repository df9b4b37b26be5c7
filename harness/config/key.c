#include "harness/config/key.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/config/settings.h"
#include "harness/tasks/task.h"
#include "variants/variants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *field(const struct key *k, struct config *c)
{
    return (char *)c + k->offset;
}

static const void *value(const struct key *k, const struct config *c)
{
    return (const char *)c + k->offset;
}

static char *dump(json_t *j)
{
    char *s = json_dumps(j, JSON_ENCODE_ANY);

    REQUIRE(s, "a value that JSON cannot hold");
    json_decref(j);
    return s;
}

static int out_of_range(const struct key *k, const char *text)
{
    return err_set(ERR_USAGE, "%s: %s is out of range, %.16g to %.16g are "
                   "allowed", k->name, text, k->low, k->high);
}

static int wrong_type(const struct key *k, const char *text, const char *want)
{
    return err_set(ERR_USAGE, "%s: '%s' is not %s", k->name, text, want);
}

/* ---- numbers ---- */

static int whole(const struct key *k, const char *text, long long *out)
{
    if (str_to_int(text, out))
        return wrong_type(k, text, "a whole number");
    if ((double)*out < k->low || (double)*out > k->high)
        return out_of_range(k, text);
    return OK;
}

static int int_set(const struct key *k, struct config *c, const char *text)
{
    long long x;
    int rc = whole(k, text, &x);

    if (rc == OK)
        *(int *)field(k, c) = (int)x;
    return rc;
}

static char *int_json(const struct key *k, const struct config *c)
{
    return dump(json_integer(*(const int *)value(k, c)));
}

const struct key_type key_int = {int_set, int_json};

static int seed_set(const struct key *k, struct config *c, const char *text)
{
    long long x;
    int rc = whole(k, text, &x);

    if (rc == OK)
        *(uint64_t *)field(k, c) = (uint64_t)x;
    return rc;
}

static char *seed_json(const struct key *k, const struct config *c)
{
    return dump(json_integer((json_int_t) * (const uint64_t *)value(k, c)));
}

const struct key_type key_seed = {seed_set, seed_json};

static int real_set(const struct key *k, struct config *c, const char *text)
{
    double x;

    if (str_to_real(text, &x))
        return wrong_type(k, text, "a number");
    if (x < k->low || x > k->high)
        return out_of_range(k, text);
    *(double *)field(k, c) = x;
    return OK;
}

/* The fewest digits that read back to the same double. */
static char *real_json(const struct key *k, const struct config *c)
{
    double x = *(const double *)value(k, c), y;
    char text[32];
    int digits = 15;

    do {
        snprintf(text, sizeof text, "%.*g", digits, x);
    } while (digits++ < 17 && (str_to_real(text, &y) || y != x));
    return str_format("%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

const struct key_type key_real = {real_set, real_json};

static int bool_set(const struct key *k, struct config *c, const char *text)
{
    int yes = !strcmp(text, "true");

    if (!yes && strcmp(text, "false"))
        return wrong_type(k, text, "true or false");
    *(int *)field(k, c) = yes;
    return OK;
}

static char *bool_json(const struct key *k, const struct config *c)
{
    return dump(json_boolean(*(const int *)value(k, c)));
}

const struct key_type key_bool = {bool_set, bool_json};

/* ---- words ---- */

static int put(const struct key *k, struct config *c, const char *text)
{
    int n = snprintf(field(k, c), k->size, "%s", text);

    REQUIRE((size_t)n < k->size, "%s holds %zu bytes, '%s' does not fit",
            k->name, k->size, text);
    return OK;
}

static char *word_json(const struct key *k, const struct config *c)
{
    return dump(json_string(value(k, c)));
}

static int word_set(const struct key *k, struct config *c, const char *text)
{
    if (names_index(k->choices, text) < 0)
        return names_unknown(k->name, text, k->choices);
    return put(k, c, text);
}

const struct key_type key_word = {word_set, word_json};

static int enum_set(const struct key *k, struct config *c, const char *text)
{
    int i = names_index(k->choices, text);

    if (i < 0)
        return names_unknown(k->name, text, k->choices);
    memcpy(field(k, c), &i, sizeof i);
    return OK;
}

static char *enum_json(const struct key *k, const struct config *c)
{
    int i;

    memcpy(&i, value(k, c), sizeof i);
    return dump(json_string(k->choices[i]));
}

const struct key_type key_enum = {enum_set, enum_json};
_Static_assert(sizeof(enum norm_kind) == sizeof(int), "no enumeration is less");

/* A number, a rule for synthesizers, or both: 12:code. */
static int heads_set(const struct key *k, struct config *c, const char *text)
{
    static const char *const rules[] = {"equal", "code", NULL};
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
        return wrong_type(k, text, "a number, equal, code or number:code");
    rc = int_set(k, c, number);
    if (rc == OK)
        c->model.code_heads = colon ? i : 0;
    return rc;
}

static char *heads_json(const struct key *k, const struct config *c)
{
    if (c->model.code_heads)
        return str_format("\"%d:code\"", c->model.heads);
    return int_json(k, c);
}

const struct key_type key_heads = {heads_set, heads_json};

static int widths_set(const struct key *k, struct config *c, const char *text)
{
    struct widths w = {0, {0}};
    int rc = OK;

    for (const char *s = text; rc == OK;) {
        size_t n = strcspn(s, ",");
        char *one = str_format("%.*s", (int)n, s);
        long long x = 0;

        rc = whole(k, one, &x);
        free(one);
        if (rc == OK && w.n == WIDTHS)
            rc = err_set(ERR_USAGE, "%s: more than %d layers", k->name,
                         WIDTHS);
        if (rc == OK)
            w.at[w.n++] = (int)x;
        if (!s[n])
            break;
        s += n + 1;
    }
    if (rc == OK)
        memcpy(field(k, c), &w, sizeof w);
    return rc;
}

static char *widths_json(const struct key *k, const struct config *c)
{
    const struct widths *w = value(k, c);
    struct text all = {0};

    if (w->n == 1)
        return dump(json_integer(w->at[0]));
    for (int i = 0; i < w->n; i++)
        text_format(&all, "%s%d", i ? "," : "\"", w->at[i]);
    text_put(&all, "\"");
    return all.s;
}

const struct key_type key_widths = {widths_set, widths_json};

static int variant_set(const struct key *k, struct config *c, const char *text)
{
    char name[MIX_NAME];
    struct mix mix;
    int rc = mix_parse(&mix, name, text);

    return rc < 0 ? rc : put(k, c, name);
}

const struct key_type key_variant = {variant_set, word_json};

static int task_set(const struct key *k, struct config *c, const char *text)
{
    const struct task *task;
    int rc = task_find(&task, text);

    return rc < 0 ? rc : put(k, c, task->name);
}

const struct key_type key_task = {task_set, word_json};

static int r_init_set(const struct key *k, struct config *c, const char *text)
{
    double s = 0;
    int glorot = !strcmp(text, "glorot");

    if (!glorot &&
        (strncmp(text, "normal:", 7) || str_to_real(text + 7, &s)))
        return wrong_type(k, text, "glorot or normal:S, as in normal:1");
    if (!glorot && (s < k->low || s > k->high))
        return out_of_range(k, text);
    c->model.r_init = glorot ? R_GLOROT : R_NORMAL;
    c->model.r_scale = s;
    return OK;
}

static char *r_init_json(const struct key *k, const struct config *c)
{
    (void)k;
    if (c->model.r_init == R_GLOROT)
        return str_copy("\"glorot\"");
    return str_format("\"normal:%.17g\"", c->model.r_scale);
}

const struct key_type key_r_init = {r_init_set, r_init_json};

int key_is_id(const char *text)
{
    size_t n = strspn(text, "0123456789abcdef");

    return n == SETTINGS_ID - 1 && !text[n];
}

static int pretrained_set(const struct key *k, struct config *c,
                          const char *text)
{
    const struct task *task;
    int rc = OK;

    if (!strcmp(text, "none") || key_is_id(text))
        return put(k, c, text);
    rc = task_find(&task, text);
    if (rc == OK && !task->pretrains)
        rc = err_set(ERR_USAGE, "%s: %s keeps no weights; c4 does", k->name,
                     text);
    return rc < 0 ? rc : put(k, c, text);
}

const struct key_type key_pretrained = {pretrained_set, word_json};
