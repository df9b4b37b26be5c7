/*
 * coverage: measures how often intervals miss the true value, by simulation.
 *
 *     normal       scores of seeds x 50 examples, normal with mean 0.  The
 *                  seeds have 10, 50, 90 or 99 % of the variance of the mean;
 *                  the case with the most misses counts.  Intervals over seeds
 *                  and examples (stats/two_way.h), for one test and for 46
 *     cliff        seeds only: each has learned something (score 1) or not
 *                  (score 0), with equal probability, and noise of 0.05
 *     neighbours   the mean of one seed over 500 rows of one text.  Each six
 *                  consecutive rows share a component that gives them a
 *                  correlation of 0.18.  Student's t over the rows, or over
 *                  blocks of neighbours
 *
 * An interval of level 1 - a should miss in a share `a` of the draws.  For
 * normal scores this is promised and checked.  For the others nothing is
 * promised; the table shows what to expect.  The draws come from rng.h, so the
 * numbers are the same on every machine.
 */
#pragma once

#include "harness/verify/facts.h"

enum { COVERAGE_DRAWS = 20000, COVERAGE_ROWS = 18 };

struct coverage_row {
    const char  *data, *unit; /* what the intervals are over         */
    int          seeds, tests;
    double       promised;    /* nominal share of misses             */
    double       misses;      /* observed share of misses            */
    enum verdict verdict;     /* whether the promise is kept         */
};

/* Fills COVERAGE_ROWS rows; takes about 20 s. */
void coverage_measure(struct coverage_row *row);
