/* fixture_table: a table of a made-up store (report_fixture.h), and values of
 * its JSON. */
#pragma once

#include "harness/report/table.h"
#include "tests/support/report_fixture.h"

#include <jansson.h>

extern const struct table table_2, table_4, table_7;

extern const struct table *tabled; /* the table to print; default: Table 2 */

/* The caller frees the text. */
int   tabled_store(char **out, const char *store, const char *format);
char *tabled_text(const struct fixture *f, const char *format);

/* Fail the test if there is no such entry. */
json_t *tabled_json(const struct fixture *f);
json_t *tabled_field(json_t *table, const char *variant, const char *column,
                     const char *key); /* column: "lm1b.ppl" */
double  tabled_number(json_t *table, const char *variant, const char *column,
                      const char *key);

/* Fails unless the text contains the words. */
void tabled_says(const char *text, const char *words);
