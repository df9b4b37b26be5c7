/*
 * science: compares finished cells with the data-generating distributions of
 * their tasks (tasks/gen/law.h).  The loss of each cell on a test example is
 * compared with the loss of the distribution itself:
 *
 *     floor      CE >= floor - 3 SE     for every cell: a cell below it has
 *                                       seen answers
 *     reach      CE <= floor + 0.05     for variants that reach it in theory
 *     blind      CE >= bound - 3 SE     for probes whose weights see no token
 *     optimum    CE <= bound + 0.05     ... that reach the bound in theory
 *     accuracy   share <= bound + 3 SE  ... for the share of right answers
 *
 * CE is in nats per target that counts.  SE is the standard error of the mean
 * difference of pairs, so that the randomness of the test set cancels.
 *
 * For floor, blind and accuracy every cell is a separate test; all have the
 * same level, P(z < -3), after Holm's correction over all tests.  For reach and
 * optimum the cells of a variant are judged together: the learning rate with
 * the lowest mean validation CE is chosen, and the mean is over all its seeds.
 * A cell that diverged has an infinite loss.
 */
#pragma once

#include "harness/nn/attention.h"
#include "harness/tasks/task.h"
#include "harness/train/config.h"
#include "harness/verify/facts.h"

struct science_run { /* a finished cell, or a diverged one: n = 0 */
    const struct config *config;
    const struct mix    *mix;
    const struct task   *task;
    size_t               n;      /* test examples                           */
    const double        *nll, *own, *tokens, *hits; /* (n)                  */
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
    const struct science_run *first; /* the first of its cells            */
    enum science_property     property;
    enum verdict              verdict;
    double measured, bound; /* of several tests, the least likely one     */
    double exact;           /* the floor on the same examples, or the bound
                               itself                                     */
    double p;               /* after Holm's correction; NAN: no test      */
    char   remark[96];
};

/* Returns *rows rows, grouped by task and variant in order of first occurrence.
 * The caller frees them. */
struct science_row *science_judge(const struct science_run *run, int runs,
                                  int *rows);
