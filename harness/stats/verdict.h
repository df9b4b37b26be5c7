/*
 * verdict: decides whether A is better than B.  `compare`, the stars in tables
 * and all other decisions use this one rule.
 *
 * A difference A - B is described by typical values t(1) <= ... <= t(R): the
 * true difference is equally likely to be in each of the R + 1 gaps between
 * them (Hartigan, "Using subsample values as typical values", JASA 1969).  Over
 * seeds stats/permutation.h computes them exactly.  Over test examples they are
 * the differences in R resamples, approximately (paired bootstrap: Efron, 1979;
 * Koehn, EMNLP 2004).  Over seeds and examples they are the quantiles
 * r / (R + 1) of stats/two_way.h.  In a family of m tests,
 *
 *   c         the lesser of #{t <= 0} and #{t >= 0}
 *   p         min(1, m 2 (c + 1) / (R + 1))
 *   k         the greatest whole number with m 2 k / (R + 1) < 0.05
 *   interval  t(k) to t(R + 1 - k), level 1 - 0.05 / m; unknown if k = 0
 *   verdict   A and B differ significantly if c + 1 <= k
 *
 * So p < 0.05, an interval without 0 and a verdict of "better" or "worse" are
 * equivalent, in whole numbers; they cannot contradict each other.
 *
 * A family is the set of tests that are read together.  Multiplying p by m and
 * using intervals of level 1 - 0.05 / m is Bonferroni's rule: all m intervals
 * hold simultaneously with 95 % confidence, so with 95 % confidence none of the
 * m verdicts is false.  Holm's rule detects slightly more, but has no intervals
 * that agree with it and hold simultaneously; this rule prefers the intervals.
 * Measures that rise and fall together on the same cells (ce, ppl, ppl_word)
 * are one test; the others share its verdict.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/stats/two_way.h"

struct verdict {
    int             sign;    /* of A - B: +1, -1; 0: undecided    */
    double          p;       /* adjusted for m tests; NAN: none   */
    double          alone;   /* p without the adjustment          */
    struct interval between; /* adjusted likewise                 */
};

extern const struct verdict verdict_unknown;

/* Describes a difference; all zeros: nothing is known. */
struct known {
    size_t         n;
    double        *t;       /* [n] typical values; if n = 0, the     */
    struct two_way crossed; /* quantiles of this mean are used       */
};
void known_close(struct known *k);
OWNER_OF_VALUE(known_close, struct known)

/* Returns the number of typical values, or 0 if nothing is known. */
size_t known_values(const struct known *k);

/* Returns the verdict in a family of m tests, and sorts k->t.  It is unknown if
 * nothing is known or a value is not finite.  If p is known and the interval is
 * not, there are too few seeds: k = 0, or the verdict is undecided and
 * two_way_too_few. */
struct verdict verdict_of(struct known *k, size_t m);

/* Applies the same rule to a mean d with this standard error, by Student's t: p
 * is below 0.05 exactly if 0 is outside the interval, and then sign is not 0.
 * Unknown if d or error is not finite, or if one of them is not 0 and
 * degrees < 1. */
struct verdict verdict_t(double d, double error, double degrees, size_t m);

/* Returns the verdict of v for a measure that rises and falls with it.  The
 * interval is that of its own verdict, or unknown if the two disagree. */
struct verdict verdict_shared(const struct verdict *v,
                              const struct verdict *own);

/* verdict_possible returns 1 if n typical values can decide any of m tests;
 * verdict_floor returns the least adjusted p that they allow. */
int    verdict_possible(size_t n, size_t m);
double verdict_floor(size_t n, size_t m);

/* Returns "better", "worse" or "undecided"; better: +1 if higher is better,
 * else -1. */
const char *verdict_word(const struct verdict *v, int better);

/* Formats p with two digits, or with as many as it takes to stay on its side of
 * 0.05. */
const char *verdict_p(double p, char out[24]);

/* Formats a bound with its sign and this number of decimals.  A bound that is
 * not 0 but rounds to 0 gets one significant digit instead, so that an interval
 * that excludes 0 is printed as such. */
const char *verdict_bound(double x, int decimals, char out[32]);
