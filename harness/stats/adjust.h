/*
 * adjust: p values of n tests that are read together.  An adjusted p below the
 * level rejects its hypothesis.  `out` and `p` may be the same memory.
 */
#ifndef STATS_ADJUST_H
#define STATS_ADJUST_H

#include <stddef.h>

/* Bounds the chance of any false rejection (Holm, 1979). */
void adjust_holm(double *out, const double *p, size_t n);

#endif
