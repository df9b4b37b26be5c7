/* rows: reads and checks which rows of a store a trained claim compares.
 * read.c calls rows_name, then rows_check, then rows_expect. */
#pragma once

#include "harness/claims/claims.h"

/* Sets *out to the normal form of a row name, such as "random+dense,tuned" for
 * "dense+random,tuned", in arena `a`.  Returns ERR_USAGE if `text` is not a row
 * name. */
int rows_name(const char **out, const char *text, struct arena *a);

/* Checks the rows and sets r->better.  Returns ERR_USAGE if the task, metric or
 * experiment is unknown, if neither direction of the metric is better, or if
 * none of the experiments trains both rows on the task. */
int rows_check(struct claim_rows *r);

/* Sets *out to the expectation of a trained claim: the required values of the
 * measure "difference in METRIC", r->a minus r->b. */
void rows_expect(struct claim_expect *out, const struct claim_rows *r,
                 struct arena *a);
