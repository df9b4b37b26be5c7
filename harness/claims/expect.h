/* expect: what a measure has to be, read and held against what it is. */
#pragma once

#include "harness/claims/claims.h"
#include "harness/config/tree.h"

/* "[low, high]", a number, or "OP X", X a number or one of the measures.
 * ERR_USAGE. */
int expect_read(struct claim_expect *out, const struct node *n,
                const char *const *measures, struct arena *a);

/* CLAIM_HOLDS, CLAIM_FAILS or CLAIM_UNDECIDED.  printed: of published numbers,
 * see claims.h. */
enum claim_verdict expect_verdict(const struct claim_expect *e,
                                  const struct claim_case *of, int printed);

/* Of all expectations of the case. */
enum claim_verdict expect_all(const struct claim_case *of, int printed);

/* That measure of the case, which has it. */
const struct claim_measured *expect_measured(const struct claim_case *of,
                                             const char *measure);

/* What is claimed of that measure; NULL: nothing. */
const struct claim_expect *expect_of(const struct claim_case *of,
                                     const char *measure);

/* The verdict on that; of trained rows, which are judged together, on their
 * case. */
enum claim_verdict expect_said(const struct claim_expect *e,
                               const struct claim_case *of,
                               enum claim_kind kind);
