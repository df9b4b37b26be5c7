/*
 * train: trains, evaluates and stores one cell, and estimates its cost.  `run`
 * and `lend` call train_cell; `plan` calls train_cost and train_expect to plan
 * cells.
 *
 * The batch of a step is cut into `shards` shards of consecutive examples.  A
 * single thread does the forward and backward pass of a shard; shard s belongs
 * to lane s mod `lanes`.  A lane adds the gradients of its shards in order into
 * one buffer, and the lanes are added pairwise in a fixed binary tree.  The
 * results are therefore bit-identical for any number of threads; at most
 * `lanes` threads are used.
 */
#pragma once

#include "harness/data/dataset.h"
#include "harness/nn/attention.h"
#include "harness/tasks/lengths.h"
#include "harness/tasks/task.h"
#include "harness/train/config.h"

#include <signal.h>

/* Part of every cell id.  Increase it if a change of the program changes the
 * results of the same configuration and data, such as a change of an op, an
 * initialization or the order of a sum. */
#define NUMERICS_VERSION 3

struct ranks; /* harness/ranks/ranks.h      */
struct placement; /* harness/train/provenance.h */

/* Progress of a cell.  It is reported twice per second, unless a step, an
 * evaluation batch or a reader of data takes longer. */
struct progress {
    /* "data", "train", "valid", "test", "decode", "store"; or a phase that
     * task_open reports. */
    const char *phase;
    long        done, of; /* `done` of `of` steps or examples are
                             finished                                */
    double      loss;     /* last training loss, nats; NAN: none yet */
    double      fraction; /* finished part of the cell, 0 to 1       */
    long        saved;    /* step of the last checkpoint; 0: none    */
    double      gap;      /* longest time so far between two checks for a
                             stop request, seconds                   */
    const char *remark;   /* for the user, or NULL                   */
};

struct train_choice {     /* settings chosen by trials (config/tuning.h) */
    size_t             n;     /* number of trials              */
    const char *const *trial; /* ids of the trials             */
    const double      *ce;    /* nats per token; NAN: diverged */
    const char        *chosen;
};

struct trace_file;

/* The results of a training run by another program
 * (docs/trainer-protocol.md). */
struct train_outside {
    const struct trace_file *start, *end; /* weights before and after */
    const char   *path;     /* path of `end`, for messages                */
    const double *loss;     /* training curve, train_stride steps a point */
    double        valid;    /* final cross-entropy that the program reports */
    const char   *start_sha256; /* of the pretrained weights, or ""       */
    /* Name and value of each attribute of provenance; ends with a NULL name. */
    const char *const (*attributes)[2];
};

enum { TRAIN_CURVE = 1000 }; /* maximum points of a training curve */

/* Returns the number of steps per point of the training curve. */
int train_stride(int steps);

struct train_env {        /* Only `outside` can change a result.        */
    const char *folder;   /* of checkpoints: FOLDER/<id>.{0,1}.ckpt     */
    const char *id;       /* of the cell                                */
    const char *config;   /* canonical text, kept in the cell file      */
    const char *settings; /* JSON of all keys that the id hashes        */
    const char *cache, *files; /* see task_opts                          */
    const char *store;    /* where the cell file is stored              */
    const struct train_choice *choice; /* the settings chosen by trials, which
                                          `config` already has; NULL: none */
    const struct train_outside *outside; /* replaces training; NULL: none */
    const char *from;     /* store that has config.pretrained, or NULL  */
    const struct metric *const *metric; /* all metrics; ends with NULL */
    const volatile sig_atomic_t *stop; /* not 0: save a checkpoint and end */
    struct ranks *ranks;  /* the ranks that train this cell; the first rank
                             stores it; NULL: one process               */
    const struct placement *placement; /* of this process, or NULL */
    int    jobs;          /* cells trained at the same time; 0: unknown */
    /* Called with the progress of the cell; not NULL. */
    void (*tell)(void *arg, const struct progress *p);
    /* Called right before anything is stored.  Returns OK, or an error
     * (ERR_BUSY) if nothing may be stored.  NULL: always OK. */
    int  (*may_commit)(void *arg);
    void  *arg;
};

/* Trains, evaluates and stores one cell; a trial is not evaluated on the test
 * set.  Returns OK, ERR_USAGE, ERR_DATA, ERR_SPACE, ERR_IO, ERR_STORE, or an
 * error of may_commit.  If a loss, a weight, a change of the logits or a metric
 * is not finite, returns ERR_DIVERGED and stores nothing.  If env->stop was
 * set, writes a checkpoint and returns ERR_STOPPED. */
int train_cell(const struct config *c, const struct mix *mix,
               const struct task *task, const struct train_env *env);

/* Returns the options with which the cell of configuration c opens its task. */
struct task_opts train_data(const struct config *c, const char *cache,
                            const char *files);
/* Returns 1 if cells of both configurations have the same data. */
int train_same_data(const struct config *a, const struct config *b);

/* Estimated cost of a cell; requires neither weights nor data. */
struct cost {
    double params;         /* learned parameters                      */
    double flops_per_step; /* forward and backward, multiply-add = 2; with
                              batch_by "tokens", of the longest batch */
    double gpu_bytes;      /* of the GPU's memory; 0: no GPU          */
    double bytes;          /* peak resident memory: the sum of `part` */
    struct memory {
        double weights;     /* including frozen ones                          */
        double gradients;   /* one copy per lane                              */
        double optimizer;   /* state of the optimizer                         */
        double activations; /* a tape per thread, for a step or an evaluation */
        double data;        /* prepared examples                              */
        double products;    /* kernels of the matrix products                 */
        double program;     /* code, libraries, decoding, writing the cell    */
    } part;
};

/* Returns the estimated FLOP/s of one worker.  The estimate is used until a
 * finished cell provides a measurement.  On a processor that supports bfloat16,
 * it is twice as high for bfloat16 products.  On a GPU, it is the speed of
 * T5-base on an H100; smaller models are slower. */
double train_speed(enum device d, enum precision p);

/* Estimates the cost of a cell.  If `task` is NULL, the estimate does not
 * include data and decoding.  Memory is estimated for the longest source and
 * the longest target in `l` or, if `l` is NULL, for the longest possible ones.
 * Operations are always estimated for the longest possible examples. */
void train_cost(const struct config *c, const struct mix *mix,
                const struct task *task, const struct lengths *l,
                struct cost *out);

/* The expected operations (multiply-add = 2) and numbers of examples and of ids
 * of a step; `ids` counts source and target. */
struct expected { double flops, rows, ids; };

/* Estimates a step whose examples have the lengths `l`.  Assumes that the
 * examples of a batch have about the same length. */
void train_expect(struct expected *out, const struct config *c,
                  const struct mix *mix, const struct lengths *l);

/* Returns only the number of learned parameters (cost.params). */
double train_params(const struct config *c, const struct mix *mix);
