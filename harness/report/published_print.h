/*
 * published_print: prints the lines of published.tsv, and determines where each
 * of them is shown.  A line whose key is variant/task/metric is shown in a cell
 * of a table.  A line whose key is `table:N` is shown below table N, as the
 * paper printed it, because our table N has no such row or column.  All other
 * lines are listed with the reason why they are in no table.  The commands
 * `table` and `report` call it.
 */
#pragma once

#include "harness/print/sheet.h"
#include "harness/report/published.h"

/* Adds to the sheet the lines that are shown below the table named `table`: a
 * heading and a grid for each published table.  If the sheet has an object,
 * also adds the lines as its member "beside". */
void published_below(struct sheet *to, const struct published *p,
                  const char *table);

/*
 * Returns a sheet of all lines; the caller closes it.  The records have the
 * texts "table", "row", "column", "value", "source", "confidence", "key",
 * "place" and "note".  The object's member "rows" has the same records.
 */
struct sheet *published_sheet(const struct published *p);

/* For each published value in the table `s`, adds an item to the sheet, with
 * the sources of the value and whether it is disputed.  Adds the same to the
 * object as "sources". */
struct result_table;
void published_sources(struct sheet *to, const struct published *p,
                    const struct result_table *s);
