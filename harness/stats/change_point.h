/*
 * change_point: detects the commits at which a series of noisy values, one per
 * commit, changes its distribution.  The module `harness/history` calls
 * change_points.
 *
 * The method is E-divisive means (Matteson and James, "A nonparametric approach
 * for multiple change point analysis of multivariate data", J. Am. Stat. Assoc.
 * 109, 2014) with alpha = 1.  It assumes neither a distribution nor a number of
 * changes.  The difference between two neighbouring stretches of the series, X
 * of m values and Y of n values, is measured by Q:
 *
 *     E = 2 / (m n) sum |x - y| - 2 / (m (m - 1)) sum |x - x'|
 *                               - 2 / (n (n - 1)) sum |y - y'|
 *     Q = m n / (m + n) E
 *
 * where x and x' are values of X, y and y' values of Y, and each sum is over
 * all pairs of values (E: energy distance, Szekely and Rizzo).  Initially, the
 * whole series is one segment.  In each segment, X begins at the beginning of
 * the segment, Y begins directly after X, and both have at least CHANGE_LEAST
 * values.  Q is computed for all ends of X and all ends of Y, so that a later
 * change does not hide an earlier one.  The end of X with the greatest Q is a
 * candidate.  If its p is at most `level`, the candidate is accepted and the
 * segments before and after it are searched in the same way.
 *
 * p = (1 + number of orders with at least as great a Q) / (1 + CHANGE_ORDERS),
 * where CHANGE_ORDERS random orders of the segment's values are drawn and the
 * greatest Q of each order is computed.  If nothing changes and the order of
 * the values is random, the probability that any change is detected in a series
 * is at most `level`; this is not so if the noise drifts.  The orders depend
 * only on the seed, so p is the same on every machine.  Each order takes time
 * quadratic in the number of values.  Drawing stops as soon as p must exceed
 * `level`, so few orders are drawn if nothing changes.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The `level` that histories use.  With fewer than CHANGE_SOONEST values, p can
 * exceed this level even if a change is clear. */
#define CHANGE_LEVEL 0.001

enum {
    CHANGE_LEAST = 3, CHANGE_ORDERS = 999, CHANGE_SOONEST = 18,
    CHANGE_MOST = 500
};

struct change_point {
    size_t at;            /* index of the first value after the change       */
    double before, after; /* median of the values between the previous change
                             and this one, and between this one and the next */
    double p;
};

/* Writes the changes of x (n) to `out`, in increasing order of `at`, and
 * returns their number.  `out` must have room for n / CHANGE_LEAST changes.
 * All values must be finite.  If n > CHANGE_MOST, only the last CHANGE_MOST
 * values are examined. */
size_t change_points(struct change_point *out, const double *x, size_t n,
                     double level, uint64_t seed);

/* Returns the greatest Q of x (n) and sets *at to the index after the last
 * value of its X, or returns NAN if n < 2 * CHANGE_LEAST. */
double change_point_greatest(size_t *at, const double *x, size_t n);
