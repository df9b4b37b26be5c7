/*
 * stratum: a score of one system that can be computed again where the test set
 * is drawn again.  What is drawn are its units: examples, or groups of them
 * that are scored together.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>
#include <stdint.h>

struct score_options;

struct stratum {
    char    name[48];    /* of a part: "rte_accuracy"; "": the metric itself */
    int     which;       /* those of one number are drawn together           */
    size_t  n, columns;
    double *x;           /* (n,columns) row-major, of each unit              */

    /* Of the sums of the drawn rows; or, if NULL, of the drawn rows. */
    double (*of_sums)(const struct stratum *s, const double *sums);
    double (*of_drawn)(const struct stratum *s, const uint32_t *drawn);
    const void *self;
    struct score_options *options; /* or NULL; freed with the stratum        */
};

/* n rows of zeros. */
void stratum_open(struct stratum *s, size_t n, size_t columns);
void stratum_close(struct stratum *s);
OWNER_OF_VALUE(stratum_close, struct stratum)

/* The score of all units. */
double stratum_value(const struct stratum *s);

/* left[i]: the score without unit i. */
void stratum_leave_out(double *left, const struct stratum *s);

/* value[i][r]: of system i in resample r of bootstrap_draw(n, seed + which).
 * The systems have the same units; all of them see the same draws. */
void stratum_resample(double *const *value, const struct stratum *const *s,
                      int systems, size_t resamples, uint64_t seed);
