/*
 * paired: two systems measured on the same things, so that a difference is
 * taken before chance is asked.  p values are two-sided, H0: no difference.
 */
#ifndef BASE_PAIRED_H
#define BASE_PAIRED_H

#include "harness/base/stats.h"

#include <stdint.h>

/* ---- few pairs: seeds ---- */

/* H0: each difference is as likely with either sign.  The statistic is their
 * mean; exact up to 32 pairs, else of 10,000 draws.  1 if n = 0; NAN where a
 * difference is not finite. */
double paired_permutation(const double *difference, size_t n, uint64_t seed);

double paired_floor(size_t n); /* the least p that n pairs can give */
size_t paired_more(size_t n);  /* pairs missing to go below STATS_LEVEL */

/* ---- many pairs: examples, whose statistics add up to a score's ---- */

struct paired_score {
    size_t      columns;                             /* statistics      */
    double    (*of)(const double *sums, const void *self);
    const void *self;
};

struct paired {
    double          a, b, difference; /* of all examples; a less b        */
    struct interval between;          /* percentiles of the bootstrap's   */
    double          p;                /* 2 min(P(d <= 0), P(d >= 0)), so it
                                         and the interval say the same    */
};

/* a, b (n,columns) row-major, n > 0; both see the same draws.  Where a resample
 * has no finite score, the interval and p are unknown. */
struct paired paired_bootstrap(const double *a, const double *b, size_t n,
                               struct paired_score score, uint64_t seed);

/* p of approximate randomisation: the two outputs of each example change places
 * or not, 10,000 times. */
double paired_randomisation(const double *a, const double *b, size_t n,
                            struct paired_score score, uint64_t seed);

#endif
