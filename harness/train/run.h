/* run: the state of one cell, from its data to its file.  train.c creates it
 * and resume.c and record.c use it; no other module does. */
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
    double loss[CURVE]; /* mean training loss of every `stride` steps */
    double ce[EVALS];   /* validation cross-entropy, nats per token   */
    int64_t at[EVALS];  /* after this many steps                      */
    int64_t evals;      /* filled entries of ce and at                */
    int64_t tokens;     /* targets (or examples) trained on so far    */
    double seconds;     /* in training steps, without stopped ones    */
    double cpu_seconds; /* of processors, in the same steps           */
    int64_t stopped;    /* steps during which the process was stopped */
    struct timing pace;   /* seconds per step, neither stopped nor clocked */
    struct load load;   /* before the first step and after the last   */
    double eval_seconds;
    struct phases phases;
    int64_t clocked;    /* steps that were profiled per kernel        */
    double clocked_seconds; /* of those steps, times threads */
    double kernel[KERNEL_CLASSES]; /* seconds in those steps, over all
                                      threads */
};

/* Progress of an evaluation: its name, the number of examples, the work before
 * it and the work per example. */
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
    struct moves         *moves;   /* changes of the logits */
    struct scores         test;
    struct scored      *metric; /* those of the task, in its order */
    char                  start_sha256[HASH_HEX]; /* of the pretrained weights,
                                                     or "" */
    struct arena         *memory;
    double                done;   /* steps so far                         */
    char                  build[HASH_HEX]; /* provenance_build, or "" */
    long                  saved;  /* step of the last checkpoint; 0: none */
    double                looked; /* when env->stop was last checked      */
    double                gap;    /* longest time between two checks      */
    double                told;   /* when env->tell was last called       */
};

int     run_is_trial(const struct run *r); /* 1: it is not tested */
int64_t run_stride(const struct run *r); /* steps per point of history->loss */

/*
 * Returns the gain in the last tenth of training, in nats: the mean of the
 * tenth of the n points of the training curve before the last one, minus the
 * mean of the last.  Each has n / 10 points, rounded down.  With fewer than ten
 * points, returns NAN.  *error: the standard error of the gain, as if the noise
 * of the points were independent; NAN with fewer than twenty points.  The gain
 * is that of the training losses, as optimized, and not of the validation
 * curve: the latter has as many points as `evals` says, too few for a tenth,
 * and is no part of a cell's id.
 */
double run_settled(const double *loss, size_t n, double *error);

/* Adds a point to the validation curve.  A run whose interval changes when it
 * resumes can reach more than EVALS points; then every other one is dropped. */
void history_add(struct history *h, int64_t steps, double ce);

/* run_save writes a checkpoint.  run_load reads the most recent one, or sets
 * *step = 0 if there is none of this build; a skipped file is reported as a
 * remark. */
int run_save(struct run *r, uint64_t step);
int run_load(struct run *r, uint64_t *step);

/* Returns OK if all ranks have the same data, or ERR_DATA, with the first rank
 * that differs in the message. */
int run_same_data(const struct run *r);

void run_look(struct run *r); /* called at every check of env->stop */

/* Returns OK or the error of env->may_commit.  Called before anything is stored
 * permanently. */
int run_may_commit(const struct run *r);

/* Computes the metrics of the test set.  Returns ERR_DIVERGED if one is not
 * finite. */
int record_measure(struct run *r);
int record_write(struct run *r);         /* writes and commits the cell file */
