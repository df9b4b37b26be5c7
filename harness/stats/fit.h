/* fit: the exponent of a power law (by GSL), and interpolation between
 * points. */
#pragma once

#include <stddef.h>

/* Returns the exponent p of the power law y = a x^p through n >= 2 points with
 * positive coordinates, fitted to their logarithms by least squares. */
double fit_exponent(const double *x, const double *y, size_t n);

/* Both functions interpolate linearly between points and skip points with a
 * NAN.  fit_at returns y at x = `at`, or NAN if `at` is not between two points.
 * fit_crossing takes two curves with the values a[i] and b[i] at x[i], and
 * returns the first x at which their difference changes sign or reaches 0, or
 * NAN if there is none. */
double fit_at(const double *x, const double *y, size_t n, double at);
double fit_crossing(const double *x, const double *a, const double *b,
                    size_t n);
