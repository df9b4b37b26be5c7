/* fixture_table: prints a table of a made-up store (report_fixture.h), and
 * reads values from its JSON. */
#pragma once

#include "harness/report/table.h"
#include "tests/support/report_fixture.h"

#include <jansson.h>

extern const struct table table_2, table_4, table_7;

extern const struct table *tabled; /* table to print; default: Table 2 */

/* Prints `tabled` from this store. The caller frees *out. */
int   tabled_store(char **out, const char *store, const char *format);
char *tabled_text(const struct fixture *f, const char *format);

/* tabled_json returns the table as JSON; the others return an entry of it and
 * fail the test if there is none. */
json_t *tabled_json(const struct fixture *f);
json_t *tabled_field(json_t *table, const char *variant, const char *column,
                     const char *key); /* column: "lm1b.ppl" */
double  tabled_number(json_t *table, const char *variant, const char *column,
                      const char *key);

/* Fails unless the text contains the words. */
void tabled_says(const char *text, const char *words);
