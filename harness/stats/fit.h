/* fit: fits power laws to measured points by least squares (GSL), and
 * interpolates between points. */
#pragma once

#include "harness/stats/stats.h"

/* The power law y = a x^p, fitted in logarithms.  `error` is the standard error
 * of p, `between` its 95 % interval by Student's t with n - 2 degrees of
 * freedom; both are unknown if n < 3. */
struct power { double a, p, error; struct interval between; };

struct power fit_power(const double *x, const double *y, size_t n);

/* Compares `time`, the power law of measured times, with `work`, the power law
 * of the counted operations.  Returns 1 if the exponent of `time` is too
 * uncertain to report: the half width of time->between is unknown or exceeds
 * that of work->between by more than FIT_SLACK.  Operations are counted without
 * noise, so work->between only shows how much they depart from a power law. */
#define FIT_SLACK 0.15
int fit_vague(const struct power *time, const struct power *work);

/* Returns 1 if the exponent of `law` is uncertain because the points do not
 * follow a power law, and not because of noise: for some i, ln y[i] differs
 * from the logarithm of the law at x[i] by more than doubt[i]. */
int fit_bends(const struct power *law, const double *x, const double *y,
              const double *doubt, size_t n);

/* Computes the power law through each two neighbouring points, and returns the
 * least and the greatest of their exponents.  Requires n >= 2. */
struct interval fit_local(const double *x, const double *y, size_t n);

/* Both functions interpolate linearly between points and skip points with a
 * NAN.  fit_at returns y at x = `at`, or NAN if `at` is not between two points.
 * fit_crossing takes two curves with the values a[i] and b[i] at x[i], and
 * returns the first x at which their difference changes sign or reaches 0, or
 * NAN if there is none. */
double fit_at(const double *x, const double *y, size_t n, double at);
double fit_crossing(const double *x, const double *a, const double *b,
                    size_t n);
