/*
 * crossed: the mean of a score over seeds, where both the seeds and the n test
 * examples behind each score are samples; and a difference of two such means.
 *
 *     x(s,i) = mu + a(s) + b(i) + e(s,i)       S seeds, n examples
 *
 * A score that is no mean over examples is taken for the mean of its jackknife
 * pseudo-values (Tukey, 1958).  All that is needed of example i is how the
 * score of seed s moves without it,
 *
 *     u(s,i) = sqrt((n - 1) / n) (score(s) without i - their mean over i),
 *
 * whose squares add up to the variance that the examples give score(s).  With
 * v(i), the mean of u(s,i) over the seeds,
 *
 *     A = sum (score(s) - mean)^2 / (S (S - 1))   for (var a + var e / n) / S
 *     B = sum v(i)^2                              for (var b + var e / S) / n
 *     E = (mean over s of sum u(s,i)^2 - B) / (S - 1)       for var e / (S n)
 *
 * expect what stands behind them (Efron and Stein, 1981; of a mean these are
 * the components of the two-way analysis of variance), and the variance of the
 * mean over seeds has two parts,
 *
 *     of seeds     A, with S - 1 degrees,
 *     of examples  max(B - E, 0), and what A lacks to E; n - 1 degrees
 *
 * Its quantiles are those of Student's t with either number of degrees, weighed
 * by the parts (Cochran and Cox, Experimental Designs, 1950, 4.14): exact where
 * one part is all there is, else wide (Mickey and Brown, Annals of Mathematical
 * Statistics 37, 1966).  Of 95 % intervals over 2 to 8 seeds and 200 examples,
 * 94.2 to 98.2 % hold the truth, up to 99.5 % where most of the noise is e
 * (2000 samples each; tests/stats/test_crossed.c draws 400).  Satterthwaite's
 * degrees would give 87 % where two seeds have nine tenths of the variance, and
 * the pigeonhole bootstrap (Owen, 2007) sees half the variance of two seeds.
 */
#pragma once

#include "harness/stats/stats.h"

enum { CROSSED_PARTS = 3 };

struct crossed {
    double mean;
    int    parts; /* 0: nothing is known */
    struct crossed_part { double variance, degrees; } part[CROSSED_PARTS];
};

struct crossed_sample {
    size_t               seeds, n;
    const double        *score; /* [seeds]                                    */
    const double *const *moves; /* u, [seeds] of [n] each; n = 0: the examples
                                   do not tell the score, or are none         */
};

/* Of a's mean, or, where b is not NULL, of a's less b's, over the same n
 * examples and seeds that the two do not share (of shared ones the caller gives
 * the differences as a).  The seeds' part is the first, or there is one for
 * each; the examples' the last.  Nothing is known of fewer than 2 seeds, nor
 * where a number is not finite. */
struct crossed crossed_of(const struct crossed_sample *a,
                          const struct crossed_sample *b);

double crossed_error(const struct crossed *c); /* sqrt of the parts' sum */

/* How far from the mean its quantiles `tail` and 1 - `tail` are, tail < 1/2. */
double crossed_reach(const struct crossed *c, double tail);

struct interval crossed_interval(const struct crossed *c); /* 95 % */
