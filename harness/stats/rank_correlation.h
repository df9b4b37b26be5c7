/*
 * rank_correlation: computes the rank correlation of two measurements x and y
 * of n things, with a 95 % interval and a p-value that is exact for few things.
 *
 *   r        Spearman's rho or Kendall's tau-b (stats/correlate.h)
 *   p        for up to RANK_EXACT things, the share of the n! orders of y (with
 *            its ties) for which |r| is at least as great.  For more things, p
 *            is that of correlate.h: Student's t for rho; for tau, exact up to
 *            33 things without ties, else the normal approximation
 *   between  tanh(atanh(r) -+ 1.96 s), where s^2 is (1 + rho^2 / 2) / (n - 3)
 *            for rho and 0.437 / (n - 4) for tau (Fieller, Hartley, Pearson,
 *            1957; Bonett and Wright, Psychometrika 65, 2000).  The interval is
 *            unknown if r is -1 or +1, if n is 3, or for tau if n is 4
 *
 * The things are the sample: the interval shows how much r would vary with
 * other things of the same population.  Noise in x already pulls r towards 0.
 * Resampling x would add noise a second time and pull r further, so that the
 * interval would be centred on another value.
 */
#pragma once

#include "harness/stats/stats.h"

enum { RANK_EXACT = 9 };

struct rank_correlation {
    double r, p;
    struct interval between;
}; /* NAN: unknown */

/* All members of the result are unknown if n < 3, or if x or y is constant. */
struct rank_correlation rank_spearman(const double *x, const double *y,
                                      size_t n);
struct rank_correlation rank_kendall(const double *x, const double *y,
                                     size_t n);
