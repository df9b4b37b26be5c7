/*
 * two_way: computes a confidence interval of the mean of a score over S seeds,
 * or of the difference of two such means, where both the seeds and the n test
 * examples are samples.  stats/verdict.h and stats/design.h use it.
 *
 * The model of the score x(s,i) of example i with seed s is
 *
 *     x(s,i) = mu + a(s) + b(i) + e(s,i)
 *
 * where a, b and e are random effects of the seed, of the example, and of the
 * combination of both.  score(s) is the mean of x(s,i) over i.  A score that is
 * not a mean over examples is treated as the mean of its jackknife
 * pseudo-values (Tukey, 1958).  The only property of example i that is needed
 * is how score(s) changes without it,
 *
 *     u(s,i) = sqrt((n - 1) / n) (r(s,i) - mean of r(s,i) over i),
 *
 * where r(s,i) is score(s) computed without example i.  The sum of u(s,i)^2
 * over i is the variance of score(s) due to the examples.  With v(i) the mean
 * of u(s,i) over the seeds, the following have the expectations on the right:
 *
 *     A = sum (score(s) - mean)^2 / (S (S - 1))       (var a + var e / n) / S
 *     B = sum v(i)^2                                  (var b + var e / S) / n
 *     E = (mean over s of sum u(s,i)^2 - B) / (S - 1)         var e / (S n)
 *
 * (Efron and Stein, 1981; for a mean these are the components of the two-way
 * analysis of variance).  The variance of the mean over seeds has two parts:
 *
 *     seeds     A, with S - 1 degrees of freedom,
 *     examples  max(B - E, 0) + max(E - A, 0), with n - 1 degrees of freedom
 *
 * The interval of level 1 - 2 q extends on either side of the mean by
 *
 *     sqrt(sum over the parts of variance * t(q, degrees)^2)
 *
 * (Banerjee, Sankhya 22, 1960), where t(q, degrees) is the quantile q of
 * Student's t.  If the scores are normal and the parts are independent
 * multiples of chi squared, the interval misses the true mean with a
 * probability of at most 2 q, whatever the shares of the parts.  This follows
 * because P(Z^2 < x), for Z standard normal, is a concave function of x.  If
 * one part has all the variance, the interval is Student's and exact; else it
 * is conservative.  `synthbench verify statistics` prints its coverage.
 *
 * Other methods do not keep the level.  Student's t weighted by the variances
 * (Cochran and Cox, 1950) misses up to 5.4 times as often as nominal with 2
 * seeds and a family of 46 tests, and 2 times with 3 seeds.  Satterthwaite's
 * degrees of freedom cover 87 % instead of 95 % if there are two seeds and the
 * seeds have nine tenths of the variance.  With two seeds, the pigeonhole
 * bootstrap (Owen, 2007) finds only half of the variance due to the seeds.
 */
#pragma once

#include "harness/stats/stats.h"

enum { TWO_WAY_PARTS = 3 };

struct two_way {
    double mean;
    /* If B - E is negative and therefore counts as 0: an upper bound (95 %) of
     * the variance due to the examples; else 0. */
    double unseen;
    int    parts; /* number of parts; 0: all is unknown */
    struct two_way_part { double variance, degrees; } part[TWO_WAY_PARTS];
};

struct two_way_sample {
    size_t               seeds, n;
    const double        *score; /* [seeds] */
    /* influence[s][i] is u(s,i).  n = 0: there are no examples, or the score is
     * not a function of examples. */
    const double *const *influence;
};

/* Analyses the mean of `a` or, if `b` is not NULL, the mean of `a` minus the
 * mean of `b`, where both have the same n examples and no seeds in common.  (If
 * they have the same seeds, the caller passes the differences as `a`.)  The
 * parts of the result are the variances due to the seeds of `a`, the seeds of
 * `b` (unless it is NULL) and the examples.  If there are fewer than 2 seeds or
 * a number is not finite, the result is unknown (parts = 0). */
struct two_way two_way_of(const struct two_way_sample *a,
                          const struct two_way_sample *b);

/* Returns the standard error: the square root of the sum of the variances. */
double two_way_error(const struct two_way *c);

/* Returns half the width of the interval of level 1 - 2 `tail`, where `tail` is
 * below 1/2. */
double two_way_reach(const struct two_way *c, double tail);

/* Returns 1 if the interval of level 1 - 2 `tail` is uninformative: more than
 * ten times as wide as with the same variances and very many seeds.  Its width
 * is then due to the small number of seeds, not to the variances.  With two
 * seeds this is so for a family of two or more tests, unless most of the
 * variance is due to the examples; with three seeds, for more than 50 tests. */
int two_way_too_few(const struct two_way *c, double tail);

struct interval two_way_interval(const struct two_way *c); /* 95 % */
