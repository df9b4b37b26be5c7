/*
 * column: the numbers of a task that figures show: those of the paper's tables
 * that have a direction.
 */
#pragma once

#include "harness/report/measured.h"

/* Each metric once, in the order of the tables; of a task in none of them its
 * cross-entropy.  Ends with {0}; lives as long as r. */
const struct table_column *column_all(const struct report *r, const char *task);

/* A table of these columns (they end with {0}) and of every row of r. */
int column_measure(struct measured **out, const struct report *r,
                   const struct table_column *column);
