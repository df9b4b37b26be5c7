/* rank: the order of the variants in each column of a table, ours and the
 * published one, and how far they agree. */
#ifndef REPORT_RANK_H
#define REPORT_RANK_H

#include "harness/report/measured.h"

/* Sets rank and rank_published of every cell, and the correlations. */
void rank_measured(struct measured *s);

#endif
