/*
 * stats: statistics of one or two samples, and corrections of p-values.
 * Intervals are two-sided, 95 %.
 */
#pragma once

#include <stddef.h>

/* A p-value below this level is significant. */
#define STATS_LEVEL 0.05

void stats_library(char out[32]); /* "gsl 2.7.1" */

struct interval { double low, high; }; /* NAN, NAN: unknown */

double stats_mean(const double *x, size_t n); /* NAN if n = 0 */
double stats_sd(const double *x, size_t n);   /* over n - 1; NAN if n < 2 */

/* Returns the mean without the n / 4 (rounded down) least and greatest values,
 * as scipy.stats.trim_mean(x, 0.25), or NAN if n = 0. */
double stats_interquartile_mean(const double *x, size_t n);

int stats_order(const void *a, const void *b); /* of doubles; for qsort */

/* Writes the ranks of x (n), 1 for the least; equal values share the mean of
 * their ranks. */
void stats_ranks(double *rank, const double *x, size_t n);

/* Returns the 0.975 quantile of Student's t; degrees: any number above 0. */
double stats_t_quantile(double degrees);

/* stats_t_p returns P(|T| >= |t|) of Student's t; stats_t_at returns the
 * quantile q, to eight digits. */
double stats_t_p(double t, double degrees);
double stats_t_at(double q, double degrees);

/* Returns mean -+ t sd / sqrt(n), where t is Student's with n - 1 degrees of
 * freedom, or an unknown interval if n < 2. */
struct interval stats_t_interval(const double *x, size_t n);

/* Returns Welch's interval (1947) of the difference of two means, x - y, with
 * Satterthwaite's degrees of freedom, or an unknown interval if a sample has
 * n < 2 or both have no variance. */
struct stats_sample { double mean, sd, n; };
struct interval stats_welch(struct stats_sample x, struct stats_sample y);

/* Returns the 2.5 % and 97.5 % quantiles, linear between order statistics.
 * Reorders x. */
struct interval stats_percentiles(double *x, size_t n);

/* Returns the interval, or an unknown one if it has no width: samples whose
 * values are all equal (every answer correct) do not show that there is no
 * spread. */
struct interval stats_spread(struct interval of);

/* Returns the quantile p in [0,1], linear between order statistics, or NAN if
 * n = 0.  Reorders x. */
double stats_quantile(double *x, size_t n, double p);

/* Adjusts the p-values of a family of n tests (Holm, 1979).  An adjusted p
 * below the level rejects its hypothesis; the probability of any false
 * rejection is at most the level.  `out` and `p` may be the same memory. */
void stats_holm(double *out, const double *p, size_t n);

/* Returns an upper bound of the probability that a new value is at least
 * `ratio` >= 1 times the largest of n others, all values nonnegative and from
 * one distribution: E F(max)^ratio = prod_i i / (i + ratio), F the survival
 * function.  With ratio 1 it is 1 / (n + 1) for every distribution.  For larger
 * ratios it holds for distributions whose failure rate increases on average,
 * F(r x) <= F(x)^r, such as |normal|, the exponential and maxima of these
 * (Barlow, Proschan, Statistical Theory of Reliability, 1975). */
double stats_beyond(double ratio, int n);

/* Returns the probability that at least k of r new values exceed all n others,
 * for any distribution: prod_i (r - i) / (n + r - i), i < k. */
double stats_above(int k, int r, int n);

/* Effect sizes of two independent samples: */

/* Cohen's d, (mean a - mean b) / pooled sd, and Hedges' g, which corrects its
 * bias in small samples.  Both return NAN if a sample has fewer than two values
 * or neither varies. */
double stats_cohen_d(const double *a, size_t na, const double *b, size_t nb);
double stats_hedges_g(const double *a, size_t na, const double *b,
                         size_t nb);

/* Cliff's delta, P(a > b) - P(a < b), in [-1,1], and Vargha-Delaney's A12,
 * P(a > b) + P(a = b) / 2, in [0,1]. */
double stats_cliff_delta(const double *a, size_t na, const double *b,
                            size_t nb);
double stats_a12(const double *a, size_t na, const double *b, size_t nb);
