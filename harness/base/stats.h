/*
 * stats: how sure a number is.  Intervals are two-sided, 95 %.
 */
#ifndef BASE_STATS_H
#define BASE_STATS_H

#include <stddef.h>
#include <stdint.h>

enum { STATS_RESAMPLES = 10000 };

struct interval { double low, high; }; /* NAN, NAN: unknown */

double stats_mean(const double *x, size_t n); /* NAN if n = 0 */
double stats_sd(const double *x, size_t n);   /* n - 1 below; NAN if n < 2 */

/* rank[i]: 1 for the least x; equal values share the mean of their ranks. */
void stats_ranks(double *rank, const double *x, size_t n);

/* Pearson's correlation of the ranks; NAN if n < 2 or a side is constant. */
double stats_spearman(const double *x, const double *y, size_t n);

/* mean -+ t sd / sqrt(n), Student's t with n - 1 degrees; unknown if n < 2. */
struct interval stats_t_interval(const double *x, size_t n);

/*
 * The bootstrap over examples.  x (n,columns) row-major holds what was measured
 * of each example; resample r draws n rows with replacement and adds them up:
 * sums (STATS_RESAMPLES,columns).  All columns see the same draws, so a
 * statistic of any of them, such as a difference of two systems, is paired.
 * The draws depend on (seed, n) alone.
 */
void stats_bootstrap(double *sums, const double *x, size_t n, size_t columns,
                     uint64_t seed);

/* The 2.5 % and 97.5 % quantiles, linear between order statistics; sorts x. */
struct interval stats_percentiles(double *x, size_t n);

#endif
