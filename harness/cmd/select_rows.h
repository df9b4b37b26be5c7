/* select_rows: the cells of a report that -E picks. */
#pragma once

#include "harness/report/report.h"

/* Leaves those that the filter selects, all of them where it is NULL.
 * ERR_USAGE: it is no filter. */
int select_rows(struct report *r, const char *filter);
