/*
 * bootstrap: resampling with replacement, to estimate how much a number would
 * vary with another sample.  bootstrap_draw resamples test examples for any
 * statistic; the other functions return the interval of a mean over few values.
 * The draws depend on (seed, n) alone.  Intervals are two-sided, 95 %.
 */
#pragma once

#include "harness/stats/stats.h"

#include <stdint.h>

enum {
    BOOTSTRAP_RESAMPLES = 10000,
    BOOTSTRAP_LEAST = 8 /* least number of values for BCa */
};

/* Resamples n test examples: calls `each` once per resample
 * r = 0 .. resamples - 1 with n indices in drawn[0 .. n-1], drawn from
 * 0 .. n-1.  Statistics of several systems that `each` computes from one call
 * share their draws, so their differences are paired.  The draws of fewer
 * resamples are the first draws of more.  0 < n < UINT32_MAX. */
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
