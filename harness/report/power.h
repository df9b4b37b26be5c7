/*
 * power: how many seeds a contrast (report/evidence.h) needs to be significant,
 * by stats/design.h, from the variation of its seeds and test examples.
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
    double      below;              /* bound of error_examples if it was not
                                       observed; otherwise NAN         */
    double      share;              /* of the variance that is due to the
                                       examples; 0: none, or unknown   */
    double      power;              /* with the present seeds          */
    size_t      seeds;              /* needed; 0: see why              */
    size_t      least, most;        /* needed, for the range of the sd over
                                       seeds (95 %); 0: over 10000     */
    size_t      examples;           /* needed instead of more seeds; 0: no
                                       number of them is enough        */
    const char *why;                /* why seeds is 0; "": it is not   */
};

/* Computes the power of a contrast.  difference: the true difference, or 0 for
 * the observed one; level: of this one test; wanted: the power to reach. */
struct power power_of(const struct contrast *seen, double difference,
                      double level, double wanted);
