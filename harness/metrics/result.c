#include "harness/metrics/result.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static void put_format(json_t *out, const char *name, const char *fmt,
                       va_list ap)
{
    char text[512];

    vsnprintf(text, sizeof text, fmt, ap);
    result_text(out, name, text);
}

void result_format(json_t *out, const char *name, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    put_format(out, name, fmt, ap);
    va_end(ap);
}

void result_signature(json_t *out, const char *full, const char *brief, ...)
{
    va_list ap;

    va_start(ap, brief);
    put_format(out, "signature", full, ap);
    va_end(ap);
    va_start(ap, brief);
    put_format(out, "signature_short", brief, ap);
    va_end(ap);
}

json_t *result_reals(const double *x, size_t n, size_t stride)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_real(x[i * stride]));
    return list;
}

json_t *result_counts(const long *x, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_integer(x[i]));
    return list;
}

double result_number(const json_t *result, const char *name)
{
    const json_t *v = json_object_get(result, name);

    return json_is_number(v) ? json_number_value(v) : NAN;
}

const char *result_string(const json_t *result, const char *name)
{
    return json_string_value(json_object_get(result, name));
}
