/*
 * change_point: where a series of noisy values, one a commit, begins to be
 * another.
 *
 * E-divisive means (Matteson and James, "A nonparametric approach for multiple
 * change point analysis of multivariate data", J. Am. Stat. Assoc. 109, 2014)
 * with alpha = 1.  It asks neither for a distribution nor for a number of
 * changes.  Two neighbouring stretches X, of m values, and Y, of n, differ by
 *
 *     E = 2 / (m n) sum |x - y| - 2 / (m (m - 1)) sum |x - x'|
 *                               - 2 / (n (n - 1)) sum |y - y'|
 *     Q = m n / (m + n) E
 *
 * over pairs (energy distance, Szekely and Rizzo).  A change of a segment is
 * where Q is greatest, over the end of X, which begins with the segment, and
 * the end of Y, so that a later change does not hide it; X and Y have at least
 * CHANGE_LEAST values.  It counts where its p is at most `level`, of the
 * greatest Q of the segment's values in random order; then the same is asked of
 * what lies on its two sides.  If nothing changes, and values of the commits
 * could as well have come in any order, then a series shows a change with at
 * most that probability: noise that drifts is no such noise.
 *
 * p = (1 + orders with as great a Q) / (1 + CHANGE_ORDERS), of orders drawn
 * from the seed: it is the same wherever it is computed.  Time is quadratic in
 * n for each order, and few are drawn where nothing changes.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The level of histories: told from CHANGE_SOONEST values on, for with fewer
 * no order is so rare. */
#define CHANGE_LEVEL 0.001

enum {
    CHANGE_LEAST = 3, CHANGE_ORDERS = 999, CHANGE_SOONEST = 18,
    CHANGE_MOST = 500
};

struct change_point {
    size_t at;            /* the first of what is new                        */
    double before, after; /* medians of the stretches on its two sides, from
                             change to change                                */
    double p;
};

/* Into out, rising, room for n / CHANGE_LEAST; answers how many.  Finite
 * values; of more than CHANGE_MOST the last ones are looked at. */
size_t change_points(struct change_point *out, const double *x, size_t n,
                     double level, uint64_t seed);

/* The greatest Q, and its X's end; NAN: n < 2 CHANGE_LEAST. */
double change_point_greatest(size_t *at, const double *x, size_t n);
