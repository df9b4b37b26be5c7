/*
 * design: power analysis.  Computes how many seeds, or test examples, are
 * needed to detect that the mean scores of two variants (the sides) differ.
 * The means are over seeds and test examples (stats/two_way.h).
 *
 * With n seeds per side the variance of the difference is
 *
 *     V = A / n + A' / n + B.
 *
 * B is the variance due to the examples, which more seeds do not change.  If
 * the sides share their seeds, A is the variance between seeds of the
 * difference and A' = 0; else A and A' are the variances between seeds of the
 * two sides.  The two-sided test rejects a difference of 0 if the observed
 * difference exceeds c standard errors, where two_way_reach returns c times the
 * standard error.  If the true difference is d, the power is
 *
 *     P(T > c) + P(T < -c)
 *
 * where T has a noncentral t distribution with noncentrality d / sqrt(V) and f
 * degrees of freedom, and g is the degrees of freedom of B:
 *
 *     f = V^2 / (((A / n)^2 + (A' / n)^2) / (n - 1) + B^2 / g)
 *
 * This is exact if B = 0 and either A' = 0 (paired t test) or A = A'
 * (two-sample t test), and approximate otherwise (Satterthwaite).  With Z
 * standard normal and X chi squared with f degrees of freedom,
 *
 *     T = (Z + d / sqrt(V)) / sqrt(X / f)
 *
 * (Johnson, Kotz, Balakrishnan, Continuous Univariate Distributions 2, 1995,
 * chapter 31).  So P(T > c), with the noncentrality `shift`, is the integral
 * over Z > -shift of P(X < f ((Z + shift) / c)^2), weighted by the density of
 * Z.  GSL's adaptive quadrature computes it.
 */
#pragma once

#include "harness/stats/two_way.h"

/* Returns P(T > c) for c > 0; `shift` is the noncentrality of T. */
double design_tail(double c, double degrees, double shift);

struct design {
    double of_seed;     /* A: variance between seeds                         */
    double of_examples; /* B: variance due to the examples                   */
    double degrees;     /* degrees of freedom of B                           */
    double of_other;    /* A'; 0: the sides share their seeds                */
};

/* Returns the power of n >= 2 seeds per side to detect `difference` at
 * `level`. */
double design_power(const struct design *d, size_t n, double difference,
                    double level);

/* Returns the smallest n from 2 to `most` whose power is at least `power`, or 0
 * if more than `most` seeds are needed. */
size_t design_seeds(const struct design *d, double difference, double level,
                    double power, size_t most);

/* Returns the factor by which the number of examples must be multiplied so that
 * n seeds have the power `power`, or 0 if no factor up to DESIGN_MOST is
 * enough.  Assumes that B is inversely proportional to the number of
 * examples. */
enum { DESIGN_MOST = 10000 };
double design_examples(const struct design *d, size_t n, double difference,
                       double level, double power);

/* Returns the 95 % interval of the ratio of the true standard deviation to the
 * standard deviation estimated from n values. */
struct interval design_spread(size_t n);
