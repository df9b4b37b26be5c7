/* view: the grids of a measured table. */
#ifndef REPORT_VIEW_H
#define REPORT_VIEW_H

#include "harness/print/sheet.h"
#include "harness/report/measured.h"

/* Our numbers with the published ones beside them; the source of each is a
 * letter, `!` marks a dispute. */
void view_values(struct sheet *to, const struct measured *s);

int  view_has_intervals(const struct measured *s); /* 1: a cell has one */
void view_intervals(struct sheet *to, const struct measured *s); /* 95 % */

/* The n-th source ("a", "b", ...) in order of appearance; NULL: no more. */
const char *view_source(const struct measured *s, int n);

#endif
