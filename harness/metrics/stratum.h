/*
 * stratum: a score of one system that can be recomputed for resampled test
 * sets.  The resampled units are examples, or groups of examples that are
 * scored together.  Metrics fill strata; reports call stratum_resample.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>
#include <stdint.h>

struct score_options;

struct stratum {
    char    name[48];    /* "rte_accuracy", or "" for the whole metric     */
    int     which;       /* strata with equal numbers use the same draws   */
    size_t  n, columns;  /* number of units, statistics per unit           */
    double *x;           /* (n,columns) row-major: row i describes unit i  */

    /* Either `of_sums` or `of_drawn` is NULL.  The other one computes the score
     * of n drawn rows of `x`: `of_sums` takes the sums of the columns over
     * these rows, `of_drawn` takes the indices of the rows. */
    double (*of_sums)(const struct stratum *s, const double *sums);
    double (*of_drawn)(const struct stratum *s, const uint32_t *drawn);
    const void *self; /* private data of the two functions */
    struct score_options *options; /* or NULL; freed with the stratum */
};

/* Sets s->x to n rows of zeros. */
void stratum_open(struct stratum *s, size_t n, size_t columns);
void stratum_close(struct stratum *s);
OWNER_OF_VALUE(stratum_close, struct stratum)

/* Returns the score of all units. */
double stratum_value(const struct stratum *s);

/* Sets left[i] to the score without unit i. */
void stratum_leave_out(double *left, const struct stratum *s);

/* Sets value[i][r] to the score of system i, whose stratum is s[i], in resample
 * r.  All strata have the same units and use the same draws: those of
 * bootstrap_draw with seed `seed` + s[0]->which. */
void stratum_resample(double *const *value, const struct stratum *const *s,
                      int systems, size_t resamples, uint64_t seed);
