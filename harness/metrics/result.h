/*
 * result: what a scorer found, a JSON object of named values in the order in
 * which they were written.  Its names are those of the reference vectors'
 * expected.json, so that one comparison serves all metrics.
 */
#pragma once

#include "harness/base/json.h"

#include <stddef.h>

/* json_pack, into out: result_put(out, "{s:f, s:s}", "score", 40.7, ...). */
#define result_put(out, ...)                                                  \
    json_object_update_new(out, json_pack(__VA_ARGS__))

void result_format(json_t *out, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* "signature" and "signature_short", how a score was made, as sacreBLEU 2.6.0
 * writes it: "nrefs:1|case:mixed|..." and "#:1|c:mixed|...", of the same
 * values. */
void result_signature(json_t *out, const char *full, const char *brief, ...)
    __attribute__((format(printf, 2, 4)));

/* Lists: x[0], x[stride], ..., n of them; NAN: null. */
json_t *result_reals(const double *x, size_t n, size_t stride);
json_t *result_counts(const long *x, size_t n);

/* The value of a name; NAN or NULL: none such. */
double      result_number(const json_t *result, const char *name);
const char *result_string(const json_t *result, const char *name);
