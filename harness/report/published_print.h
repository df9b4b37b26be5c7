/*
 * published_print: prints the lines of published.tsv.  A line whose key is
 * variant/task/metric is shown in a cell of a table.  A line whose key is
 * `table:N` is shown below table N, as the paper printed it, because our table
 * N has no such row or column.  The commands `table` and `report` call it.
 */
#pragma once

#include "harness/print/sheet.h"
#include "harness/report/published.h"

/* Adds to the sheet the lines that are shown below the table named `table`: a
 * heading and a grid for each published table.  If the sheet has an object,
 * also adds the lines as its member "beside". */
void published_below(struct sheet *to, const struct published *p,
                     const char *table);

/* Returns a sheet of all lines; the caller closes it.  The records and the
 * object's member "rows" have the texts "table", "row", "column", "value",
 * "source", "confidence", "key" and "note". */
struct sheet *published_sheet(const struct published *p);
