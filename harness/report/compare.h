/*
 * compare: does A do better than B?  Metric by metric, from what their cells
 * have stored.
 *
 * One cell each    paired over the test examples: difference, interval and p of
 *                  the paired bootstrap (base/paired.h)
 * Several seeds    paired over the seeds that both have: permutation of signs,
 *                  and the interval of the mean difference (base/bootstrap.h);
 *                  without a common seed Mann-Whitney and Welch's interval
 *
 * A is better or worse where p < STATS_LEVEL, else it is undecided; where so
 * few seeds could not have decided, `floor` and `more` say so.
 */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include "harness/report/outcomes.h"

/* One side: finished cells of a store, by_seed, or the test examples of one
 * cell. */
struct compare_side {
    const char        *store, *name; /* the name is for messages */
    int                cells, by_seed;
    const char *const *id;           /* [cells]                  */
    const long long   *seed;         /* [cells], each once       */
};

enum compare_verdict { COMPARE_UNDECIDED, COMPARE_BETTER, COMPARE_WORSE };

struct compare_row { /* unknown: NAN */
    const char          *metric;
    int                  better;       /* +1: higher is better, -1: lower     */
    double               a, b, difference;
    struct interval      between;
    double               p;            /* decides                             */
    double               p_holm, p_bh; /* adjusted for all metrics in here    */
    double               p_randomised; /* examples: approximate randomisation */
    struct compare_seeds { /* over the seeds of each side                     */
        double sd_a, sd_b, iqm_a, iqm_b;   /* spread, interquartile mean      */
        double a12;                        /* P(a > b) + P(a = b) / 2         */
        double hedges_g, cliff_delta;
    }                    seeds;
    enum compare_verdict verdict;      /* of a                                */
    const char          *test;         /* "permutation over 6 seeds, ..."     */
    double               floor;        /* least p there could be              */
    size_t               more;         /* seeds missing; 0: there are enough  */
};

struct comparison {
    struct arena       *memory;      /* owns all of it */
    int                 rows;
    struct compare_row *row;
};

/* metrics: names, ends with NULL; those that neither side has are left out.
 * ERR_USAGE: the sides were tested on different data, or a metric was computed
 * in different ways; ERR_STORE: a cell is damaged. */
int  compare(struct comparison **out, const struct compare_side *a,
             const struct compare_side *b, const char *const *metrics,
             const struct outcomes_text *text);
void compare_close(struct comparison *c); /* NULL is fine */

/* "better", "worse", "undecided" */
const char *compare_verdict(enum compare_verdict v);

#endif
