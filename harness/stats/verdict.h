/*
 * verdict: is A better than B?  The one rule of `compare`, of the stars in
 * tables and of whatever else decides.
 *
 * What is known of the difference A - B is a list of typical values
 * t(1) <= ... <= t(R): the true difference is as likely to lie in each of the
 * R + 1 gaps between them (Hartigan, "Using subsample values as typical
 * values", JASA 1969).  stats/permutation.h makes them of seeds, exactly; of
 * test examples they are the differences in R resamples (paired bootstrap:
 * Efron, 1979; Koehn, EMNLP 2004), nearly; of seeds and examples the quantiles
 * r / (R + 1) that stats/two_way.h gives.  With a family of m tests
 *
 *   c         the lesser of #{t <= 0} and #{t >= 0}
 *   p         min(1, m 2 (c + 1) / (R + 1))
 *   k         the greatest whole number with m 2 k / (R + 1) < 0.05
 *   interval  t(k) to t(R + 1 - k), level 1 - 0.05 / m; unknown if k = 0
 *   verdict   A is told from B where c + 1 <= k
 *
 * So p < 0.05, an interval without 0 and "better" or "worse" are one and the
 * same thing, in whole numbers: none can contradict another.
 *
 * The family is what is read together.  m times p and intervals of level
 * 1 - 0.05/m is Bonferroni's rule: all m intervals hold at once with 95 %, and
 * so no verdict of the m is false with 95 %.  Holm's finds a little more, but
 * has no intervals that say the same and still hold at once; the rule prefers
 * the intervals.  Measures that rise and fall together on the same things (ce,
 * ppl, ppl_word) are one test: the others share its verdict.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/stats/two_way.h"

struct verdict {
    int             sign;    /* of A - B: +1, -1; 0: undecided    */
    double          p;       /* adjusted for m tests; NAN: none   */
    double          alone;   /* p as if it were the only test     */
    struct interval between; /* adjusted likewise                 */
};

extern const struct verdict verdict_unknown;

/* What is known of a difference; zeros: nothing. */
struct known {
    size_t         n;
    double        *t;       /* [n] typical values; or, with n = 0,   */
    struct two_way crossed; /* the mean whose quantiles they are     */
};
void known_close(struct known *k);
OWNER_OF_VALUE(known_close, struct known)

/* How many typical values it has; 0: nothing is known. */
size_t known_values(const struct known *k);

/* k->t is sorted.  Unknown if nothing is known, or a value is not finite.  If p
 * is known and the interval is not, there are too few seeds: k = 0, or the
 * verdict is undecided and two_way_too_few. */
struct verdict verdict_of(struct known *k, size_t m);

/* The same rule for a mean d with this standard error, by Student's t: p is
 * below 0.05 exactly if 0 is outside the interval, and then sign is not 0.
 * Unknown if d or error is not finite, or if one of them is not 0 and there are
 * no degrees of freedom. */
struct verdict verdict_t(double d, double error, double degrees, size_t m);

/* The verdict of v for a measure that rises and falls with it: with the
 * interval of its own verdict, or an unknown one if the two disagree. */
struct verdict verdict_shared(const struct verdict *v,
                              const struct verdict *own);

/* Whether n typical values can decide anything among m tests, and the least
 * adjusted p that they can give. */
int    verdict_possible(size_t n, size_t m);
double verdict_floor(size_t n, size_t m);

/* "better", "worse", "undecided"; better: +1 where more is better, else -1. */
const char *verdict_word(const struct verdict *v, int better);

/* p in two digits, or in as many as it takes to stand on its side of 0.05. */
const char *verdict_p(double p, char out[24]);

/* A bound with its sign and so many decimals; one that rounds to 0 but is not
 * 0 in one digit, so that an interval that excludes 0 is printed as such. */
const char *verdict_bound(double x, int decimals, char out[32]);
