/*
 * bootstrap: resamples values with replacement, to estimate how much a
 * statistic would vary with another sample.  Reports call bootstrap_draw to
 * resample test examples, and bootstrap_interval for the mean over seeds.  The
 * draws depend only on `seed` and `n`.  Intervals are two-sided, 95 %.
 */
#pragma once

#include "harness/stats/stats.h"

#include <stdint.h>

enum {
    BOOTSTRAP_RESAMPLES = 10000,
    BOOTSTRAP_LEAST = 8 /* minimum number of values of bootstrap_bca */
};

/* Resamples n test examples with replacement: for each resample r = 0 ..
 * `resamples` - 1, calls `each` with an array `drawn` of n indices, each drawn
 * from 0 .. n-1.  If `each` computes the statistics of several systems from the
 * same array, the systems are compared on the same resample (paired).  Resample
 * r does not depend on `resamples`.  Requires 0 < n < UINT32_MAX. */
void bootstrap_draw(size_t resamples, size_t n, uint64_t seed,
                    void (*each)(void *arg, size_t r, const uint32_t *drawn),
                    void *arg);

/* Returns the bias-corrected and accelerated (BCa) interval of the mean
 * of x (n), or an unknown interval if n < BOOTSTRAP_LEAST or a value is not
 * finite. */
struct interval bootstrap_bca(const double *x, size_t n, uint64_t seed);

/* Returns the BCa interval of the mean if n >= BOOTSTRAP_LEAST, else Student's
 * t interval (unknown if n < 2). */
struct interval bootstrap_interval(const double *x, size_t n, uint64_t seed);
