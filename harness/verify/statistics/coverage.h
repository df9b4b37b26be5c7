/*
 * coverage: measures by simulation how often the program's confidence intervals
 * miss the true value, for `synthbench verify`.  The scores are drawn from one
 * of these distributions:
 *
 *     normal       scores of some seeds on 50 examples, normal with mean 0.
 *                  The seeds cause 10, 50, 90 or 99 % of the variance of the
 *                  mean; the case with the most misses counts.  The intervals
 *                  are over seeds and examples (stats/two_way.h), for one test
 *                  and for 46 tests
 *     cliff        one score per seed: the seed has learned something (score 1)
 *                  or not (score 0), with equal probability, plus noise of
 *                  0.05.  The intervals are over seeds
 *     neighbours   the mean of one seed over 500 rows of one text.  Six
 *                  consecutive rows share a component that gives them a
 *                  correlation of 0.18.  The intervals are Student's t over
 *                  the rows, or over blocks of neighbouring rows
 *
 * An interval of level 1 - a should miss the true value in a share `a` of the
 * draws.  For `normal`, this share is promised and checked.  For the other
 * distributions, nothing is promised; the printed table shows what to expect.
 * The draws come from rng.h, so the results are the same on every machine.
 */
#pragma once

#include "harness/verify/facts.h"

enum { COVERAGE_DRAWS = 20000, COVERAGE_ROWS = 18 };

struct coverage_row {
    const char  *data, *unit; /* distribution; unit of the intervals  */
    int          seeds, tests;
    double       promised;    /* nominal share of misses             */
    double       misses;      /* observed share of misses            */
    enum verdict verdict;     /* whether the promise is kept         */
};

/* Fills an array of COVERAGE_ROWS rows; takes about 20 s. */
void coverage_measure(struct coverage_row *row);
