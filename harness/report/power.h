/*
 * power: how many seeds would tell a contrast (report/evidence.h), by
 * stats/design.h, from how much its seeds and the test examples vary.
 */
#pragma once

#include "harness/report/evidence.h"

struct power {                      /* NAN: none, of one seed              */
    double      difference;         /* to be told                          */
    double      sd_seed;            /* of the difference, between seeds    */
    double      error_examples;     /* what no number of seeds takes away;
                                       NAN: they do not tell the metric, or
                                       their variance was not seen         */
    double      below;              /* it is below that, if not seen; NAN  */
    double      share;              /* of the variance that the examples have */
    double      power;              /* of the seeds there are              */
    size_t      seeds;              /* that it takes; 0: see why           */
    size_t      least, most;        /* and with the spread of seeds that is
                                       possible (95 %); 0: over 10000      */
    size_t      examples;           /* that it takes in place of more seeds;
                                       0: no number of them is enough      */
    const char *why;                /* "": none                            */
};

/* difference 0: that which was seen; level: of this one test; wanted: the
 * chance to tell it. */
struct power power_of(const struct contrast *seen, double difference,
                      double level, double wanted);
