/* expect: reads the expectations of a case and compares them with its measured
 * values.  read.c reads them, judge.c compares them. */
#pragma once

#include "harness/claims/claims.h"
#include "harness/config/tree.h"

/* Reads "[low, high]", a number, or "OP X", where X is a number or one of the
 * measures.  Returns ERR_USAGE if it is none of these. */
int expect_read(struct claim_expect *out, const struct node *n,
                const char *const *measures, struct arena *a);

/* Returns CLAIM_HOLDS, CLAIM_FAILS or CLAIM_UNDECIDED.  printed is 1 for
 * published numbers (claims.h). */
enum claim_verdict expect_verdict(const struct claim_expect *e,
                                  const struct claim_case *of, int printed);

/* Returns the verdict over all expectations of the case. */
enum claim_verdict expect_all(const struct claim_case *of, int printed);

/* Returns that measure of the case, which must exist. */
const struct claim_measured *expect_measured(const struct claim_case *of,
                                             const char *measure);

/* Returns the expectation for that measure, or NULL. */
const struct claim_expect *expect_of(const struct claim_case *of,
                                     const char *measure);

/* Returns the verdict on that expectation.  The rows of a trained claim are
 * judged together, so for those it is the verdict of the case. */
enum claim_verdict expect_said(const struct claim_expect *e,
                               const struct claim_case *of,
                               enum claim_kind kind);
