/*
 * design: how many seeds it takes to tell a difference of means over seeds x
 * test examples (stats/two_way.h).
 *
 * With n seeds of each side its variance is V = A / n + A' / n + B, of which
 * more seeds leave B, the examples' part, as it is.  Where the sides share
 * their seeds, A is of the differences, and A' = 0; else each is of a side.
 * The test at a level, two-sided, tells it from 0 where it is over c errors, c
 * being the weighed quantile of two_way.h.  If the true difference is d, it
 * does so with the probability, the power,
 *
 *     P(T > c) + P(T < -c),   T noncentral t, d / sqrt(V), of f degrees
 *     f = V^2 / (((A / n)^2 + (A' / n)^2) / (n - 1) + B^2 / its degrees)
 *
 * which is exact where B = 0 and A' is 0, the t test of pairs, or A, that of
 * two samples, and else nearly (Satterthwaite).
 * T = (Z + d / sqrt(V)) / sqrt(X / f), Z standard normal, X chi squared with f
 * degrees (Johnson, Kotz, Balakrishnan, Continuous Univariate Distributions 2,
 * 1995, chapter 31), so that P(T > c) is the mean of P(X < f ((Z + shift) /
 * c)^2) over Z > -shift; GSL's adaptive quadrature.
 */
#pragma once

#include "harness/stats/two_way.h"

/* P(T > c), c > 0; shift: the noncentrality. */
double design_tail(double c, double degrees, double shift);

struct design {
    double of_seed;     /* A: variance between one seed and the next         */
    double of_examples; /* B                                                 */
    double degrees;     /* of B                                              */
    double of_other;    /* A'; 0: the seeds are pairs                        */
};

/* Of n >= 2 seeds. */
double design_power(const struct design *d, size_t n, double difference,
                    double level);

/* The fewest n of that power, from 2 to `most`; 0: it takes more. */
size_t design_seeds(const struct design *d, double difference, double level,
                    double power, size_t most);

/* The fewest examples, in multiples of those there are, of that power with n
 * seeds; 0: no number is enough, or it takes over DESIGN_MOST times as many.
 * Their variance is that of a mean over them. */
enum { DESIGN_MOST = 10000 };
double design_examples(const struct design *d, size_t n, double difference,
                       double level, double power);

/* A standard deviation of n values is known within these factors (95 %): the
 * true one is what was seen times low to high. */
struct interval design_spread(size_t n);
