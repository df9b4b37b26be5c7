/*
 * seeds: compares a metric of two variants that have several seeds.  If the
 * variants have common seeds, the test is paired over these seeds; otherwise,
 * all seeds of one variant are compared with all seeds of the other.  `compare`
 * and `evidence` call it.
 *
 * If the metric is computed per example and there are two seeds or more, the
 * difference is a mean over seeds x examples (stats/two_way.h).  Otherwise the
 * test permutes the seeds (stats/permutation.h).
 */
#pragma once

#include "harness/stats/verdict.h"

/* The seeds of one variant, each once; a seed whose value is NAN is ignored. */
struct seeds {
    size_t               n;
    const long long     *seed;
    const double        *value;
    size_t               units; /* number of units that a resample of the
                                   examples draws; 0: the metric is not
                                   computed per example                    */
    const double *const *influence; /* [n][units], outcomes_influence      */
};

/* Returns the mean over the seeds that have a value.  If s->units is 0, the
 * variance of the mean is due to the seeds only. */
struct two_way seeds_mean(const struct seeds *s);

struct seeds_test {
    double         a, b;    /* means over the seeds used   */
    size_t         na, nb;  /* seeds used; equal if paired */
    int            paired;
    size_t         units;   /* as in struct seeds; 0: the numbers of units of
                               the two variants differ           */
    int            crossed; /* 1: the examples are samples, too  */
    struct two_way mean;    /* mean of a - b                     */
    struct known   known;   /* closed by the caller              */
};

/* Prepares the test of `a` against `b`. */
void seeds_open(struct seeds_test *out, const struct seeds *a,
                const struct seeds *b);

/* Returns how many more seeds each variant needs so that each of m such tests
 * can have a verdict, or 0 if there are enough. */
size_t seeds_more(const struct seeds_test *s, size_t m);
