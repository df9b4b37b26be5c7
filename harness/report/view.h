/* view: the grids of a sheet. */
#ifndef REPORT_VIEW_H
#define REPORT_VIEW_H

#include "harness/report/grid.h"
#include "harness/report/sheet.h"

/* Our numbers with the published ones beside them; the source of each is a
 * letter, `!` marks a dispute. */
struct grid view_values(const struct sheet *s);
/* 95 % intervals of the columns that have any; columns: 1 if there is none. */
struct grid view_intervals(const struct sheet *s);

/* The n-th source ("a", "b", ...) in order of appearance; NULL: no more. */
const char *view_source(const struct sheet *s, int n);

#endif
