/*
 * power: estimates how many seeds a contrast (report/evidence.h) needs to be
 * significant, with the formulas of stats/design.h, from the variation over its
 * seeds and test examples.  The command `power` calls it.
 */
#pragma once

#include "harness/report/evidence.h"

struct power {                      /* NAN: unknown (one seed)         */
    double      difference;         /* assumed true difference         */
    double      sd_seed;            /* sd of the difference over seeds */
    double      error_examples;     /* standard error due to the examples, which
                                       more seeds do not reduce; NAN: the metric
                                       is not computed per example, or the
                                       variance was not observed       */
    double      below;              /* upper bound of error_examples if the
                                       variance was not observed; otherwise
                                       NAN                             */
    double      share;              /* the examples' share of the variance;
                                       0: none, or unknown             */
    double      power;              /* with the present seeds          */
    size_t      seeds;              /* seeds needed; 0: see `why`      */
    size_t      least, most;        /* seeds needed at the bounds of the 95 %
                                       interval of sd_seed; 0: over 10000 */
    size_t      examples;           /* examples needed with the present seeds;
                                       0: no number of examples is enough */
    const char *why;                /* why `seeds` is 0, or ""         */
};

struct result_pair;

/* Returns the contrast of a pair of rows that was read from the file of a
 * table, whose comparisons are a family of m tests.  The variance over seeds
 * follows from the values by seed; that over test examples is what remains of
 * the interval.  If nothing remains, it was not detected; its upper bound,
 * two_way.unseen, is not in the file and becomes NAN. */
struct contrast power_observed(const struct result_pair *p, size_t m);

/* Computes the power of a contrast.  difference: the assumed true difference,
 * or 0 for the observed one.  level: the significance level of this one test.
 * wanted: the power to reach. */
struct power power_of(const struct contrast *observed, double difference,
                      double level, double wanted);
