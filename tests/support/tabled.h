/* tabled: a table of a made-up store (report_fixture.h), and what its JSON
 * says. */
#pragma once

#include "harness/report/table.h"
#include "tests/support/report_fixture.h"

#include <jansson.h>

extern const struct table table_2, table_4, table_7;

extern const struct table *tabled; /* which; Table 2, if nobody says another */

/* The caller frees. */
int   tabled_store(char **out, const char *store, const char *format);
char *tabled_text(const struct fixture *f, const char *format);

/* They fail the test where there is no such thing. */
json_t *tabled_json(const struct fixture *f);
json_t *tabled_field(json_t *table, const char *variant, const char *column,
                     const char *key); /* column: "lm1b.ppl" */
double  tabled_number(json_t *table, const char *variant, const char *column,
                      const char *key);

/* The words are there. */
void tabled_says(const char *text, const char *words);
