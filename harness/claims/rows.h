/* rows: the rows of a store that a trained claim compares.  read.c calls it. */
#pragma once

#include "harness/claims/claims.h"

/* Sets *out to the normal form of a row name, which lives in a:
 * "random+dense,tuned" for "dense+random,tuned".  Returns ERR_USAGE if the text
 * is not a row name. */
int rows_name(const char **out, const char *text, struct arena *a);

/* Checks the rows and sets `better`.  Returns ERR_USAGE if the task, metric or
 * experiment is unknown, the metric has no direction, or no experiment trains
 * both rows on the task. */
int rows_check(struct claim_rows *r);

/* Sets *out to what is claimed of the measure "difference in METRIC", a minus
 * b. */
void rows_expect(struct claim_expect *out, const struct claim_rows *r,
                 struct arena *a);
