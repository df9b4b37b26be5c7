/* select_rows: applies the filter of -E (config/filter.h) to the cells of a
 * report. */
#pragma once

#include "harness/report/report.h"

/* Removes the cells of `r` that the filter does not select; if `filter` is
 * NULL, keeps all cells.  Returns ERR_USAGE if the filter is invalid. */
int select_rows(struct report *r, const char *filter);
