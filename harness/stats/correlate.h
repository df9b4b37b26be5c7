/*
 * correlate: do two measurements of the same things go together, and would
 * chance alone bring them so far?  p is two-sided, H0: independent.
 */
#pragma once

#include <stddef.h>

/* NAN, NAN: n < 2, or a side is constant. */
struct correlation { double r, p; };

/* Pearson's r; p from the distribution of r under normality; 1 if n = 2. */
struct correlation correlate_pearson(const double *x, const double *y,
                                     size_t n);

/* Pearson's r of the ranks, ties sharing theirs; p from Student's t with n - 2
 * degrees; NAN if n = 2. */
struct correlation correlate_spearman(const double *x, const double *y,
                                      size_t n);

/* Kendall's tau-b; p exact without ties up to n = 33, else normal.  O(n^2). */
struct correlation correlate_kendall(const double *x, const double *y,
                                     size_t n);
