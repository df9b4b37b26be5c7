#include "harness/base/key.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *field(const struct key *k, void *of)
{
    return (char *)of + k->offset;
}

static const void *value(const struct key *k, const void *of)
{
    return (const char *)of + k->offset;
}

static char *dump(json_t *j)
{
    OWNED(json_decref) json_t *own = j;

    return json_dumps(own, JSON_ENCODE_ANY);
}

int key_outside(const struct key *k, const char *text)
{
    return err_set(ERR_USAGE, "%s: %s is out of range, %.16g to %.16g are "
                   "allowed", k->name, text, k->low, k->high);
}

int key_wrong(const struct key *k, const char *text, const char *want)
{
    return err_set(ERR_USAGE, "%s: '%s' is not %s", k->name, text, want);
}

/* ---- numbers ---- */

static int whole(const struct key *k, const char *text, long long *out)
{
    if (str_to_int(text, out))
        return key_wrong(k, text, "a whole number");
    if ((double)*out < k->low || (double)*out > k->high)
        return key_outside(k, text);
    return OK;
}

/* Returns 1 if the field has eight bytes, or 0 if it is an int. */
static int is_long(const struct key *k) { return k->size == sizeof(uint64_t); }

static int int_set(const struct key *k, void *of, const char *text)
{
    long long x;

    PASS(whole(k, text, &x));
    if (is_long(k))
        *(uint64_t *)field(k, of) = (uint64_t)x;
    else
        *(int *)field(k, of) = (int)x;
    return OK;
}

static char *int_json(const struct key *k, const void *of)
{
    const void *x = value(k, of);

    return dump(json_integer(is_long(k) ? (json_int_t) * (const uint64_t *)x
                                        : *(const int *)x));
}

const struct key_type key_int = {int_set, int_json};

static int real_set(const struct key *k, void *of, const char *text)
{
    double x;

    if (str_to_real(text, &x))
        return key_wrong(k, text, "a number");
    if (x < k->low || x > k->high)
        return key_outside(k, text);
    *(double *)field(k, of) = x == 0 ? 0 : x; /* -0 would change the id */
    return OK;
}

static char *real_json(const struct key *k, const void *of)
{
    char text[32];

    str_real(*(const double *)value(k, of), text);
    return str_format("%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

const struct key_type key_real = {real_set, real_json};

static int bool_set(const struct key *k, void *of, const char *text)
{
    int yes = !strcmp(text, "true");

    if (!yes && strcmp(text, "false"))
        return key_wrong(k, text, "true or false");
    *(int *)field(k, of) = yes;
    return OK;
}

static char *bool_json(const struct key *k, const void *of)
{
    return dump(json_boolean(*(const int *)value(k, of)));
}

const struct key_type key_bool = {bool_set, bool_json};

/* ---- words ---- */

int key_put(const struct key *k, void *of, const char *text)
{
    int n = snprintf(field(k, of), k->size, "%s", text);

    REQUIRE((size_t)n < k->size, "%s holds %zu bytes, '%s' does not fit",
            k->name, k->size, text);
    return OK;
}

char *key_text_json(const struct key *k, const void *of)
{
    return dump(json_string(value(k, of)));
}

static int word_set(const struct key *k, void *of, const char *text)
{
    PASS(names_find(k->name, text, k->choices));
    return key_put(k, of, text);
}

const struct key_type key_word = {word_set, key_text_json};

static int text_set(const struct key *k, void *of, const char *text)
{
    *(const char **)field(k, of) = text;
    return OK;
}

const struct key_type key_text = {text_set, NULL};

static int enum_set(const struct key *k, void *of, const char *text)
{
    int i = names_find(k->name, text, k->choices);

    PASS(i);
    memcpy(field(k, of), &i, sizeof i);
    return OK;
}

static char *enum_json(const struct key *k, const void *of)
{
    int i;

    memcpy(&i, value(k, of), sizeof i);
    return dump(json_string(k->choices[i]));
}

const struct key_type key_enum = {enum_set, enum_json};
_Static_assert(sizeof(enum key_role) == sizeof(int), "no enumeration is less");

static int widths_set(const struct key *k, void *of, const char *text)
{
    OWNED(free) char *copy = str_copy(text);
    struct widths w = {0, {0}};
    long long x;

    for (char *rest = copy, *one; (one = strsep(&rest, ","));) {
        PASS(whole(k, one, &x));
        if (w.n == WIDTHS)
            return err_set(ERR_USAGE, "%s: more than %d layers", k->name,
                           WIDTHS);
        w.at[w.n++] = (int)x;
    }
    memcpy(field(k, of), &w, sizeof w);
    return OK;
}

static char *widths_json(const struct key *k, const void *of)
{
    const struct widths *w = value(k, of);
    struct text all = {0};

    if (w->n == 1)
        return dump(json_integer(w->at[0]));
    for (int i = 0; i < w->n; i++)
        text_format(&all, "%s%d", i ? "," : "\"", w->at[i]);
    text_put(&all, "\"");
    return all.s;
}

const struct key_type key_widths = {widths_set, widths_json};

int key_alike(const struct key *k, const void *a, const void *b)
{
    static const struct key_type *const types[] = {
        &key_int, &key_real, &key_bool, &key_word, &key_enum, &key_widths};
    int known = 0;

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        known |= k->type == types[i];
    return known && !memcmp(value(k, a), value(k, b), k->size);
}

/* ---- ranges ---- */

char *key_range(const struct key *k)
{
    if (k->choices)
        return names_list(k->choices);
    if (k->low < k->high)
        return str_format("%.16g to %.16g", k->low, k->high);
    return str_copy(k->type == &key_bool ? "false, true" : "");
}
