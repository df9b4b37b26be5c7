/*
 * train: task x model -> run.
 *
 * Shards: a step's batch is cut into `shards` runs of examples.  One thread
 * does one shard's forward and backward alone; shard s belongs to lane
 * s mod lanes; a lane adds its shards into one gradient buffer in order, and
 * lanes are added pairwise in a fixed binary tree.  So the number of threads
 * (at most `lanes` are used) changes the time and never a bit.
 */
#pragma once

#include "harness/data/dataset.h"
#include "harness/nn/attention.h"
#include "harness/tasks/lengths.h"
#include "harness/tasks/task.h"
#include "harness/train/config.h"

#include <signal.h>

/* Part of every cell id: raise it when the same configuration and data give
 * other numbers (an op, an initialisation, the order of a sum). */
#define NUMERICS_VERSION 3

struct ranks; /* harness/ranks/ranks.h */
struct stand; /* harness/train/provenance.h */

struct progress {         /* told twice a second, where no step, batch of an
                             evaluation or reader of data takes longer   */
    const char *phase;    /* "data", "train", "valid", "test", "decode"  */
    long        done, of; /* steps or examples                           */
    double      loss;     /* last training loss, nats; NAN before        */
    double      fraction; /* of the whole cell's work, 0 to 1            */
    long        saved;    /* steps that a checkpoint holds               */
    double      gap;      /* longest time that a stop had to wait, seconds */
    const char *remark;   /* for the user, or NULL                       */
};

struct train_choice {     /* what trials have chosen: config/tuning.h     */
    size_t             n;
    const char *const *trial; /* their ids                                */
    const double      *ce;    /* nats a token; NAN: it has diverged       */
    const char        *chosen;
};

struct trace_file;

/* A training that another program did: docs/trainer-protocol.md. */
struct train_outside {
    const struct trace_file *start, *end; /* weights before and after       */
    const char   *path;     /* of `end`, for messages                       */
    const double *loss;     /* the training curve: run_stride steps a point */
    double        valid;    /* cross-entropy that it reports at the end     */
    const char   *start_sha256; /* of the cell it starts from, or ""        */
    const char *const (*told)[2]; /* attributes of provenance and their values;
                                     ends with a name of NULL               */
};

enum { TRAIN_CURVE = 1000 }; /* points of a training curve at most */

/* Steps of a point of the training curve. */
int train_stride(int steps);

struct train_env {        /* none of it changes a stored number */
    const char *folder;   /* where checkpoints go: FOLDER/<id>.{0,1}.ckpt */
    const char *id;       /* of the cell                                  */
    const char *config;   /* canonical text, kept in the cell file        */
    const char *settings; /* JSON of every key that the id hashes         */
    const char *cache, *files; /* see task_opts                           */
    const char *store;    /* where the finished cell file goes            */
    const struct train_choice *choice; /* that c has in it; NULL: none */
    const struct train_outside *outside; /* in place of training; NULL: none */
    const char *from;     /* the store of the cell whose weights it starts
                             from, config.pretrained; NULL: of none       */
    const struct metric *const *metric; /* all that there are; NULL ends   */
    const volatile sig_atomic_t *stop; /* not 0: checkpoint and end       */
    struct ranks *ranks;  /* that train this cell together, and only the first
                             stores; NULL: alone                          */
    const struct stand *stand; /* where this process was put; NULL: nowhere */
    int    jobs;          /* cells that are trained at a time; 0: unknown */
    void (*tell)(void *arg, const struct progress *p);
    int  (*may_commit)(void *arg); /* right before anything is stored: OK, or
                                      why not (ERR_BUSY); NULL: always   */
    void  *arg;
};

/* Trains, evaluates and stores one cell; a trial is not tested.  Errors:
 * ERR_DATA, ERR_DIVERGED (a loss, a weight or a metric is not finite; nothing
 * is stored), ERR_STOPPED (a checkpoint is written), ERR_SPACE, ERR_STORE, and
 * those of may_commit. */
int train_cell(const struct config *c, const struct mix *mix,
               const struct task *task, const struct train_env *env);

/* What a cell asks of its task. */
struct task_opts train_data(const struct config *c, const char *cache,
                            const char *files);

/* Cost of a cell, known without weights or data. */
struct cost {
    double params;         /* learned numbers                             */
    double flops_per_step; /* forward and backward, multiply-add = 2; of
                              batches of tokens, those of the longest     */
    double gpu_bytes;      /* of the GPU's memory; 0: on the processor    */
    double bytes;          /* resident at the most: the sum of these      */
    struct memory {
        double weights;     /* frozen ones too                            */
        double gradients;   /* one a lane                                 */
        double optimizer;   /* its state                                  */
        double activations; /* a tape a thread, of a step or an evaluation */
        double data;        /* prepared examples                          */
        double products;    /* kernels of the matrix products             */
        double program;     /* code, libraries, decoding, writing the cell */
    } part;
};

/* FLOP/s of one worker, a guess until a cell is done to learn from: products of
 * bfloat16 are about twice as fast where the processor has them.  That of a GPU
 * is for T5-base on an H100; smaller models are slower. */
double train_speed(enum device d, enum precision p);

/* task NULL: without data, and nothing is decoded.  l: memory is for examples
 * so long at most, by side; NULL: as long as may be, as operations always. */
void train_cost(const struct config *c, const struct mix *mix,
                const struct task *task, const struct lengths *l,
                struct cost *out);

/* A step, on average, of such examples: batches are of about one length. */
struct expected { double flops, rows, ids; };

void train_expect(struct expected *out, const struct config *c,
                  const struct mix *mix, const struct lengths *l);

/* Learned parameters alone. */
double train_params(const struct config *c, const struct mix *mix);
