/*
 * metric_columns: selects which metrics of a task the figures show: the metrics
 * in the paper's tables, except those for which neither higher nor lower values
 * are better.
 */
#pragma once

#include "harness/report/result_table.h"

/* Returns the columns of all metrics of `task` that the figures show, each
 * once, in the order of the tables, or the column of cross-entropy if no table
 * has such a metric of the task.  The list ends with {0} and lives as long as
 * `r`. */
const struct table_column *metric_column_all(const struct report *r,
                                             const char *task);

/* Fills a table with these columns and all rows of `r`.  The caller closes *out
 * with result_close. */
int metric_column_measure(struct result_table **out, const struct report *r,
                          const char *task);
