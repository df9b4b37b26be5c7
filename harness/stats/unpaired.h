/* unpaired: how far apart two samples are that share nothing. */
#ifndef STATS_UNPAIRED_H
#define STATS_UNPAIRED_H

#include "harness/stats/stats.h"

/* (mean a - mean b) / pooled sd; g: without the bias of small samples.  NAN: a
 * sample has fewer than two values, or nothing varies. */
double unpaired_cohen_d(const double *a, size_t na, const double *b, size_t nb);
double unpaired_hedges_g(const double *a, size_t na, const double *b,
                         size_t nb);

/* P(a > b) - P(a < b), in [-1,1]; and P(a > b) + P(a = b) / 2, in [0,1]. */
double unpaired_cliff_delta(const double *a, size_t na, const double *b,
                            size_t nb);
double unpaired_a12(const double *a, size_t na, const double *b, size_t nb);

#endif
