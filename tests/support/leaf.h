/* leaf: how a test makes tensors and compares them. */
#pragma once

#include "harness/verify/attention/leaf.h"

/* What rounding may do to a sum of a hundred terms or so. */
#define CLOSE (sizeof(real) == sizeof(double) ? 1e-12 : 1e-5)

/* Makes x positive, of magnitude 0.5 and more, and each column of w (..,e) of
 * one sign, so that no element of relu(x w) is near its kink. */
void leaf_positive(tensor *x);
void leaf_columns(tensor *w);

/* Fails at the first |got - want| > bound (1 + |want|), which NaN is. */
void assert_near(const char *what, const real *got, const double *want,
                 size_t n, double bound);
void assert_reals(const char *what, const real *got, const real *want,
                  size_t n, double bound);
/* Fails at the first bits that differ. */
void assert_bits(const char *what, const real *got, const real *want,
                 size_t n);
