/*
 * design: power analysis.  Computes how many seeds, or test examples, are
 * needed to detect a difference of means over seeds x test examples
 * (stats/two_way.h).
 *
 * With n seeds per side the variance of the difference is
 *
 *     V = A / n + A' / n + B.
 *
 * More seeds do not change B, the part of the examples.  If the sides share
 * their seeds, A is the variance of the differences and A' = 0; else A and A'
 * belong to one side each.  The two-sided test rejects 0 if the difference
 * exceeds c standard errors, where c is the weighted quantile of two_way.h.  If
 * the true difference is d, the power is
 *
 *     P(T > c) + P(T < -c),   T noncentral t, d / sqrt(V), of f degrees
 *     f = V^2 / (((A / n)^2 + (A' / n)^2) / (n - 1) + B^2 / its degrees)
 *
 * This is exact if B = 0 and either A' = 0 (paired t test) or A = A'
 * (two-sample t test), and approximate otherwise (Satterthwaite).  With Z
 * standard normal and X chi squared with f degrees of freedom,
 *
 *     T = (Z + d / sqrt(V)) / sqrt(X / f)
 *
 * (Johnson, Kotz, Balakrishnan, Continuous Univariate Distributions 2, 1995,
 * chapter 31), so P(T > c) is the mean of P(X < f ((Z + shift) / c)^2) over
 * Z > -shift.  GSL's adaptive quadrature computes it.
 */
#pragma once

#include "harness/stats/two_way.h"

/* Returns P(T > c) for c > 0; shift: the noncentrality. */
double design_tail(double c, double degrees, double shift);

struct design {
    double of_seed;     /* A: variance between seeds                         */
    double of_examples; /* B                                                 */
    double degrees;     /* degrees of freedom of B                           */
    double of_other;    /* A'; 0: the seeds are paired                       */
};

/* Returns the power of n >= 2 seeds per side to detect `difference` at
 * `level`. */
double design_power(const struct design *d, size_t n, double difference,
                    double level);

/* Returns the smallest n from 2 to `most` with at least this power, or 0 if
 * more than `most` seeds are needed. */
size_t design_seeds(const struct design *d, double difference, double level,
                    double power, size_t most);

/* Returns how many times the present number of examples is needed, with n
 * seeds, to reach this power, or 0 if that is more than DESIGN_MOST times or no
 * number is enough.  The variance of the examples is assumed to fall as that of
 * a mean over them. */
enum { DESIGN_MOST = 10000 };
double design_examples(const struct design *d, size_t n, double difference,
                       double level, double power);

/* Returns the factors (95 %) within which a standard deviation estimated from n
 * values is known: the true one is the estimate times low to high. */
struct interval design_spread(size_t n);
