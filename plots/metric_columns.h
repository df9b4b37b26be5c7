/*
 * metric_columns: the numbers of a task that figures show: those of the
 * paper's tables that have a direction.
 */
#pragma once

#include "harness/report/result_table.h"

/* Each metric once, in the order of the tables; of a task in none of them its
 * cross-entropy.  Ends with {0}; lives as long as r. */
const struct table_column *metric_column_all(const struct report *r,
                                             const char *task);

/* A table of these columns (they end with {0}) and of every row of r. */
int metric_column_measure(struct result_table **out, const struct report *r,
                          const struct table_column *column);
