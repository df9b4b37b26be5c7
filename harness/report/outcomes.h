/*
 * outcomes: reads what a cell stores about each test example, and computes
 * metrics from these values, also for resampled test sets.  The modules
 * `evidence` and `compare` read the examples with examples_read and
 * examples_block, open the outcomes of a metric with outcomes_open, and
 * resample them.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/metrics/metric.h"

struct arena;
struct cell_reader;

/* ---- metrics that are a function of two sums over the test examples; a cell
 * stores the terms of these sums for each example ---- */

enum measure_sum {
    MEASURE_NLL, MEASURE_TOKENS, MEASURE_HITS, MEASURE_WORDS, MEASURE_SUMS
};

struct measure {
    const char      *metric;
    enum measure_sum over, under;
    double         (*of)(double ratio); /* the metric, from the ratio of the sum
                                           `over` to the sum `under` */
    const char      *decided; /* metric whose verdict this metric shares,
                                 because the two rise and fall together; NULL:
                                 this metric has its own test */
};

/* Returns the measure of a metric, or NULL if the metric is not a function of
 * two sums. */
const struct measure *measure_of(const char *metric);

/* Returns the metric whose test decides `metric`: `metric` itself, or
 * measure.decided. */
const char *measure_test(const char *metric);

/* ---- the examples ---- */

enum { OUTCOMES_SEED = 1 }; /* seed for resampling */

enum tested_text {
    TESTED_HYPOTHESIS, TESTED_REFERENCE, TESTED_SUBTASK, TESTED_TEXTS
};

struct tested {
    size_t       n;
    size_t       block; /* for metrics of sums: number of consecutive examples
                           that are resampled together; 0: examples are
                           resampled singly */
    double      *sum[MEASURE_SUMS];  /* [n] each; NULL: not stored            */
    struct answer *answer;           /* [n], the texts as metrics read them;
                                        NULL: no decoded texts                */
    char       **text[TESTED_TEXTS]; /* [n], used by `answer`; NULL: not
                                        stored                                */
};

/* Reads the test examples of a cell; `id` is used in messages.  Returns
 * ERR_STORE if the stored arrays are inconsistent.  The caller calls
 * examples_close even after an error. */
int  examples_read(struct tested *out, struct cell_reader *cell,
                   const char *id);
/* If the examples are packed rows of real text, sets x->block to about the cube
 * root of their number (Hall, Horowitz and Jing, 1995).  Adjacent rows belong
 * to one text and are correlated (coefficient 0.18), so an interval that
 * resamples single rows would be too narrow by a factor of up to 1.4; `verify
 * statistics` shows this.  Returns ERR_STORE if the cell is damaged. */
int  examples_block(struct tested *x, struct cell_reader *cell);

/* Sets x->answer if there are hypotheses and references.  group: [n] numbers,
 * which are equal for answers to the same question; or NULL. */
void examples_see(struct tested *x, const double *group);
void examples_close(struct tested *x);
OWNER_OF_VALUE(examples_close, struct tested)

struct outcomes {
    const struct metric *metric; /* combines the strata; NULL: there is one
                                    stratum, whose value is the metric */
    int                  strata; /* 0: not computed per example */
    struct stratum       stratum[METRIC_PARTS];
};

/* Prepares a metric for resampling.  `metric` is the name of a metric in the
 * list `metrics`, which ends with NULL, or of a part of such a metric
 * ("rte_accuracy").  If the examples do not determine the metric, out->strata
 * is 0.  Returns ERR_STORE if the texts are not valid for the metric. */
int  outcomes_open(struct outcomes *out, const struct tested *x,
                   const char *metric, const struct metric *const *metrics);
void outcomes_close(struct outcomes *o);
OWNER_OF_VALUE(outcomes_close, struct outcomes)

/* Returns the metric over all examples. */
double outcomes_value(const struct outcomes *o);

/* Returns the numbers u of stats/two_way.h, allocated from `a`: for each unit
 * that a resample draws, the change of the metric if this unit is left out.
 * Units are listed stratum by stratum; if strata share their draws, their units
 * are listed once.  Sets *n to the number of units, or to 0 if there is a unit
 * without which the metric is not finite. */
double *outcomes_influence(size_t *n, const struct outcomes *o,
                           struct arena *a);

/* Sets value[i][r] to the metric of system i in resample r.  All systems are
 * resampled with the same draws; strata are resampled separately.  Returns
 * ERR_STORE if the systems have different examples. */
int outcomes_resample(double *const *value, const struct outcomes *const *o,
                      int systems, size_t resamples);

/* Sets d[r] to a[r] - b[r] for r < n, or to 0 if the difference is only due to
 * rounding. */
void outcomes_differences(double *d, const double *a, const double *b,
                          size_t n);

/* Returns OK if the stored value of a metric equals the value computed from the
 * examples, or else ERR_STORE. */
int outcomes_check(const struct outcomes *o, const char *id, const char *metric,
                   double stored);
