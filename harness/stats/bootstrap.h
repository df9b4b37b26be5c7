/*
 * bootstrap: how far a number would move with another sample, from samples
 * drawn with replacement out of the one there is.  The draws depend on
 * (seed, n) alone.  Intervals are two-sided, 95 %.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/stats/stats.h"

#include <stdint.h>

enum {
    BOOTSTRAP_RESAMPLES = 10000,
    BOOTSTRAP_LEAST = 8 /* values that the BCa interval needs */
};

/* Over examples: BOOTSTRAP_RESAMPLES times, drawn[0 .. n-1] are n of 0 .. n-1.
 * What is computed of several systems in `each` has seen the same draws, so
 * that a difference of two is paired. */
void bootstrap_draw(size_t n, uint64_t seed,
                    void (*each)(void *arg, size_t r, const uint32_t *drawn),
                    void *arg);

/* Over few values, of their mean.  The draws are kept until n changes. */
struct bootstrap;

struct bootstrap *bootstrap_new(uint64_t seed);
void              bootstrap_free(struct bootstrap *b); /* NULL is fine */
OWNER(bootstrap_free, struct bootstrap *)

/* Bias-corrected and accelerated; unknown if n < BOOTSTRAP_LEAST or a value is
 * not finite. */
struct interval bootstrap_bca(struct bootstrap *b, const double *x, size_t n);

/* The BCa bootstrap from BOOTSTRAP_LEAST values on, else Student's t, else
 * unknown; *method, which may be NULL, says which. */
struct interval bootstrap_interval(struct bootstrap *b, const double *x,
                                   size_t n, const char **method);
