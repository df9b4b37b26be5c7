/*
 * rank_correlation: rank correlation of n things by x and by y, with an exact p
 * for few things and an interval.
 *
 *   r        Spearman's rho, Kendall's tau-b (stats/correlate.h)
 *   p        the share of all n! orders, equally likely, with at least as great
 *            |r|, ties kept.  For more than RANK_EXACT things p is that of
 *            correlate.h: Student's t for rho; for tau exact up to 33 things
 *            without ties, else normal
 *   between  95 %: tanh(atanh(r) -+ 1.96 s), with s^2 = (1 + rho^2 / 2) / (n -
 *            3), and 0.437 / (n - 4) for tau (Fieller, Hartley, Pearson, 1957;
 *            Bonett and Wright, Psychometrika 65, 2000); unknown if r is -1 or
 *            +1, and for 3 things (4 for tau)
 *
 * The things are the sample: the interval says how much r would vary with other
 * things like these.  The noise of x is already part of r, which it pulls
 * towards 0.  Resampling x would shuffle the ranks a second time and pull r
 * once more; the interval would then be centred on another value.
 */
#pragma once

#include "harness/stats/stats.h"

enum { RANK_EXACT = 9 };

struct rank_correlation {
    double r, p;
    struct interval between;
}; /* NAN: unknown */

/* All fields are unknown if n < 3 or a side is constant. */
struct rank_correlation rank_spearman(const double *x, const double *y,
                                      size_t n);
struct rank_correlation rank_kendall(const double *x, const double *y,
                                     size_t n);
