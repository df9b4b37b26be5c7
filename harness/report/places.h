/*
 * places: where each line of published.tsv is shown.  A line with a key has a
 * cell in a table.  A line with `table:N` is shown below table N as it was
 * printed, because table N has no such row or column.  All other lines are
 * listed with the reason why they are in no table.
 */
#pragma once

#include "harness/print/sheet.h"
#include "harness/report/published.h"

/* Returns "table 2", "below table 4", or "no table: " and the reason, allocated
 * from a.  Returns NULL if no place is known. */
const char *place_of(const struct published_line *l, struct arena *a);

/* Adds the lines that belong below the table: a heading and a grid for each
 * published table, and the member "beside" of the object if there is an
 * object. */
void places_below(struct sheet *to, const struct published *p,
                  const char *table);

/*
 * Returns a sheet of all lines; the caller closes it.  Records: {"table",
 * "row", "column", "value", "source", "confidence", "key", "place", "note"},
 * all texts.  The object has them as "rows".
 */
struct sheet *places_all(const struct published *p);

/* Adds the sources of the published values of the cells of a table, and which
 * values are disputed: an item for each value, and the member "sources" of the
 * object. */
struct result_table;
void places_sources(struct sheet *to, const struct published *p,
                    const struct result_table *s);
