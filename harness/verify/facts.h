/*
 * facts: collects the result rows of a `verify` command and then prints them.
 * A row consists of a subject, a property, the measured value, its bound, the
 * verdict and a remark.  JSON output contains all rows.  Text output contains
 * the counts of each property, then a line for each row with a remark.
 */
#pragma once

#include "harness/base/owned.h"

enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_NONE };
extern const char *const verdict_text[]; /* "pass", "fail", "n/a" */

struct facts;

struct facts *facts_new(void);
void          facts_close(struct facts *f); /* NULL is allowed */
OWNER(facts_close, struct facts *)

/* Appends a row to f.  `remark` is a printf format: usually "" for
 * VERDICT_PASS, otherwise the reason of the verdict. */
void facts_add(struct facts *f, enum verdict v, const char *subject,
               const char *property, double measured, double bound,
               const char *remark, ...) __attribute__((format(printf, 7, 8)));

/* Returns the number of rows with verdict v. */
int facts_count(const struct facts *f, enum verdict v);

/* Prints the rows to stdout, in `format`, a format of print/sheet.h.  Returns
 * OK, or ERR_IO if stdout cannot be written. */
int facts_print(const struct facts *f, const char *format);
