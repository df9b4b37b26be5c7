#include "harness/metrics/result.h"

#include "harness/base/err.h"
#include "harness/base/str.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistr.h>

enum { DEPTH = 8, DIGITS = 17, SCHEMA = 1 };

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
    put(r, name, isfinite(x) ? json_real(x) : json_null());
}

void result_count(struct result *r, const char *name, long long n)
{
    put(r, name, json_integer(n));
}

/* A name of a file may be any bytes; JSON is UTF-8. */
void result_text(struct result *r, const char *name, const char *s)
{
    char *copy = str_copy(s);

    for (uint8_t *bad; (bad = (uint8_t *)u8_check((uint8_t *)copy,
                                                  strlen(copy)));)
        *bad = '?';
    put(r, name, json_string(copy));
    free(copy);
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

static int written(int bad)
{
    return bad ? err_errno(ERR_IO, "writing a score") : OK;
}

int result_write_json(const struct result *r, FILE *to)
{
    json_t *all = json_pack("{s:i}", "schema_version", SCHEMA);
    int bad = !all || json_object_update(all, r->open[0]) ||
              json_dumpf(all, to,
                         JSON_INDENT(1) | JSON_REAL_PRECISION(DIGITS)) ||
              fputc('\n', to) == EOF;

    json_decref(all);
    return written(bad);
}

/* "outer.name = value" for what an object holds. */
static void write_value(FILE *to, const char *outer, const char *name,
                        const json_t *v)
{
    const char *dot = *outer ? "." : "", *inner;
    json_t *w;

    if (json_is_object(v))
        json_object_foreach((json_t *)v, inner, w)
            write_value(to, name, inner, w);
    else if (json_is_string(v))
        fprintf(to, "%s%s%s = %s\n", outer, dot, name, json_string_value(v));
    else if (json_is_integer(v))
        fprintf(to, "%s%s%s = %lld\n", outer, dot, name,
                (long long)json_integer_value(v));
    else if (json_is_real(v))
        fprintf(to, "%s%s%s = %.*g\n", outer, dot, name, DIGITS,
                json_real_value(v));
    else if (json_is_null(v))
        fprintf(to, "%s%s%s = nan\n", outer, dot, name);
}

int result_write_text(const struct result *r, FILE *to)
{
    const char *name;
    json_t *v;

    json_object_foreach(r->open[0], name, v)
        write_value(to, "", name, v);
    return written(ferror(to));
}
