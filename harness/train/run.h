/* run: the state of one cell while train_cell trains, evaluates and stores it.
 * train.c creates it; only resume.c and record.c use it as well. */
#pragma once

#include "harness/base/hash.h"
#include "harness/engine/timed.h"
#include "harness/stats/step_timing.h"
#include "harness/train/evaluate.h"
#include "harness/train/phase.h"
#include "harness/train/train.h"
#include "harness/train/watch.h"

enum { CURVE = TRAIN_CURVE, EVALS = 256 }; /* maximum points of a curve */

/* What a checkpoint stores in addition to weights and optimizer state. */
struct history {
    double loss[CURVE]; /* mean training loss of each run_stride steps */
    double ce[EVALS];   /* validation cross-entropy, nats per token   */
    int64_t at[EVALS];  /* number of steps before ce was measured     */
    int64_t evals;      /* filled entries of ce and at                */
    int64_t tokens;     /* targets (or examples) trained on so far    */
    double seconds;     /* time of the steps that were not stopped    */
    double cpu_seconds; /* processor time of the same steps           */
    int64_t stopped;    /* steps during which the process was stopped */
    struct timing pace; /* seconds per step, without the steps during which the
                           process was stopped and those that were profiled */
    struct load load;   /* of the system, before the first step and after the
                           last */
    double eval_seconds;
    struct phases phases;
    int64_t clocked;    /* steps that were profiled per kernel        */
    double clocked_seconds; /* of these steps, times threads */
    double kernel[KERNEL_CLASSES]; /* seconds in the clocked steps, summed over
                                      threads */
};

/* An evaluation, for reports of progress.  `phase` is its name and `of` the
 * number of its examples.  `before` is the work of the cell before the
 * evaluation and `each` the work per example, both in forward passes of one
 * example. */
struct stage { const char *phase; long of; double before, each; };

struct run {
    struct stage          stage;
    struct config         c; /* with the fields that depend on the data */
    const struct mix     *mix;
    const struct task    *task;
    const struct train_env *env;
    struct dataset        data;
    double                rows; /* mean examples per step          */
    struct trainer        trainer;
    struct history       *history;
    struct watch         *first, *last; /* attention at start and end */
    struct logit_changes *changes;
    struct scores         test;
    struct scored      *metric; /* the task's metrics, in its order */
    char                  start_sha256[HASH_HEX]; /* of the weights with
                                                     which training starts,
                                                     or "" */
    struct arena         *memory;
    double                done;   /* steps so far                         */
    char                  build[HASH_HEX]; /* provenance_build, or "" */
    long                  saved;  /* step of the last checkpoint; 0: none */
    double                looked; /* when env->stop was last checked      */
    double                gap;    /* longest time between two checks      */
    double                last_report; /* when env->tell was called last */
};

/* run_is_trial returns 1 if the cell is a trial, else 0; run_stride returns the
 * number of steps per point of history->loss. */
int     run_is_trial(const struct run *r);
int64_t run_stride(const struct run *r);

/*
 * Returns the gain in the last tenth of training, in nats: the mean of the
 * second to last tenth of the training curve (n points) minus the mean of the
 * last tenth.  Each tenth has n / 10 points, rounded down.  If n < 10, returns
 * NAN.  *error receives the standard error of the gain, as if the noise of the
 * points were independent, or NAN if n < 20.  The gain is computed from
 * training losses and not from the validation curve, which has too few points
 * for a tenth; moreover their number (`evals`) is not part of a cell's id.
 */
double run_last_gain(const double *loss, size_t n, double *error);

/* Adds a point to the validation curve.  If there are already EVALS points,
 * first drops every other point, but keeps the last one.  This can happen if a
 * run resumes with another interval between evaluations. */
void history_add(struct history *h, int64_t steps, double ce);

/* run_save writes a checkpoint; all ranks must call it, and rank 0 writes the
 * file.  run_load reads the most recent checkpoint that this build wrote, or
 * sets *step = 0 if there is none.  If run_load skips files, it reports this as
 * a remark (struct progress).  Both return OK or an error. */
int run_save(struct run *r, uint64_t step);
int run_load(struct run *r, uint64_t *step);

/* Returns OK if all ranks have the same data.  Otherwise returns ERR_DATA with
 * a message that names the first rank whose data differ. */
int run_same_data(const struct run *r);

/* Updates r->gap; called at every check of env->stop. */
void run_look(struct run *r);

/* Returns OK or the error of env->may_commit.  Must be called before anything
 * is stored permanently. */
int run_may_commit(const struct run *r);

/* Computes the metrics of the test set.  Returns ERR_DIVERGED if a metric is
 * not finite. */
int record_measure(struct run *r);
/* Writes and commits the cell file. */
int record_write(struct run *r);
