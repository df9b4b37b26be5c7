/* judge: what the files of this folder share to judge claims: expectations
 * (claims.h), that is, the required values of the measures of a case; measures
 * from published numbers; and the judging of trained claims.  read.c and
 * claims_file.c read expectations; judge.c and sheet.c compare and
 * show them. */
#pragma once

#include "harness/claims/claims.h"
#include "harness/config/tree.h"
#include "harness/report/published.h"

/* Sets *out to an expectation for `measure`: "LOW to HIGH", a number, or "OP
 * X", where OP is a comparison and X a number or one of `measures`.  Returns
 * ERR_USAGE if the text has none of these forms. */
int expect_text(struct claim_expect *out, const char *measure, const char *text,
                const char *const *measures);

/* Does the same for a node of claims.yaml, where the first form is
 * [LOW, HIGH]. */
int expect_read(struct claim_expect *out, const struct node *n,
                const char *const *measures, struct arena *a);

/* Returns the verdict of the case `of`, over all its expectations.  `printed`
 * is 1 if the measures are computed from published numbers (claims.h). */
enum claim_verdict expect_all(const struct claim_case *of, int printed);

/* Returns the measured value of `measure` in the case `of`.  The measure must
 * have been measured. */
const struct claim_measured *expect_measured(const struct claim_case *of,
                                             const char *measure);

/* Returns the expectation of the case `of` for `measure`, or NULL. */
const struct claim_expect *expect_of(const struct claim_case *of,
                                     const char *measure);

/* Returns 1 if an expectation of the case `of` is for the measure or compares
 * with it. */
int expect_uses(const struct claim_case *of, const char *measure);

/* Returns the verdict on an expectation of the case `of`, for a claim of kind
 * `kind`.  The rows of a trained claim are judged together, so its expectations
 * have the verdict of the case. */
enum claim_verdict expect_verdict(const struct claim_expect *e,
                               const struct claim_case *of,
                               enum claim_kind kind);

struct number { double value; struct interval between; };

/* Evaluates arithmetic over published numbers (number.c).  Returns ERR_USAGE if
 * the text is invalid or a number is not published. */
int number_of(struct number *out, const char *text, const struct published *p);

/* Judges all wanted timed claims (timed.c) by the times in the file `path`; if
 * `path` is NULL, they are not testable.  Returns ERR_USAGE if there is no such
 * file, or ERR_STORE if it was not written by `table 4 --columns speed`. */
int timed_judge(struct claims *c, const char *path);

/* Judges all trained claims (trained.c).  Returns ERR_STORE or ERR_DATA. */
int trained_judge(struct claims *c, const struct claims_by *by);
