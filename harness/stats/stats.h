/*
 * stats: what one sample says.  Intervals are two-sided, 95 %.
 */
#pragma once

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

int stats_order(const void *a, const void *b); /* of double, rising; qsort */

/* rank[i]: 1 for the least x; equal values share the mean of their ranks. */
void stats_ranks(double *rank, const double *x, size_t n);

/* The 0.975 quantile of Student's t; any number of degrees above 0. */
double stats_t_quantile(double degrees);

/* Of Student's t: P(|T| >= |t|), and the quantile q, to eight digits. */
double stats_t_p(double t, double degrees);
double stats_t_at(double q, double degrees);

/* mean -+ t sd / sqrt(n), Student's t with n - 1 degrees; unknown if n < 2. */
struct interval stats_t_interval(const double *x, size_t n);

/* Of the difference of two means, x - y, by Welch (1947): t sd of it, with the
 * degrees of Satterthwaite; unknown if n < 2 or nothing spreads. */
struct stats_sample { double mean, sd, n; };
struct interval stats_welch(struct stats_sample x, struct stats_sample y);

/* The 2.5 % and 97.5 % quantiles, linear between order statistics; reorders
 * x. */
struct interval stats_percentiles(double *x, size_t n);

/* Unknown where it has no width: samples that are all alike (every answer
 * right) tell no spread, and not that there is none. */
struct interval stats_spread(struct interval of);

/* The quantile p in [0,1], linear between order statistics; reorders x. */
double stats_quantile(double *x, size_t n, double p);

/* P values of n tests that are read together; an adjusted p below the level
 * rejects its hypothesis.  Bounds the chance of any false rejection (Holm,
 * 1979).  `out` and `p` may be the same memory. */
void stats_holm(double *out, const double *p, size_t n);

/* The chance, at most, that a new value is `ratio` >= 1 times the largest of n
 * others of its law, all of them at least 0: E F(max)^ratio = prod_i i / (i +
 * ratio), F the survival function.  At 1 it is 1 / (n + 1), whatever the law;
 * beyond, of laws whose failure rate rises on average, F(r x) <= F(x)^r, as do
 * |normal|, the exponential and the greatest of such (Barlow, Proschan,
 * Statistical Theory of Reliability, 1975). */
double stats_beyond(double ratio, int n);

/* The chance that at least k of r new values are above all n others, whatever
 * their law: prod_i (r - i) / (n + r - i), i < k. */
double stats_above(int k, int r, int n);

/* How far apart two samples are that share nothing: */

/* (mean a - mean b) / pooled sd; g: without the bias of small samples.  NAN: a
 * sample has fewer than two values, or nothing varies. */
double stats_cohen_d(const double *a, size_t na, const double *b, size_t nb);
double stats_hedges_g(const double *a, size_t na, const double *b,
                         size_t nb);

/* P(a > b) - P(a < b), in [-1,1]; and P(a > b) + P(a = b) / 2, in [0,1]. */
double stats_cliff_delta(const double *a, size_t na, const double *b,
                            size_t nb);
double stats_a12(const double *a, size_t na, const double *b, size_t nb);
