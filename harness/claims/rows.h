/* rows: the rows of a store that a trained claim compares, as it names them. */
#pragma once

#include "harness/claims/claims.h"

/* *out: "random+dense,tuned" of "dense+random,tuned", in a.  ERR_USAGE: it is
 * no name of a row. */
int rows_name(const char **out, const char *text, struct arena *a);

/* Fills `better`.  ERR_USAGE: unknown task, metric, experiment, or one that
 * trains no such rows. */
int rows_check(struct claim_rows *r);

/* What is claimed of the measure "difference in ce", a less b. */
void rows_expect(struct claim_expect *out, const struct claim_rows *r,
                 struct arena *a);
