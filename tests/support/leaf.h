/* leaf: creates and compares tensors in tests. */
#pragma once

#include "harness/verify/attention/leaf.h"

/* The bound on the rounding error of a sum of about a hundred terms. */
#define CLOSE (sizeof(real) == sizeof(double) ? 1e-12 : 1e-5)

/* leaf_positive makes x positive, at least 0.5. leaf_columns gives each column
 * of w (..,e) a single sign. Then no element of relu(x w) is near its kink. */
void leaf_positive(tensor *x);
void leaf_columns(tensor *w);

/* assert_near and assert_reals fail at the first element for which |got - want|
 * exceeds bound (1 + |want|), or which is NaN. */
void assert_near(const char *what, const real *got, const double *want,
                 size_t n, double bound);
void assert_reals(const char *what, const real *got, const real *want,
                  size_t n, double bound);
/* Fails at the first element that is not bit-identical. */
void assert_bits(const char *what, const real *got, const real *want,
                 size_t n);
