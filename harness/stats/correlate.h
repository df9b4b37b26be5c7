/*
 * correlate: computes correlation coefficients of two measurements x and y of
 * the same n things.  The p-values are two-sided, for the null hypothesis that
 * the measurements are independent.
 */
#pragma once

#include <stddef.h>

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
