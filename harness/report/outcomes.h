/*
 * outcomes: what a cell stores about each test example, and metrics as
 * functions of it, so that they can be computed for resampled test sets.
 * evidence and compare read the examples with examples_read and
 * examples_block, open the outcomes of a metric, and resample them.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/metrics/metric.h"

struct arena;
struct cell_reader;

/* ---- metrics that are a function of two sums over the test examples, and the
 * values of each example that a cell stores for them ---- */

enum measure_sum {
    MEASURE_NLL, MEASURE_TOKENS, MEASURE_HITS, MEASURE_WORDS, MEASURE_SUMS
};

struct measure {
    const char      *metric;
    enum measure_sum over, under;
    double         (*of)(double ratio); /* of over / under */
    const char      *decided; /* metric whose verdict this one shares, because
                                 the two rise and fall together; NULL: it has
                                 its own test */
};

/* Returns the measure of a metric, or NULL if the metric is not a function of
 * two sums. */
const struct measure *measure_of(const char *metric);

/* Returns the metric whose test decides this one: itself, or another. */
const char *measure_test(const char *metric);

/* ---- the examples ---- */

enum { OUTCOMES_SEED = 1 }; /* seed for resampling */

enum tested_text {
    TESTED_HYPOTHESIS, TESTED_REFERENCE, TESTED_SUBTASK, TESTED_TEXTS
};

struct tested {
    size_t       n;
    size_t       block; /* length of blocks of consecutive examples that are
                           resampled together, for metrics of sums; 0: single
                           examples */
    double      *sum[MEASURE_SUMS];  /* [n] each; NULL: not stored            */
    struct seen *seen;               /* [n], texts only; NULL: not decoded    */
    char       **text[TESTED_TEXTS]; /* [n], used by `seen`; NULL: not stored */
};

/* Reads the test examples of a cell; id is for messages.  Returns ERR_STORE if
 * the stored arrays are inconsistent.  The caller calls examples_close in any
 * case. */
int  examples_read(struct tested *out, struct cell_reader *cell,
                   const char *id);
/* Sets `block` to about the cube root of the number of examples (Hall, Horowitz
 * and Jing, 1995) if they are packed rows of real text.  Neighbouring rows come
 * from one text and are correlated (0.18), so an interval that resamples single
 * rows is too narrow by a factor of up to 1.4 (`verify statistics`). */
int  examples_block(struct tested *x, struct cell_reader *cell);

/* Sets `seen` if there are hypotheses and references.  group: [n], equal for
 * the answers to one question, or NULL. */
void examples_see(struct tested *x, const double *group);
void examples_close(struct tested *x);
OWNER_OF_VALUE(examples_close, struct tested)

struct outcomes {
    const struct metric *metric; /* combines the strata; NULL: the only stratum
                                    is the metric               */
    int                  strata; /* 0: not computed per example */
    struct stratum       stratum[METRIC_PARTS];
};

/* Prepares a metric for resampling.  metrics ends with NULL; `metric` is one of
 * them, or a part of one ("rte_accuracy").  If the examples do not determine
 * it, out->strata is 0.  Returns ERR_STORE if the texts are not valid for the
 * metric. */
int  outcomes_open(struct outcomes *out, const struct tested *x,
                   const char *metric, const struct metric *const *metrics);
void outcomes_close(struct outcomes *o);
OWNER_OF_VALUE(outcomes_close, struct outcomes)

/* Returns the metric over all examples. */
double outcomes_value(const struct outcomes *o);

/* Returns u of stats/two_way.h, allocated from a: how the metric changes
 * without each unit that a resample draws, one stratum after the other; strata
 * that share their draws have their units once.  *n: the number of units, or 0
 * if the metric is not finite without one of them. */
double *outcomes_moves(size_t *n, const struct outcomes *o, struct arena *a);

/* Sets value[i][r] to the metric of system i in resample r.  The systems use
 * the same draws; strata are resampled separately.  Returns ERR_STORE if the
 * systems have different examples. */
int outcomes_resample(double *const *value, const struct outcomes *const *o,
                      int systems, size_t resamples);

/* Sets d[r] = a[r] - b[r], r < n; a difference that is due to rounding is set
 * to 0. */
void outcomes_differences(double *d, const double *a, const double *b,
                          size_t n);

/* Returns OK if the stored value equals that of the examples, or ERR_STORE if
 * one of them is wrong. */
int outcomes_check(const struct outcomes *o, const char *id, const char *metric,
                   double stored);
