/*
 * result: the output of a scorer, a JSON object of named values in the order in
 * which they were written.  The names are those in the reference vectors'
 * expected.json, so that one comparison serves all metrics.  Scorers write it
 * with result_put and the other functions.
 */
#pragma once

#include "harness/base/json.h"

#include <stddef.h>

/* Adds members in json_pack's form: result_put(out, "{s:f, s:s}", "score",
 * 40.7, ...). */
#define result_put(out, ...)                                                  \
    json_object_update_new(out, json_pack(__VA_ARGS__))

void result_format(json_t *out, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds "signature" and "signature_short", which describe how a score is
 * computed, in sacreBLEU 2.6.0's form: "nrefs:1|case:mixed|..." and
 * "#:1|c:mixed|...", from the same values. */
void result_signature(json_t *out, const char *full, const char *brief, ...)
    __attribute__((format(printf, 2, 4)));

/* Return lists of n values: x[0], x[stride], ...; NAN becomes null. */
json_t *result_reals(const double *x, size_t n, size_t stride);
json_t *result_counts(const long *x, size_t n);

/* Return the value of a name, or NAN or NULL if there is none. */
double      result_number(const json_t *result, const char *name);
const char *result_string(const json_t *result, const char *name);
