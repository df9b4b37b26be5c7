/*
 * change_point: detects the commits at which a series of noisy values, one per
 * commit, changes its distribution.  The history of results calls it.
 *
 * The method is E-divisive means (Matteson and James, "A nonparametric approach
 * for multiple change point analysis of multivariate data", J. Am. Stat. Assoc.
 * 109, 2014) with alpha = 1.  It assumes neither a distribution nor a number of
 * changes.  The difference between two neighbouring stretches X, of m values,
 * and Y, of n values, is measured by
 *
 *     E = 2 / (m n) sum |x - y| - 2 / (m (m - 1)) sum |x - x'|
 *                               - 2 / (n (n - 1)) sum |y - y'|
 *     Q = m n / (m + n) E
 *
 * over pairs (energy distance, Szekely and Rizzo).  X begins with the segment.
 * The candidate change of a segment is where Q is greatest, over all ends of X
 * and all ends of Y, so that a later change does not hide an earlier one.  X
 * and Y have at least CHANGE_LEAST values each.  The candidate is accepted if
 * its p is at most `level`, where p compares its Q with the greatest Q of the
 * segment's values in random order.  Then the two sides of the change are
 * searched in the same way.  If nothing changes and the order of the values is
 * random, a series shows a change with a probability of at most `level`.  Noise
 * that drifts does not have this property.
 *
 * p = (1 + orders with at least as great a Q) / (1 + CHANGE_ORDERS).  The
 * orders are drawn from the seed, so p is the same on every machine.  Time is
 * quadratic in n for each order; if nothing changes, few orders are drawn.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The level that histories use.  With fewer than CHANGE_SOONEST values, even a
 * clear change may not reach it. */
#define CHANGE_LEVEL 0.001

enum {
    CHANGE_LEAST = 3, CHANGE_ORDERS = 999, CHANGE_SOONEST = 18,
    CHANGE_MOST = 500
};

struct change_point {
    size_t at;            /* index of the first value after the change       */
    double before, after; /* medians of the stretches on its two sides, up to
                             the next changes                                */
    double p;
};

/* Writes the changes of x (n) to `out`, in increasing order, and returns their
 * number.  `out` must have room for n / CHANGE_LEAST.  All values must be
 * finite.  If n > CHANGE_MOST, only the last CHANGE_MOST values are
 * examined. */
size_t change_points(struct change_point *out, const double *x, size_t n,
                     double level, uint64_t seed);

/* Returns the greatest Q of x (n) and writes the end of its X to *at, or
 * returns NAN if n < 2 CHANGE_LEAST. */
double change_point_greatest(size_t *at, const double *x, size_t n);
