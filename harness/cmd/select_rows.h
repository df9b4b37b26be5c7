/* select_rows: applies the filter of -E to the cells of a report. */
#pragma once

#include "harness/report/report.h"

/* Keeps the cells that the filter selects, or all if it is NULL.  Returns
 * ERR_USAGE if the filter is invalid. */
int select_rows(struct report *r, const char *filter);
