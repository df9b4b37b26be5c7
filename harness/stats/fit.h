/* fit: laws through measured points, by least squares (GSL). */
#pragma once

#include "harness/stats/stats.h"

/* y = a x^p, fitted in logarithms; error: of p, one standard deviation;
 * between: the 95 % interval of p, Student's t with n - 2 degrees; both unknown
 * where n < 3.  x, y > 0, n >= 2. */
struct power { double a, p, error; struct interval between; };

struct power fit_power(const double *x, const double *y, size_t n);

/* Whether an exponent of times is too vague to be told: its interval reaches
 * more than FIT_SLACK further from it than that of the work's exponent does
 * from that.  The work is counted without noise; its interval says how far the
 * law is from a power.  Also where there is no interval. */
#define FIT_SLACK 0.15
int fit_vague(const struct power *time, const struct power *work);

/* Whether it is so because the times follow no power law, not by noise: a point
 * is further from the law, in ln y, than doubt, its own, allows. */
int fit_bends(const struct power *law, const double *x, const double *y,
              const double *doubt, size_t n);

/* The least and the greatest exponent from a point to the next, n >= 2. */
struct interval fit_local(const double *x, const double *y, size_t n);

/* Of lines that are straight between their points; those whose y is NAN do not
 * count.  The y at an x between two of them; the first x where b, which was
 * more than a or less, is no more so.  NAN: there is none. */
double fit_at(const double *x, const double *y, size_t n, double at);
double fit_crossing(const double *x, const double *a, const double *b,
                    size_t n);
