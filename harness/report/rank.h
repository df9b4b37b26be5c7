/* rank: the order of the variants in each column of a sheet, ours and the
 * published one, and how far they agree. */
#ifndef REPORT_RANK_H
#define REPORT_RANK_H

#include "harness/report/sheet.h"

/* Sets rank and rank_published of every cell, and the correlations. */
void rank_sheet(struct sheet *s);

#endif
