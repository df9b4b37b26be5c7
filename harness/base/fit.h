/* fit: laws through measured points, by least squares (GSL). */
#ifndef BASE_FIT_H
#define BASE_FIT_H

#include <stddef.h>

/* y = a x^p, fitted in logarithms; error: of p, one standard deviation, NAN
 * where n < 3.  x, y > 0, n >= 2. */
struct power { double a, p, error; };

struct power fit_power(const double *x, const double *y, size_t n);

#endif
