/* fit: the exponent of a power law, by GSL. */
#pragma once

#include <stddef.h>

/* Returns the exponent p of the power law y = a x^p through n >= 2 points with
 * positive coordinates, fitted to their logarithms by least squares. */
double fit_exponent(const double *x, const double *y, size_t n);
