/*
 * bootstrap: how far a number would move with another sample, from samples
 * drawn with replacement out of the one there is.  The draws depend on
 * (seed, n) alone.  Intervals are two-sided, 95 %.
 */
#pragma once

#include "harness/stats/stats.h"

#include <stdint.h>

enum {
    BOOTSTRAP_RESAMPLES = 10000,
    BOOTSTRAP_LEAST = 8 /* values that the BCa interval needs */
};

/* Over examples: so many times, drawn[0 .. n-1] are n of 0 .. n-1.  What is
 * computed of several systems in `each` has seen the same draws, so that a
 * difference of two is paired; more resamples begin with those of fewer. */
void bootstrap_draw(size_t resamples, size_t n, uint64_t seed,
                    void (*each)(void *arg, size_t r, const uint32_t *drawn),
                    void *arg);

/* Over few values, of their mean: bias-corrected and accelerated; unknown if
 * n < BOOTSTRAP_LEAST or a value is not finite. */
struct interval bootstrap_bca(const double *x, size_t n, uint64_t seed);

/* The BCa bootstrap from BOOTSTRAP_LEAST values on, else Student's t, else
 * unknown. */
struct interval bootstrap_interval(const double *x, size_t n, uint64_t seed);
