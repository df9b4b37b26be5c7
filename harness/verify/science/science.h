/*
 * science: compares the test losses of finished cells with the data-generating
 * distributions of their tasks (tasks/gen/law.h), for `synthbench verify`.
 * `floor` is the cross-entropy (CE) of the distribution itself on the same test
 * examples.  A probe is a model of one attention layer and a linear map.
 * `bound` is the best CE, or the best share of right answers, of a probe whose
 * attention weights do not depend on the tokens (law.h: `blind`).
 *
 *     property   condition              applies to
 *     floor      CE >= floor - 3 SE     every cell: a cell below the floor has
 *                                       seen the answers
 *     reach      CE <= floor + 0.05     variants that reach the floor in theory
 *     blind      CE >= bound - 3 SE     probes whose weights depend on no token
 *     optimum    CE <= bound + 0.05     probes as for `blind` that reach the
 *                                       bound in theory
 *     accuracy   share <= bound + 3 SE  probes as for `blind`; `share` is the
 *                                       share of right answers
 *
 * CE is in nats per scored target.  SE is the standard error of the mean
 * difference of pairs, so that the randomness of the test set cancels.
 *
 * For `floor`, `blind` and `accuracy`, every cell is a separate test; all tests
 * have the level P(z < -3) after Holm's correction over all tests.  For `reach`
 * and `optimum`, the cells of a variant are judged together: the learning rate
 * with the lowest mean validation CE is chosen, and the mean over all seeds
 * with this learning rate is compared.  A cell that diverged has an infinite
 * loss.
 */
#pragma once

#include "harness/nn/attention.h"
#include "harness/tasks/task.h"
#include "harness/train/config.h"
#include "harness/verify/facts.h"

struct science_run { /* a finished cell, or a diverged cell with n = 0 */
    const struct config *config;
    const struct mix    *mix;
    const struct task   *task;
    size_t               n;      /* test examples                           */
    /* (n): `own` is -log p of the distribution itself, the others are results
     * of the cell. */
    const double        *nll, *own, *tokens, *hits;
    double               valid;  /* last CE on the validation set           */
};

/* Reads the results of a finished cell of a store; the arrays are in memory of
 * `a`.  Returns OK or ERR_STORE. */
int science_read(struct science_run *r, const char *store, const char *id,
                 struct arena *a);

enum science_property {
    SCIENCE_FLOOR, SCIENCE_REACH, SCIENCE_BLIND, SCIENCE_OPTIMUM,
    SCIENCE_ACCURACY, SCIENCE_PROPERTIES
};
extern const char *const science_name[SCIENCE_PROPERTIES];

struct science_row {
    const struct science_run *first; /* the first cell of the row         */
    enum science_property     property;
    enum verdict              verdict;
    double measured, bound; /* of the test with the smallest p            */
    double exact;           /* the floor on the same examples, or the bound
                               without tolerance                          */
    double p;               /* after Holm's correction; NAN: no test      */
    char   remark[96];
};

/* Judges all runs.  Returns an array of *rows rows, grouped by task and variant
 * in order of first occurrence.  The caller frees the array. */
struct science_row *science_judge(const struct science_run *run, int runs,
                                  int *rows);
