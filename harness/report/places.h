/*
 * places: where each line of published.tsv is shown.  One with a key has a cell
 * of a table; one that says `table:N` stands below table N as it was printed,
 * for there is no such row or column of ours; the others are listed with the
 * reason why they are in no table.
 */
#pragma once

#include "harness/print/sheet.h"
#include "harness/report/published.h"

/* "table 2", "below table 4", "no table: " and why; from arena a. */
const char *place_of(const struct published_line *l, struct arena *a);

/* Those that stand below that table, if there are any: a heading, grids, and
 * "beside" of the object, where there is one. */
void places_below(struct sheet *to, const struct published *p,
                  const char *table);

/*
 * All of them.  Records: {"table", "row", "column", "value", "source",
 * "confidence", "key", "place", "note"}, texts all; the object has them as
 * "rows".
 */
struct sheet *places_all(const struct published *p);

/* Of the published values of the cells of a table who says what, and what is
 * disputed: an item a value, and "sources" of the object. */
struct result_table;
void places_sources(struct sheet *to, const struct published *p,
                    const struct result_table *s);
