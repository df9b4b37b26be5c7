/*
 * two_way: the mean of a score over seeds, where both the seeds and the n test
 * examples that determine each score are samples; and the difference of two
 * such means.
 *
 *     x(s,i) = mu + a(s) + b(i) + e(s,i)       S seeds, n examples
 *
 * A score that is not a mean over examples is treated as the mean of its
 * jackknife pseudo-values (Tukey, 1958).  All that is needed of example i is
 * the change of the score of seed s without it,
 *
 *     u(s,i) = sqrt((n - 1) / n) (score(s) without i - their mean over i),
 *
 * whose squares add up to the variance of score(s) that is due to the examples.
 * With v(i), the mean of u(s,i) over the seeds,
 *
 *     A = sum (score(s) - mean)^2 / (S (S - 1))   for (var a + var e / n) / S
 *     B = sum v(i)^2                              for (var b + var e / S) / n
 *     E = (mean over s of sum u(s,i)^2 - B) / (S - 1)       for var e / (S n)
 *
 * have the expectations on the right (Efron and Stein, 1981; for a mean these
 * are the components of the two-way analysis of variance).  The variance of the
 * mean over seeds has two parts:
 *
 *     seeds     A, with S - 1 degrees of freedom,
 *     examples  max(B - E, 0) + max(E - A, 0), with n - 1 degrees of freedom
 *
 * The interval of level 1 - 2 q extends from the mean by
 *
 *     sqrt(sum over the parts of variance t(q, degrees)^2)
 *
 * to either side (Banerjee, Sankhya 22, 1960).  For normal scores whose parts
 * are independent multiples of chi squared, it misses with a probability of at
 * most 2 q, at every level and for every share of the parts: P(Z^2 < x) is
 * concave in x, so that P(Z^2 < sum of w f) >= sum of w P(Z^2 < f).  If one
 * part has all the variance, it is Student's interval and exact; else it is
 * conservative.  `synthbench verify statistics` prints its coverage.
 *
 * Two other rules do not keep the level.  t weighted by the variances (Cochran
 * and Cox, 1950) misses up to 5.4 times as often as nominal for 2 seeds and a
 * family of 46 tests, and 2 times for 3 seeds.  Satterthwaite's degrees of
 * freedom cover 87 % instead of 95 % if two seeds have nine tenths of the
 * variance.  The pigeonhole bootstrap (Owen, 2007) sees half the variance of
 * two seeds.
 */
#pragma once

#include "harness/stats/stats.h"

enum { TWO_WAY_PARTS = 3 };

struct two_way {
    double mean;
    /* The variance of the examples that could be hidden (95 %), if B - E is
     * negative and so counts as 0; else 0. */
    double unseen;
    int    parts; /* 0: unknown */
    struct two_way_part { double variance, degrees; } part[TWO_WAY_PARTS];
};

struct two_way_sample {
    size_t               seeds, n;
    const double        *score; /* [seeds]                                    */
    const double *const *moves; /* u, [seeds] of [n] each; n = 0: the score is
                                   not a function of examples, or there are
                                   none                                       */
};

/* Analyses the mean of a or, if b is not NULL, the difference of the means,
 * a - b, over the same n examples and over seeds that the two do not share.
 * (For shared seeds the caller passes the differences as a.)  The parts are
 * that of the seeds, one for each side, then that of the examples.  The result
 * is unknown (parts = 0) with fewer than 2 seeds or if a number is not
 * finite. */
struct two_way two_way_of(const struct two_way_sample *a,
                          const struct two_way_sample *b);

/* Returns the standard error: sqrt of the sum of the parts. */
double two_way_error(const struct two_way *c);

/* Returns half the width of the interval of level 1 - 2 `tail`, tail < 1/2. */
double two_way_reach(const struct two_way *c, double tail);

/* Returns 1 if that interval is uninformative: at least ten times as wide as
 * with the same variances and any number of seeds, so that its width is due to
 * the number of seeds and not to their variance.  With two seeds this is so for
 * a family of two tests or more, unless most of the variance is due to the
 * examples; with three, for more than 50 tests. */
int two_way_too_few(const struct two_way *c, double tail);

struct interval two_way_interval(const struct two_way *c); /* 95 % */
