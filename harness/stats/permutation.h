/*
 * permutation: typical values of a difference (stats/verdict.h) between two
 * variants that were trained several times.
 *
 *   paired     n seeds that both have, d(i) = a(i) - b(i): the means of all
 *              2^n - 1 non-empty subsets.  H0: d - difference is as likely with
 *              either sign.  What the permutation of signs does not refuse is
 *              what lies between these means (Hartigan, 1969).  From 17 seeds
 *              on: of 2^16 - 1 subsets, a subgroup of them, which is as exact
 *   others     no seed in common: mean of k of a less mean of k of b, for all
 *              choices of as many k >= 1 of each, C(na + nb, na) - 1 of them.
 *              H0: a is b, moved.  What the permutation of the two names does
 *              not refuse lies between them (Pitman, 1937).  If they are more
 *              than PERMUTATION_MOST, so many of them are drawn
 *
 * A value that rounding alone tells from 0 is 0.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { PERMUTATION_MOST = 65535 };

/* How many there are; and they, into t. */
size_t permutation_pairs(size_t n);
size_t permutation_others(size_t na, size_t nb);
void permutation_of_pairs(double *t, const double *d, size_t n, uint64_t seed);
void permutation_of_others(double *t, const double *a, size_t na,
                           const double *b, size_t nb, uint64_t seed);

/* Seeds missing (of each) until m tests can be decided; 0: there are enough. */
size_t permutation_more_pairs(size_t n, size_t m);
size_t permutation_more_others(size_t na, size_t nb, size_t m);

/* x, or 0 where it is nothing beside `size`, what it is a difference of. */
double permutation_clean(double x, double size);
