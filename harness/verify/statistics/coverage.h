/*
 * coverage: how often intervals miss the truth, by simulation.
 *
 *     normal       scores of seeds x 50 examples, mean 0, normal; the seeds
 *                  have 10, 50, 90 or 99 % of the variance of the mean, and
 *                  the most misses of these count.  Intervals over seeds and
 *                  examples (stats/two_way.h), of one test and of 46
 *     cliff        seeds alone: each has learned something (score 1) or not
 *                  (score 0), with equal chances, and noise of 0.05
 *     neighbours   one seed's mean over 500 rows of one text: six rows in turn
 *                  share a part that makes their correlation 0.18.  Student's
 *                  t over the rows, or over blocks of neighbours
 *
 * An interval of level 1 - a should miss in a share `a` of the draws.  Of
 * normal scores that is a promise, which is checked; of the others nothing is
 * promised, and the table says what to expect.  Same numbers on every machine:
 * draws come from rng.h.
 */
#pragma once

#include "harness/verify/facts.h"

enum { COVERAGE_DRAWS = 20000, COVERAGE_ROWS = 18 };

struct coverage_row {
    const char  *data, *unit; /* of the intervals: "seeds x examples" */
    int          seeds, tests;
    double       promised;    /* share of misses                      */
    double       misses;      /* share that was seen                  */
    enum verdict verdict;     /* of the promise                       */
};

/* Fills row with COVERAGE_ROWS rows; in about 20 s. */
void coverage_measure(struct coverage_row *row);
