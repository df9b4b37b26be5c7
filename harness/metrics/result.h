/*
 * result: what a scorer found, as named values in the order in which they were
 * written; lists and objects nest.  Its names are those of the reference
 * vectors' expected.json, so that one comparison serves all metrics.
 *
 *   result_real(r, "score", 40.7);
 *   result_list(r, "counts");           "counts": [180, 110]
 *   result_count(r, NULL, 180);         inside a list the name is NULL
 *   result_count(r, NULL, 110);
 *   result_end(r);
 */
#ifndef METRICS_RESULT_H
#define METRICS_RESULT_H

#include "harness/base/json.h"
#include "harness/base/owned.h"

#include <stddef.h>

struct result;

struct result *result_new(void);
void           result_free(struct result *r);
OWNER(result_free, struct result *)

void result_real(struct result *r, const char *name, double x); /* NAN: null */
void result_count(struct result *r, const char *name, long long n);
void result_text(struct result *r, const char *name, const char *s);
void result_format(struct result *r, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void result_list(struct result *r, const char *name);   /* until result_end */
void result_object(struct result *r, const char *name); /* until result_end */
void result_end(struct result *r);

void result_reals(struct result *r, const char *name, const double *x,
                  size_t n);
void result_counts(struct result *r, const char *name, const long *x,
                   size_t n);

/* "signature" and "signature_short", how a score was made, as sacreBLEU 2.6.0
 * writes it: "nrefs:1|case:mixed|..." and "#:1|c:mixed|...", of the same
 * values. */
void result_signature(struct result *r, const char *full, const char *brief,
                      ...) __attribute__((format(printf, 2, 4)));

/* The value of a name of the outermost object; NAN or NULL: none such. */
double      result_number(const struct result *r, const char *name);
const char *result_string(const struct result *r, const char *name);

/* The result as a JSON tree, borrowed. */
const json_t *result_tree(const struct result *r);

#endif
