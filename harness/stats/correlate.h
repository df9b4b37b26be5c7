/*
 * correlate: computes correlation coefficients of two measurements x and y of
 * the same n things.  The p-values are two-sided, for the null hypothesis that
 * the measurements are independent.
 */
#pragma once

#include "harness/stats/stats.h"

/* The coefficient r and its p-value.  Both are NAN if n < 2, or if x or y is
 * constant. */
struct correlation { double r, p; };

/* Returns Pearson's r.  p comes from the distribution of r under normality; it
 * is 1 if n = 2. */
struct correlation correlate_pearson(const double *x, const double *y,
                                     size_t n);

/* Returns Spearman's rho: Pearson's r of the ranks, where ties share their mean
 * rank.  p comes from Student's t with n - 2 degrees of freedom; it is NAN if
 * n = 2. */
struct correlation correlate_spearman(const double *x, const double *y,
                                      size_t n);

/* Returns Kendall's tau-b.  p is exact if there are no ties and either n <= 33
 * or at most one pair is discordant (or concordant); else it is the normal
 * approximation.  Takes O(n^2) time. */
struct correlation correlate_kendall(const double *x, const double *y,
                                     size_t n);

/*
 * A rank correlation with a 95 % interval and a p-value that is exact for few
 * things.
 *
 *   r        Spearman's rho or Kendall's tau-b as above
 *   p        for up to RANK_EXACT things, the share of the n! orders of y (with
 *            its ties) for which |r| is at least as great.  For more things, p
 *            is that of the functions above
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
