/*
 * two_way: the mean of a score over seeds, where both the seeds and the n test
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
 * The interval of level 1 - 2 q reaches from the mean
 *
 *     sqrt(sum over the parts of variance t(q, degrees)^2)
 *
 * to either side (Banerjee, Sankhya 22, 1960).  With normal scores, of parts
 * that are independent multiples of chi squared, it misses with a probability
 * of at most 2 q, at every level and for every share of the parts: P(Z^2 < x)
 * is concave in x, so that P(Z^2 < sum of w f) >= sum of w P(Z^2 < f).  If one
 * part is all there is, it is Student's interval, and exact; else it is wide.
 * `synthbench verify statistics` prints how often it holds.
 *
 * Two other rules do not keep the level.  t weighted by the variances (Cochran
 * and Cox, 1950) misses up to 5.4 times as often as it says for 2 seeds and a
 * family of 46 tests, and 2 times for 3 seeds.  Satterthwaite's degrees give
 * 87 % instead of 95 % if two seeds have nine tenths of the variance.  The
 * pigeonhole bootstrap (Owen, 2007) sees half the variance of two seeds.
 */
#pragma once

#include "harness/stats/stats.h"

enum { TWO_WAY_PARTS = 3 };

struct two_way {
    double mean;
    double unseen; /* variance of the examples that could be there, unseen
                      (95 %), if B - E is below 0 and so counts as 0; else 0 */
    int    parts; /* 0: nothing is known */
    struct two_way_part { double variance, degrees; } part[TWO_WAY_PARTS];
};

struct two_way_sample {
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
struct two_way two_way_of(const struct two_way_sample *a,
                          const struct two_way_sample *b);

double two_way_error(const struct two_way *c); /* sqrt of the parts' sum */

/* Half the width of the interval of level 1 - 2 `tail`, tail < 1/2. */
double two_way_reach(const struct two_way *c, double tail);

/* Returns true if that interval holds nothing: it is at least ten times as wide
 * as with the same variances and any number of seeds, so that its width is due
 * to the number of seeds and not to what they vary.  Of two seeds this is so
 * for a family of two tests or more, unless the examples have most of the
 * variance; of three, for more than 50 tests. */
int two_way_too_few(const struct two_way *c, double tail);

struct interval two_way_interval(const struct two_way *c); /* 95 % */
