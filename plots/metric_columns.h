/*
 * metric_columns: the metrics of a task that figures show, which are those of
 * the paper's tables that have a direction.
 */
#pragma once

#include "harness/report/result_table.h"

/* Returns each metric of the task once, in the order of the tables; if no
 * table has the task, its cross-entropy.  The list ends with {0} and lives as
 * long as r. */
const struct table_column *metric_column_all(const struct report *r,
                                             const char *task);

/* Fills a table with these columns (the list ends with {0}) and all rows of r.
 * The caller closes *out with result_close. */
int metric_column_measure(struct result_table **out, const struct report *r,
                          const struct table_column *column);
