/*
 * seeds: a metric of two variants that were trained several times.  Seeds that
 * both have are pairs; where they have none in common, all of the one stand
 * against all of the other.
 */
#pragma once

#include <stddef.h>

struct seeds { /* of one variant, each seed once; value NAN: left out */
    size_t           n;
    const long long *seed;
    const double    *value;
};

struct seeds_test {
    double  a, b;   /* means over the seeds that are used      */
    size_t  na, nb; /* how many; of pairs they are equal       */
    int     paired;
    size_t  n;      /* typical values (stats/typical.h), from 0 */
    double *t;      /* the caller frees them                    */
};

void seeds_open(struct seeds_test *out, const struct seeds *a,
                const struct seeds *b);

/* Seeds missing, of each, before m tests can be decided. */
size_t seeds_more(const struct seeds_test *s, size_t m);
