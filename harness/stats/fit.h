/* fit: power laws through measured points, by least squares (GSL), and
 * interpolation between points. */
#pragma once

#include "harness/stats/stats.h"

/* y = a x^p, fitted in logarithms.  error: one standard deviation of p;
 * between: the 95 % interval of p, Student's t with n - 2 degrees of freedom.
 * Both are unknown if n < 3. */
struct power { double a, p, error; struct interval between; };

struct power fit_power(const double *x, const double *y, size_t n);

/* Returns 1 if the exponent of `time` is too uncertain to report: half the
 * width of its interval exceeds that of the exponent of `work` by more than
 * FIT_SLACK, or is unknown.  The work is counted without noise, so its interval
 * measures how far the law is from a power. */
#define FIT_SLACK 0.15
int fit_vague(const struct power *time, const struct power *work);

/* Returns 1 if an exponent is uncertain because the times do not follow a power
 * law, not because of noise: a point is further from the law, in ln y, than its
 * own doubt[i] allows. */
int fit_bends(const struct power *law, const double *x, const double *y,
              const double *doubt, size_t n);

/* Returns the least and the greatest exponent between neighbouring points.
 * n >= 2. */
struct interval fit_local(const double *x, const double *y, size_t n);

/* Lines that are straight between their points; points whose y is NAN are
 * skipped.  fit_at returns y at x = `at`, or NAN if `at` is not between two
 * points.  fit_crossing returns the first x at which b - a changes its sign or
 * reaches 0, or NAN if there is none. */
double fit_at(const double *x, const double *y, size_t n, double at);
double fit_crossing(const double *x, const double *a, const double *b,
                    size_t n);
