/*
 * stats: what one sample says.  Intervals are two-sided, 95 %.
 */
#ifndef STATS_STATS_H
#define STATS_STATS_H

#include <stddef.h>

/* A p value below this is significant. */
#define STATS_LEVEL 0.05

void stats_library(char out[32]); /* "gsl 2.7.1" */

struct interval { double low, high; }; /* NAN, NAN: unknown */

double stats_mean(const double *x, size_t n); /* NAN if n = 0 */
double stats_sd(const double *x, size_t n);   /* n - 1 below; NAN if n < 2 */

/* The mean without the n / 4 least and the n / 4 greatest values, rounded down
 * (as scipy.stats.trim_mean(x, 0.25)); NAN if n = 0. */
double stats_interquartile_mean(const double *x, size_t n);

/* rank[i]: 1 for the least x; equal values share the mean of their ranks. */
void stats_ranks(double *rank, const double *x, size_t n);

/* The 0.975 quantile of Student's t; any number of degrees above 0. */
double stats_t_quantile(double degrees);

/* mean -+ t sd / sqrt(n), Student's t with n - 1 degrees; unknown if n < 2. */
struct interval stats_t_interval(const double *x, size_t n);

/* The 2.5 % and 97.5 % quantiles, linear between order statistics; reorders
 * x. */
struct interval stats_percentiles(double *x, size_t n);

/* The quantile p in [0,1], linear between order statistics; reorders x. */
double stats_quantile(double *x, size_t n, double p);

#endif
