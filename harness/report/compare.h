/*
 * compare: tests whether side B is better than side A, metric by metric, by the
 * rule of stats/verdict.h.  A side is one cell, or all seeds of a row (a
 * variant with its settings) of a store.  The tests of all metrics are one
 * family.  Every difference is B minus A, and every verdict is about B.
 *
 * One cell each    paired over the test examples (report/outcomes.h)
 * Several seeds    paired over common seeds; if there are none, all seeds of A
 *                  against all seeds of B.  For metrics computed per example,
 *                  the test examples are samples, too (report/seeds.h).  The
 *                  members `floor` and `more` show whether there are too few
 *                  seeds for a verdict
 *
 * If the sides have not converged relative to their difference
 * (report/learning.h), there is no verdict.
 *
 * The caller passes the result of compare to compare_verdict, then to
 * compare_close.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/report/learning.h"
#include "harness/stats/verdict.h"

struct metric;

/* One side: all finished cells of one row of a store (`by_seed` is 1), or one
 * cell (`by_seed` is 0). */
struct compare_side {
    const char        *store, *name; /* name: for messages */
    int                cells, by_seed;
    const char *const *id;           /* [cells]                       */
    const long long   *seed;         /* [cells]; no seed occurs twice */
};

struct compare_row { /* NAN: unknown */
    const char          *metric;
    const char          *as;           /* metric whose verdict this metric
                                          shares, or NULL                  */
    int                  better;       /* +1: higher is better, -1: lower  */
    double               a, b, difference; /* b - a */
    struct verdict       verdict;      /* of the difference */
    struct compare_seeds { /* statistics over the seeds of each side */
        double sd_a, sd_b, iqm_a, iqm_b;   /* sd, interquartile mean  */
        double a12;                        /* P(b > a) + P(a = b) / 2 */
        double hedges_g, cliff_delta;      /* of b relative to a      */
    }                    seeds;
    const char          *test;         /* "permutation over 6 seeds ..." */
    double               floor;        /* least possible adjusted p      */
    size_t               more;         /* more seeds that each side needs for
                                          a verdict; 0: enough             */
    int                  paired;       /* 1: paired over common seeds    */
};

struct comparison {
    struct arena       *memory;      /* owns everything here         */
    int                 rows, tests; /* tests: size of the family    */
    double              level;       /* confidence level of each interval,
                                        such as 0.9833               */
    struct learning     a, b;        /* learning of each side        */
    int                 unsettled;   /* 1: not converged, no verdict */
    struct compare_row *row;
};

/* Compares two sides.  names: metrics or parts of metrics, ending with NULL; a
 * name that no cell has is left out.  metrics: as for outcomes_open.  families:
 * the number of comparisons like this one, including this one, that together
 * form one family of tests.  Returns ERR_USAGE if the sides were tested on
 * different data, if a metric was computed in different ways, or if only some
 * cells have a metric.  Returns ERR_EMPTY if the sides have no metric in
 * common, or ERR_STORE if a cell is damaged. */
int  compare(struct comparison **out, const struct compare_side *a,
             const struct compare_side *b, const char *const *names,
             const struct metric *const *metrics, int families);
void compare_close(struct comparison *c); /* NULL is allowed */
OWNER(compare_close, struct comparison *)

/* Returns the verdict of a row: B is "better", "worse", "undecided" or "not
 * converged" relative to A. */
const char *compare_verdict(const struct comparison *c,
                            const struct compare_row *r);
