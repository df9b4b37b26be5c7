/* fit: laws through measured points, by least squares (GSL). */
#pragma once

#include "harness/stats/stats.h"

/* y = a x^p, fitted in logarithms; error: of p, one standard deviation;
 * between: the 95 % interval of p, Student's t with n - 2 degrees; both unknown
 * where n < 3.  x, y > 0, n >= 2. */
struct power { double a, p, error; struct interval between; };

struct power fit_power(const double *x, const double *y, size_t n);

/* Whether an exponent of times is too noisy to be told: its interval reaches
 * more than FIT_SLACK further from it than that of the work's exponent does
 * from that.  The work is counted without noise; its interval says how far the
 * law is from a power.  Also where there is no interval. */
#define FIT_SLACK 0.15
int fit_noisy(const struct power *time, const struct power *work);
