/*
 * result: the output of a scorer, a JSON object of named values in the order in
 * which the scorer wrote them.  The names are those in the files expected.json
 * of the reference results (tests/data/metrics), so that one program can
 * compare the values of all metrics.  Scorers call result_real and the like;
 * their callers read values with result_number and result_string.
 */
#pragma once

#include "harness/base/json.h"

#include <stddef.h>

/* Each of these adds a member to the object `out`.  A real that is not finite
 * becomes null; result_whole adds an integer if x is whole, else a real.
 * `out` takes ownership of the argument `value` of result_json. */
#define result_json(out, name, value) json_object_set_new(out, name, value)
#define result_real(out, name, x)     result_json(out, name, json_real(x))
#define result_whole(out, name, x)    result_json(out, name, json_whole(x))
#define result_integer(out, name, n)  result_json(out, name, json_integer(n))
#define result_text(out, name, text)  result_json(out, name, json_string(text))
void result_format(json_t *out, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds the members "signature", with the format `full`, and "signature_short",
 * with the format `brief`; both print the same values.  They describe how a
 * score is computed, in sacreBLEU 2.6.0's form: "nrefs:1|case:mixed|..." and
 * "#:1|c:mixed|...". */
void result_signature(json_t *out, const char *full, const char *brief, ...)
    __attribute__((format(printf, 2, 4)));

/* result_reals returns a list of the n values x[0], x[stride], ..., in which
 * NAN becomes null; result_counts returns a list of the n values of x. */
json_t *result_reals(const double *x, size_t n, size_t stride);
json_t *result_counts(const long *x, size_t n);

/* result_number returns the number called `name`, or NAN if there is none.
 * result_string returns the text called `name`, or NULL if there is none. */
double      result_number(const json_t *result, const char *name);
const char *result_string(const json_t *result, const char *name);
