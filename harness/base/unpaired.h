/*
 * unpaired: two samples that share nothing.  p values are two-sided.
 */
#ifndef BASE_UNPAIRED_H
#define BASE_UNPAIRED_H

#include "harness/base/stats.h"

struct mann_whitney {
    double u; /* pairs with a above b, ties counting half */
    double p; /* NAN, and u: a sample is empty or holds NAN */
};

/* Exact if a sample has at most 8 values and none are equal, else normal with
 * correction for ties and continuity. */
struct mann_whitney unpaired_mann_whitney(const double *a, size_t na,
                                          const double *b, size_t nb);

/* The least p that such samples can give; values missing in each of them to go
 * below STATS_LEVEL. */
double unpaired_floor(size_t na, size_t nb);
size_t unpaired_more(size_t na, size_t nb);

/* Of mean a less mean b, variances apart (Welch); unknown if a sample has fewer
 * than two values. */
struct interval unpaired_interval(const double *a, size_t na, const double *b,
                                  size_t nb);

/* ---- effect sizes ---- */

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
