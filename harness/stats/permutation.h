/*
 * permutation: typical values of the difference (stats/verdict.h) between two
 * variants that were trained several times.
 *
 *   paired     n seeds in common, d(i) = a(i) - b(i): the means of all 2^n - 1
 *              non-empty subsets.  H0: d - difference is equally likely with
 *              either sign.  The differences that the sign permutation test
 *              does not reject lie between these means (Hartigan, 1969).  From
 *              17 seeds on, a subgroup of 2^16 - 1 subsets is used, which is as
 *              exact
 *   others     no seed in common: mean of k values of a minus mean of k values
 *              of b, for all choices of k >= 1 of each, C(na + nb, na) - 1 in
 *              all.  H0: a and b differ by a shift.  The shifts that the
 *              permutation of the two names does not reject lie between these
 *              differences (Pitman, 1937).  If there are more than
 *              PERMUTATION_MOST, a random sample of that many is used
 *
 * A value that differs from 0 by rounding alone is set to 0.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { PERMUTATION_MOST = 65535 };

/* permutation_pairs and permutation_others return the number of typical values;
 * the other two write the values to t. */
size_t permutation_pairs(size_t n);
size_t permutation_others(size_t na, size_t nb);
void permutation_of_pairs(double *t, const double *d, size_t n, uint64_t seed);
void permutation_of_others(double *t, const double *a, size_t na,
                           const double *b, size_t nb, uint64_t seed);

/* Returns how many more seeds (of each variant) are needed until m tests can be
 * decided; 0: there are enough. */
size_t permutation_more_pairs(size_t n, size_t m);
size_t permutation_more_others(size_t na, size_t nb, size_t m);

/* Returns x, or 0 if x is rounding noise relative to `size`, the size of the
 * values that were subtracted. */
double permutation_clean(double x, double size);
