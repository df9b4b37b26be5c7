/* run: the state of one cell on its way from data to file. */
#pragma once

#include "harness/base/hash.h"
#include "harness/engine/timed.h"
#include "harness/stats/step_timing.h"
#include "harness/train/evaluate.h"
#include "harness/train/phase.h"
#include "harness/train/train.h"
#include "harness/train/watch.h"

enum { CURVE = TRAIN_CURVE, EVALS = 256 }; /* points of a curve at most */

/* What a checkpoint holds beside weights and optimiser state. */
struct history {
    double loss[CURVE]; /* mean training loss of each stretch of `stride` */
    double ce[EVALS];   /* validation cross-entropy, nats a token         */
    int64_t at[EVALS];  /* after this many steps                          */
    int64_t evals;      /* filled entries of ce and at                    */
    int64_t tokens;     /* trained on, targets (or examples) so far       */
    double seconds;     /* spent in training steps that nobody stopped    */
    double cpu_seconds; /* of processors, in the same steps               */
    int64_t stopped;    /* steps in which the process was stopped         */
    struct timing pace;   /* seconds of each of the others                  */
    struct load load;   /* before the first step, and after the last      */
    double eval_seconds;
    struct phases phases;
    int64_t clocked;    /* steps in which the kernels were clocked        */
    double clocked_seconds; /* of those steps, times threads              */
    double kernel[KERNEL_CLASSES]; /* seconds in them, of all threads     */
};

/* What is told of an evaluation: its name, of how many examples, work before
 * it and of each. */
struct stage { const char *phase; long of; double before, each; };

struct run {
    struct stage          stage;
    struct config         c; /* with what the data decides filled in */
    const struct mix     *mix;
    const struct task    *task;
    const struct train_env *env;
    struct dataset        data;
    double                rows; /* examples of a step, on average */
    struct trainer        trainer;
    struct history       *history;
    struct watch         *first, *last; /* attention at start and end */
    struct moves         *moves;   /* of its logits                   */
    struct scores         test;
    struct scored      *metric; /* those of the task, in its order */
    char                  start_sha256[HASH_HEX]; /* weights started from */
    struct arena         *memory;
    double                done;   /* steps so far                           */
    char                  build[HASH_HEX]; /* provenance_build, or ""       */
    long                  saved;  /* step of the newest checkpoint; 0: none */
    double                looked; /* when env->stop was last looked at      */
    double                gap;    /* the longest time between two looks     */
    double                told;   /* when env->tell was last called         */
};

int     run_is_trial(const struct run *r); /* it looks at no test example */
int64_t run_stride(const struct run *r); /* steps a point of history->loss */

/*
 * What the last tenth of training still gained, in nats: the mean of the tenth
 * of the n points of the training curve before the last one, less the mean of
 * the last; n / 10 points each, rounded down.  NAN of fewer than ten points.
 * *error: its standard error, as if the points' noise were independent; NAN of
 * fewer than twenty.  It is of training losses, as optimised, and not of the
 * validation curve, because that one's points are as many as `evals` says, too
 * few for a tenth, and no part of a cell's id.
 */
double run_settled(const double *loss, size_t n, double *error);

/* A point of the validation curve.  A run whose interval changes between its
 * resumes can come to more than EVALS: then half of them go. */
void history_add(struct history *h, int64_t steps, double ce);

/* To a checkpoint and from the newest, *step = 0 where there is none of this
 * build; one that is passed over is told as a remark. */
int run_save(struct run *r, uint64_t step);
int run_load(struct run *r, uint64_t *step);

/* Have all ranks the same?  ERR_DATA names the first that has not. */
int run_same_data(const struct run *r);

void run_look(struct run *r); /* at every look at env->stop */

/* Before anything is stored for good. */
int run_may_commit(const struct run *r);

/* The metrics of the test set.  ERR_DIVERGED: one is not finite. */
int record_measure(struct run *r);
int record_write(struct run *r);         /* the cell file, committed */
