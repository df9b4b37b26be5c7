/*
 * science: what finished cells say about laws (tasks/gen/law.h).  Of each cell
 * the loss on a test example is compared with the law's own:
 *
 *     floor      CE >= floor - 3 SE     of every cell: below it, it has seen
 *                                       answers
 *     reach      CE <= floor + 0.05     where theory says it can
 *     blind      CE >= bound - 3 SE     of probes whose weights see no token
 *     optimum    CE <= bound + 0.05     ... that can come as near
 *     accuracy   share <= bound + 3 SE  ... of right answers
 *
 * CE in nats a target that is asked for.  SE: of the mean difference of pairs,
 * so that the luck of the test set cancels.  Of floor, blind and accuracy every
 * cell is a test of its own, against one level, P(z < -3), after Holm's
 * correction over all of them.  Of reach and optimum the cells of a variant are
 * one: the learning rate with the lower mean validation CE, the mean over its
 * seeds, none left out: one that diverged has an infinite loss.
 */
#pragma once

#include "harness/nn/attention.h"
#include "harness/tasks/task.h"
#include "harness/train/config.h"
#include "harness/verify/facts.h"

struct science_run { /* a finished cell, or one that diverged: n = 0 */
    const struct config *config;
    const struct mix    *mix;
    const struct task   *task;
    size_t               n;      /* test examples                           */
    const double        *nll, *own, *tokens, *hits; /* (n)                  */
    double               valid;  /* last CE on the validation set           */
};

/* What a finished cell of a store holds, into `a`.  ERR_STORE. */
int science_read(struct science_run *r, const char *store, const char *id,
                 struct arena *a);

enum science_property {
    SCIENCE_FLOOR, SCIENCE_REACH, SCIENCE_BLIND, SCIENCE_OPTIMUM,
    SCIENCE_ACCURACY, SCIENCE_PROPERTIES
};
extern const char *const science_name[SCIENCE_PROPERTIES];

struct science_row {
    const struct science_run *first; /* of the cells it is about          */
    enum science_property     property;
    enum verdict              verdict;
    double measured, bound; /* of several tests the most unlikely one's   */
    double exact;           /* the floor on the same examples, or the
                               bound itself                               */
    double p;               /* after Holm; NAN where nothing is tested    */
    char   remark[96];
};

/* Rows by runs' tasks and variants, as they first come; caller frees. */
struct science_row *science_judge(const struct science_run *run, int runs,
                                  int *rows);
