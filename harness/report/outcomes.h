/*
 * outcomes: what a cell stores of each test example, and the metrics as
 * functions of it, so that they can be computed for test sets drawn anew.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/metrics/metric.h"

struct arena;
struct cell_reader;

/* ---- metrics that are a function of two sums over the test examples, and what
 * a cell stores of each example for them ---- */

enum measure_sum {
    MEASURE_NLL, MEASURE_TOKENS, MEASURE_HITS, MEASURE_WORDS, MEASURE_SUMS
};

struct measure {
    const char      *metric;
    enum measure_sum over, under;
    double         (*of)(double ratio); /* of the two sums         */
    const char      *decided; /* as this one is, with which it rises and
                                 falls; NULL: by a test of its own */
};

const struct measure *measure_of(const char *metric); /* NULL: it is none */

/* The metric whose test decides this one, too. */
const char *measure_test(const char *metric);

/* ---- the examples ---- */

enum { OUTCOMES_SEED = 1 }; /* of the resamples */

enum tested_text {
    TESTED_HYPOTHESIS, TESTED_REFERENCE, TESTED_SUBTASK, TESTED_TEXTS
};

struct tested {
    size_t       n;
    size_t       block; /* consecutive examples that are drawn together, by
                           metrics of sums; 0: each by itself            */
    double      *sum[MEASURE_SUMS];  /* [n] each; NULL: not stored           */
    struct seen *seen;               /* [n], texts alone; NULL: not decoded  */
    char       **text[TESTED_TEXTS]; /* what they point to; NULL: not stored */
};

/* ERR_STORE: what is stored does not fit together.  id is for messages.
 * examples_close in any case. */
int  examples_read(struct tested *out, struct cell_reader *cell,
                   const char *id);
/* Sets `block` if the examples are packed rows of real text, to about the cube
 * root of their number (Hall, Horowitz and Jing, 1995).  Neighbouring rows come
 * from one text and are correlated (0.18), so that an interval which draws them
 * one by one is too narrow by a factor of up to 1.4 (`verify statistics`). */
int  examples_block(struct tested *x, struct cell_reader *cell);

/* Makes `seen` where there are hypotheses and references; group: of the
 * answers that one question has, [n] or NULL. */
void examples_see(struct tested *x, const double *group);
void examples_close(struct tested *x);
OWNER_OF_VALUE(examples_close, struct tested)

struct outcomes {
    const struct metric *metric; /* of more than one stratum                 */
    int                  strata; /* 0: the examples do not tell this metric  */
    struct stratum       stratum[METRIC_PARTS];
};

/* metrics end with NULL; `metric` is one of them, or a part of one
 * ("rte_accuracy").  ERR_STORE: texts that are none of the task's. */
int  outcomes_open(struct outcomes *out, const struct tested *x,
                   const char *metric, const struct metric *const *metrics);
void outcomes_close(struct outcomes *o);
OWNER_OF_VALUE(outcomes_close, struct outcomes)

/* The metric over all examples. */
double outcomes_value(const struct outcomes *o);

/* How the metric moves with each unit that a resample draws, u of
 * stats/two_way.h, strata one behind the other.  In `a`; *n: how many, 0: it is
 * not finite without one of them. */
double *outcomes_moves(size_t *n, const struct outcomes *o, struct arena *a);

/* value[i][r]: of system i, resample r of so many, paired.  Strata are
 * resampled by themselves.  ERR_STORE: the systems do not have the same. */
int outcomes_resample(double *const *value, const struct outcomes *const *o,
                      int systems, size_t resamples);

/* d = a - b, of n each; one that is rounding alone is 0. */
void outcomes_differences(double *d, const double *a, const double *b,
                          size_t n);

/* The stored value is what the examples give, or one of them is wrong:
 * ERR_STORE. */
int outcomes_check(const struct outcomes *o, const char *id, const char *metric,
                   double stored);
