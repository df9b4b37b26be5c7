/*
 * outcomes: what a cell stores of each test example for a metric, as statistics
 * that add up over the examples, so that the metric can be resampled.
 */
#ifndef REPORT_OUTCOMES_H
#define REPORT_OUTCOMES_H

#include "harness/base/paired.h"

struct cell_reader;

/* Of a metric of decoded text: its statistics, and the score of their sum. */
struct outcomes_text {
    /* *stats (n,*columns) row-major, the caller frees; NULL and OK: the metric
     * cannot be resampled. */
    int (*segments)(double **stats, size_t *columns, const char *metric,
                    char **hyp, char **ref, size_t n);
    double (*of_sums)(const char *metric, const double *sums);
};

struct outcomes {
    const char                 *metric;
    const struct outcomes_text *text;
    double                     *x; /* (n,columns); NULL: not stored */
    size_t                      n, columns;
};

/* ERR_STORE: what is stored does not fit together. */
int  outcomes_read(struct outcomes *out, struct cell_reader *cell,
                   const char *metric, const struct outcomes_text *text);
void outcomes_close(struct outcomes *e);

/* e stays open as long as this is used. */
struct paired_score outcomes_score(const struct outcomes *e);

#endif
