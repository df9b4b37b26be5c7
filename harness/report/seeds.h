/*
 * seeds: a metric of two variants that were trained several times.  Seeds that
 * both have are pairs; where they have none in common, all of the one stand
 * against all of the other.
 *
 * Where the test examples tell the metric, and there are two seeds or more, the
 * difference is a mean over seeds x examples (stats/two_way.h); else the seeds
 * are permuted (stats/permutation.h).
 */
#pragma once

#include "harness/stats/verdict.h"

struct seeds { /* of one variant, each seed once; value NAN: left out */
    size_t               n;
    const long long     *seed;
    const double        *value;
    size_t               units; /* of the examples; 0: they do not tell it    */
    const double *const *moves; /* [n] of [units] each (report/outcomes.h)    */
};

/* The mean of those that have a value; without units of the seeds alone. */
struct two_way seeds_mean(const struct seeds *s);

struct seeds_test {
    double         a, b;    /* means over the seeds that are used      */
    size_t         na, nb;  /* how many; of pairs they are equal       */
    int            paired;
    size_t         units;   /* of the examples, as both have them      */
    int            crossed; /* 1: the examples take part               */
    struct two_way mean;    /* of a - b, with them or without          */
    struct known   known;   /* the caller closes it                    */
};

void seeds_open(struct seeds_test *out, const struct seeds *a,
                const struct seeds *b);

/* Seeds missing, of each, before m tests can be decided. */
size_t seeds_more(const struct seeds_test *s, size_t m);
