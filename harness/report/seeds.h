/*
 * seeds: compares a metric of two variants that have several seeds.  Common
 * seeds are pairs.  If there are none, all seeds of one variant are compared
 * with all seeds of the other.
 *
 * If the metric is computed per example and there are two seeds or more, the
 * difference is a mean over seeds x examples (stats/two_way.h).  Otherwise the
 * test permutes the seeds (stats/permutation.h).
 */
#pragma once

#include "harness/stats/verdict.h"

struct seeds { /* one variant; no seed twice; value NAN: ignored */
    size_t               n;
    const long long     *seed;
    const double        *value;
    size_t               units; /* of the examples; 0: not per example     */
    const double *const *moves; /* [n] of [units] each (report/outcomes.h) */
};

/* Returns the mean over the seeds that have a value.  If units is 0, its
 * variance is that of the seeds only. */
struct two_way seeds_mean(const struct seeds *s);

struct seeds_test {
    double         a, b;    /* means over the seeds used   */
    size_t         na, nb;  /* seeds used; equal if paired */
    int            paired;
    size_t         units;   /* of the examples; 0 if they differ */
    int            crossed; /* 1: the examples are samples, too  */
    struct two_way mean;    /* of a - b                          */
    struct known   known;   /* closed by the caller              */
};

void seeds_open(struct seeds_test *out, const struct seeds *a,
                const struct seeds *b);

/* Returns how many seeds each variant lacks before m tests can be decided, or
 * 0 if there are enough. */
size_t seeds_more(const struct seeds_test *s, size_t m);
