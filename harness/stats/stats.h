/*
 * stats: computes statistics, intervals and effect sizes of one or two samples,
 * and corrects p-values.  Intervals are two-sided, 95 %.
 */
#pragma once

#include <stddef.h>

/* A p-value below this level is significant. */
#define STATS_LEVEL 0.05

void stats_library(char out[32]); /* writes, for example, "gsl 2.7.1" */

struct interval { double low, high; }; /* NAN, NAN: unknown */

double stats_mean(const double *x, size_t n); /* NAN if n = 0 */
double stats_sd(const double *x, size_t n);   /* over n - 1; NAN if n < 2 */

/* Returns the mean without the n / 4 (rounded down) least values and as many of
 * the greatest,
 * as scipy.stats.trim_mean(x, 0.25), or NAN if n = 0. */
double stats_interquartile_mean(const double *x, size_t n);

int stats_order(const void *a, const void *b); /* compares doubles for qsort */

/* Writes the ranks of x (n), 1 for the least; equal values share the mean of
 * their ranks. */
void stats_ranks(double *rank, const double *x, size_t n);

/* Returns the 0.975 quantile of Student's t; `degrees`, the degrees of freedom,
 * can be any number above 0. */
double stats_t_quantile(double degrees);

/* For T with Student's t distribution, stats_t_p returns P(|T| >= |t|);
 * stats_t_at returns the quantile of probability q, to eight digits. */
double stats_t_p(double t, double degrees);
double stats_t_at(double q, double degrees);

/* Returns mean -+ t sd / sqrt(n), where t is the 0.975 quantile of Student's t
 * with n - 1 degrees of freedom, or an unknown interval if n < 2. */
struct interval stats_t_interval(const double *x, size_t n);

/* Returns Welch's interval (1947) of the difference of two means, x - y, with
 * Satterthwaite's degrees of freedom, or an unknown interval if a sample has
 * n < 2 or both have no variance. */
struct stats_sample { double mean, sd, n; };
struct interval stats_welch(struct stats_sample x, struct stats_sample y);

/* Returns the 2.5 % and 97.5 % quantiles of x, interpolated as by
 * stats_quantile.  Reorders x. */
struct interval stats_percentiles(double *x, size_t n);

/* Returns the interval `of`, or an unknown interval if its width is 0.  That
 * all values of a sample are equal (for example, every answer is correct) does
 * not show that the population has no spread. */
struct interval stats_spread(struct interval of);

/* Returns the quantile of probability p, in [0,1], interpolated linearly
 * between the sorted values, or NAN if n = 0.  Reorders x. */
double stats_quantile(double *x, size_t n, double p);

/* Adjusts the p-values of a family of n tests (Holm, 1979) and writes them to
 * `out`, which may be `p`.  If every hypothesis whose adjusted p is below a
 * level is rejected, the probability of any false rejection is at most this
 * level. */
void stats_holm(double *out, const double *p, size_t n);

/* ---- effect sizes of two independent samples ---- */

/* stats_cohen_d returns Cohen's d, (mean a - mean b) / pooled sd;
 * stats_hedges_g returns Hedges' g, d corrected for its bias in small samples.
 * Both return NAN if a sample has fewer than two values, or if both are
 * constant. */
double stats_cohen_d(const double *a, size_t na, const double *b, size_t nb);
double stats_hedges_g(const double *a, size_t na, const double *b,
                         size_t nb);

/* stats_cliff_delta returns Cliff's delta, P(a > b) - P(a < b), in [-1,1];
 * stats_a12 returns Vargha-Delaney's A12, P(a > b) + P(a = b) / 2, in [0,1].
 * The probabilities are over pairs of a value of `a` and a value of `b`. */
double stats_cliff_delta(const double *a, size_t na, const double *b,
                            size_t nb);
double stats_a12(const double *a, size_t na, const double *b, size_t nb);
