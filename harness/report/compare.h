/*
 * compare: is B better than A?  Metric by metric, from what their cells have
 * stored, by the rule of stats/verdict.h; the metrics are one family.  Every
 * difference is B minus A, and every verdict is about B.
 *
 * One cell each    paired over the test examples (report/outcomes.h)
 * Several seeds    paired over the seeds that both have; without a common seed
 *                  all of the one against all of the other; over the test
 *                  examples too, where they tell the metric (report/seeds.h);
 *                  where so few seeds could not have decided, `floor` and
 *                  `more` say so
 *
 * A verdict on two that are unsettled (report/learning.h) is withheld.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/report/learning.h"
#include "harness/stats/verdict.h"

struct metric;

/* One side: finished cells of a store, by_seed, or one cell. */
struct compare_side {
    const char        *store, *name; /* the name is for messages */
    int                cells, by_seed;
    const char *const *id;           /* [cells]                  */
    const long long   *seed;         /* [cells], each once       */
};

struct compare_row { /* unknown: NAN */
    const char          *metric;
    const char          *as;           /* decided as that metric; or NULL   */
    int                  better;       /* +1: higher is better, -1: lower   */
    double               a, b, difference; /* b - a                         */
    struct verdict       verdict;      /* of the difference                 */
    struct compare_seeds { /* over the seeds of each side                   */
        double sd_a, sd_b, iqm_a, iqm_b;   /* spread, interquartile mean    */
        double a12;                        /* P(b > a) + P(a = b) / 2       */
        double hedges_g, cliff_delta;      /* of b relative to a            */
    }                    seeds;
    const char          *test;         /* "permutation over 6 seeds ..."    */
    double               floor;        /* least p there could be            */
    size_t               more;         /* seeds missing; 0: there are enough */
    int                  paired;       /* 1: over seeds in common */
};

struct comparison {
    struct arena       *memory;      /* owns all of it           */
    int                 rows, tests; /* tests: of the family     */
    double              level;       /* of the intervals: 0.9833 */
    struct learning     a, b;        /* of each side             */
    int                 unsettled;   /* 1: they are              */
    struct compare_row *row;
};

/* names: metrics or parts of one, end with NULL; those that neither side has
 * are left out.  metrics: see outcomes_open.  families: how many comparisons
 * like this one are read together, as one family; 1: it alone.  ERR_USAGE: the
 * sides were tested on different data, or a metric was computed in different
 * ways; ERR_STORE: a cell is damaged. */
int  compare(struct comparison **out, const struct compare_side *a,
             const struct compare_side *b, const char *const *names,
             const struct metric *const *metrics, int families);
void compare_close(struct comparison *c); /* NULL is fine */
OWNER(compare_close, struct comparison *)

/* Returns what B is by a metric: "better", "worse", "undecided", or "not
 * converged". */
const char *compare_verdict(const struct comparison *c,
                            const struct compare_row *r);
