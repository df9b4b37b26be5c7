/*
 * permutation: computes typical values (stats/verdict.h) of the difference
 * between two variants, a and b, that were trained with several seeds.
 *
 *   paired     The variants were trained with the same n seeds; let d(i) be the
 *              difference a - b with seed i.  The typical values are the means
 *              of d over all 2^n - 1 non-empty sets of seeds.  H0: d(i) minus
 *              the true difference is equally likely to have either sign.  The
 *              differences that the sign permutation test does not reject lie
 *              between typical values (Hartigan, 1969).  From 17 seeds on, a
 *              subgroup of 2^16 - 1 sets is used; the test remains exact
 *   others     The variants have no seed in common.  A typical value is the
 *              mean of k values of a minus the mean of k values of b.  There is
 *              one for every k >= 1 and every choice of the values: with na and
 *              nb seeds, C(na + nb, na) - 1 in total.  H0: the distributions
 *              of a and b differ by a shift.  The shifts that the permutation
 *              test does not reject lie between typical values (Pitman, 1937).
 *              If there are more than PERMUTATION_MOST typical values, a random
 *              sample of this size is used
 *
 * A typical value that differs from 0 only by rounding is set to 0.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { PERMUTATION_MOST = 65535 };

/* permutation_pairs and permutation_others return the number of typical values;
 * permutation_of_pairs and permutation_of_others write them to `t`. */
size_t permutation_pairs(size_t n);
size_t permutation_others(size_t na, size_t nb);
void permutation_of_pairs(double *t, const double *d, size_t n, uint64_t seed);
void permutation_of_others(double *t, const double *a, size_t na,
                           const double *b, size_t nb, uint64_t seed);

/* Both functions return how many more seeds per variant are needed before any
 * of m tests can be decided (verdict_possible), or 0 if there are enough. */
size_t permutation_more_pairs(size_t n, size_t m);
size_t permutation_more_others(size_t na, size_t nb, size_t m);

/* Returns x, the difference of two values of magnitude `size`, or 0 if |x| is
 * at most the rounding error of such a difference. */
double permutation_clean(double x, double size);
