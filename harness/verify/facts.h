/*
 * facts: rows {subject, property, measured, bound, verdict, remark} of a
 * `verify`, gathered and then told: as JSON all of them; as text the sums of
 * each property, then a line for each row that did not pass and says why.
 */
#pragma once

#include "harness/base/owned.h"

enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_NONE };
extern const char *const verdict_text[]; /* "pass", "fail", "n/a" */

struct facts;

struct facts *facts_new(void);
void          facts_close(struct facts *f); /* NULL is fine */
OWNER(facts_close, struct facts *)

/* remark, as by printf: of VERDICT_PASS mostly ""; else why. */
void facts_add(struct facts *f, enum verdict v, const char *subject,
               const char *property, double measured, double bound,
               const char *remark, ...) __attribute__((format(printf, 7, 8)));

int facts_count(const struct facts *f, enum verdict v);

/* ERR_IO: stdout cannot be written. */
int facts_print(const struct facts *f, const char *format);
