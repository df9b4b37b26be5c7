#include "harness/metrics/result.h"

#include "harness/base/err.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 8 };

struct result { json_t *open[DEPTH]; int depth; }; /* open[0]: the outermost */

struct result *result_new(void)
{
    struct result *r = calloc(1, sizeof *r);

    r->open[0] = json_object();
    return r;
}

void result_free(struct result *r)
{
    if (r)
        json_decref(r->open[0]);
    free(r);
}

static void put(struct result *r, const char *name, json_t *value)
{
    json_t *in = r->open[r->depth];

    REQUIRE(json_is_object(in) == (name != NULL),
            "objects need names, lists have none: %s", name ? name : "");
    if (name)
        json_object_set_new(in, name, value);
    else
        json_array_append_new(in, value);
}

static void enter(struct result *r, const char *name, json_t *value)
{
    put(r, name, value);
    REQUIRE(r->depth + 1 < DEPTH, "%s: nested too deep", name ? name : "");
    r->open[++r->depth] = value;
}

void result_real(struct result *r, const char *name, double x)
{
    put(r, name, json_real(x));
}

void result_count(struct result *r, const char *name, long long n)
{
    put(r, name, json_integer(n));
}

void result_text(struct result *r, const char *name, const char *s)
{
    put(r, name, json_string(s));
}

static void put_format(struct result *r, const char *name, const char *fmt,
                       va_list ap)
{
    char text[512];

    vsnprintf(text, sizeof text, fmt, ap);
    result_text(r, name, text);
}

void result_format(struct result *r, const char *name, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    put_format(r, name, fmt, ap);
    va_end(ap);
}

void result_signature(struct result *r, const char *full, const char *brief,
                      ...)
{
    va_list ap;

    va_start(ap, brief);
    put_format(r, "signature", full, ap);
    va_end(ap);
    va_start(ap, brief);
    put_format(r, "signature_short", brief, ap);
    va_end(ap);
}

void result_list(struct result *r, const char *name)
{
    enter(r, name, json_array());
}

void result_object(struct result *r, const char *name)
{
    enter(r, name, json_object());
}

void result_end(struct result *r)
{
    REQUIRE(r->depth > 0, "nothing is open");
    r->depth--;
}

void result_reals(struct result *r, const char *name, const double *x,
                  size_t n)
{
    result_list(r, name);
    for (size_t i = 0; i < n; i++)
        result_real(r, NULL, x[i]);
    result_end(r);
}

void result_counts(struct result *r, const char *name, const long *x, size_t n)
{
    result_list(r, name);
    for (size_t i = 0; i < n; i++)
        result_count(r, NULL, x[i]);
    result_end(r);
}

double result_number(const struct result *r, const char *name)
{
    const json_t *v = json_object_get(r->open[0], name);

    return json_is_number(v) ? json_number_value(v) : NAN;
}

const char *result_string(const struct result *r, const char *name)
{
    return json_string_value(json_object_get(r->open[0], name));
}

const json_t *result_tree(const struct result *r) { return r->open[0]; }
