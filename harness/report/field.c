#include "harness/report/field.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void field_wrong(struct reading *r, const char *key, const char *expected)
{
    if (r->rc == OK)
        r->rc = err_set(ERR_STORE, "%s: %s%s: expected %s, as written by "
                        "`synthbench table --format json`", r->path, r->at,
                        key, expected);
}

static void look_at(struct reading *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void look_at(struct reading *r, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(r->at, sizeof r->at, fmt, ap);
    va_end(ap);
}

/* ---- one ---- */

const char *field_text_or_null(struct reading *r, json_t *j, const char *key)
{
    json_t *v = json_object_get(j, key);

    if (!json_is_string(v) && !json_is_null(v))
        field_wrong(r, key, "a string or null");
    return json_is_string(v) ? arena_text(r->s->memory, json_string_value(v))
                             : NULL;
}

const char *field_text(struct reading *r, json_t *j, const char *key)
{
    const char *s = field_text_or_null(r, j, key);

    if (!s)
        field_wrong(r, key, "a string");
    return s ? s : "";
}

double field_number(struct reading *r, json_t *j, const char *key)
{
    json_t *v = json_object_get(j, key);

    if (!json_is_number(v) && !json_is_null(v))
        field_wrong(r, key, "a number or null");
    return json_is_number(v) ? json_number_value(v) : NAN;
}

long long field_integer(struct reading *r, json_t *j, const char *key,
                        long long least, long long most)
{
    json_t *v = json_object_get(j, key);
    json_int_t x = json_integer_value(v);
    char expected[64];

    if (json_is_integer(v) && x >= least && x <= most)
        return x;
    snprintf(expected, sizeof expected, "%lld to %lld", least, most);
    field_wrong(r, key, expected);
    return least;
}

int field_flag(struct reading *r, json_t *j, const char *key)
{
    json_t *v = json_object_get(j, key);

    if (!json_is_boolean(v))
        field_wrong(r, key, "true or false");
    return json_is_true(v);
}

double field_number_or_none(struct reading *r, json_t *j, const char *key)
{
    return json_object_get(j, key) ? field_number(r, j, key) : NAN;
}

int field_flag_or_none(struct reading *r, json_t *j, const char *key)
{
    return json_object_get(j, key) && field_flag(r, j, key);
}

struct interval field_interval(struct reading *r, json_t *j)
{
    struct interval x = {field_number(r, j, "low"), field_number(r, j, "high")};

    if (!(x.low <= x.high) && !(isnan(x.low) && isnan(x.high)))
        field_wrong(r, "low", "no more than high");
    return x;
}

/* ---- several ---- */

void *field_take(struct reading *r, int n, size_t size)
{
    return arena_zero(r->s->memory, ((size_t)n + 1) * size);
}

void *field_each(struct reading *r, json_t *root, const char *key, int most,
                 int *n, size_t size,
                 void (*one)(struct reading *r, json_t *j, void *out))
{
    json_t *all = json_object_get(root, key);
    char expected[64], within[sizeof r->at], *out;
    int objects = json_is_array(all) && json_array_size(all) <= (size_t)most;

    for (size_t i = 0; objects && i < json_array_size(all); i++)
        objects = json_is_object(json_array_get(all, i));
    snprintf(expected, sizeof expected, "a list of at most %d objects", most);
    if (!objects)
        field_wrong(r, key, expected);
    *n = r->rc == OK ? (int)json_array_size(all) : 0;
    out = field_take(r, *n, size);
    memcpy(within, r->at, sizeof within);
    for (int i = 0; i < *n; i++) {
        look_at(r, "%s%s[%d].", within, key, i);
        one(r, json_array_get(all, (size_t)i), out + (size_t)i * size);
    }
    look_at(r, "%s", within);
    return out;
}
