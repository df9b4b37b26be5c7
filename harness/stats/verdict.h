/*
 * verdict: decides whether result A is better than result B.  The command
 * `compare`, the stars in tables and all other decisions use this one rule.
 *
 * A difference A - B is described by typical values t(1) <= ... <= t(R), which
 * divide the real line into R + 1 intervals: each contains the true difference
 * with the same probability (Hartigan, "Using subsample values as typical
 * values", JASA 1969).  If the sample consists of seeds, stats/permutation.h
 * computes typical values exactly.  If it consists of test examples, the
 * differences in R resamples are approximately typical values (paired
 * bootstrap: Efron, 1979; Koehn, EMNLP 2004).  If both seeds and examples are
 * samples, t(r) is the quantile r / (R + 1) of the mean in stats/two_way.h.  In
 * a family of m tests,
 *
 *   c         the number of t <= 0 or the number of t >= 0, whichever is less
 *   p         min(1, m 2 (c + 1) / (R + 1))
 *   k         the greatest whole number with m 2 k / (R + 1) < 0.05
 *   interval  t(k) to t(R + 1 - k), level 1 - 0.05 / m; unknown if k = 0
 *   verdict   A and B differ significantly if c + 1 <= k
 *
 * So p < 0.05, an interval without 0 and a verdict of "better" or "worse" are
 * equivalent: all follow from the whole numbers c and k.
 *
 * A family is a set of tests that readers interpret together, such as those of
 * one table column.  Multiplying p by m and using intervals of level 1 - 0.05 /
 * m is Bonferroni's rule.  All m intervals hold simultaneously with 95 %
 * confidence, so with 95 % confidence none of the m verdicts is false.  Holm's
 * rule detects slightly more differences, but no simultaneous intervals agree
 * with its verdicts, so it is not used.  Measures that rise and fall together
 * on the same cells (ce, ppl, ppl_word) are one test and share a verdict.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/stats/two_way.h"

struct verdict {
    int             sign;    /* of A - B: +1 or -1; 0: undecided    */
    double          p;       /* adjusted for m tests; NAN: unknown  */
    double          alone;   /* p without the adjustment            */
    struct interval between; /* interval adjusted for m tests       */
};

extern const struct verdict verdict_unknown;

/* Describes a difference by its typical values: t[0 .. n-1] or, if n is 0, the
 * quantiles of `crossed`.  {0} means that nothing is known. */
struct known {
    size_t         n;
    double        *t;
    struct two_way crossed;
};
void known_close(struct known *k);
OWNER_OF_VALUE(known_close, struct known)

/* Returns the number of typical values, or 0 if nothing is known. */
size_t known_values(const struct known *k);

/* Returns the verdict in a family of m tests, and sorts k->t.  The verdict is
 * unknown if nothing is known or a value is not finite.  If p is known and the
 * interval is unknown, there are too few seeds: no whole number k of the rule
 * above is positive, or the verdict is undecided and two_way_too_few returns
 * 1. */
struct verdict verdict_of(struct known *k, size_t m);

/* Returns the verdict on a mean difference d with standard error `error`, by
 * Student's t with `degrees` degrees of freedom, in a family of m tests.  p is
 * below 0.05 if and only if 0 is outside the interval; only then is `sign` not
 * 0.  The verdict is unknown if d or `error` is not finite, or if one of them
 * is not 0 and `degrees` is below 1. */
struct verdict verdict_t(double d, double error, double degrees, size_t m);

/* Returns the verdict on a measure that rises and falls with the measure of `v`
 * and shares its verdict.  `own` is the verdict on the values of the measure
 * itself; the result has the interval of `own`, or an unknown interval if the
 * two verdicts differ. */
struct verdict verdict_shared(const struct verdict *v,
                              const struct verdict *own);

/* verdict_possible returns 1 if n typical values are enough to decide one of m
 * tests; verdict_floor returns the least adjusted p that n typical values can
 * yield. */
int    verdict_possible(size_t n, size_t m);
double verdict_floor(size_t n, size_t m);

/* Returns the probability beyond either end of the interval that verdict_of
 * returns for `known.crossed` in a family of m tests. */
double verdict_tail(size_t m);

/* Returns "better", "worse" or "undecided".  The argument `better` is +1 if a
 * higher value is better, else -1. */
const char *verdict_word(const struct verdict *v, int better);

/* Formats p with two digits, or with more if rounding would change whether p is
 * below 0.05. */
const char *verdict_p(double p, char out[24]);

/* Formats x, a bound of an interval, with its sign and `decimals` decimals.  If
 * x is not 0 but would be rounded to 0, it is printed with one significant
 * digit instead, so that an interval that excludes 0 is printed as such. */
const char *verdict_bound(double x, int decimals, char out[32]);
