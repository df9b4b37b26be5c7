/*
 * trainer: a model with its optimiser, one step at a time.
 *
 * A step's batch is cut into shards; lanes work on them (train.h).  Every
 * lane has the model's weights in common and a gradient buffer of its own,
 * every thread a tape, so a step is one fork and join, and memory grows with
 * lanes and threads, not with shards.
 */
#pragma once

#include "harness/data/batch.h"
#include "harness/nn/optim.h"
#include "harness/nn/transformer.h"
#include "harness/tasks/task.h"
#include "harness/train/relay.h"

struct lane {
    struct params view;
    struct model *model;
};

struct trainer {
    const struct config *c;
    const struct backend *be;
    struct params        plan, params;
    struct optim         optim;
    struct zero1         share; /* of the ranks that train it together */
    struct relay        *relay;
    real               **grad;  /* (lanes) */
    const struct schedule *schedule;
    struct lane         *lane; /* (lanes)                                 */
    struct tape        **tape; /* (threads)                               */
    int                  threads; /* as many as asked for, and of use     */
    double              *loss; /* (shards) */
    uint16_t            *low;  /* the weights as products take them, or NULL */
};

/* c->model.family, vocab and classes are set.  Weights are drawn.  be: NULL
 * for that of c->precision, which may fail to open: its error (backend_of), and
 * trainer_close may still be called. */
int trainer_open(struct trainer *t, const struct config *c,
                  const struct mix *mix, const struct backend *be);
void trainer_close(struct trainer *t);

/* With other ranks from here on: each of them says so. */
void trainer_join(struct trainer *t, struct ranks *r);

/* The optimiser's state is whole with rank 0, as it is stored; each has its own
 * alone. */
void trainer_gather(const struct trainer *t);
void trainer_thin(const struct trainer *t);

/* Computes by another backend of the same memory from here on. */
void trainer_use(struct trainer *t, const struct backend *be);

/* What follows computes with the weights as they are now, till trainer_rest:
 * a step and an evaluation say so themselves. */
void trainer_ready(const struct trainer *t);
void trainer_rest(const struct trainer *t);

/* Step s = 0, 1, ...: the mean loss of the batch; not finite: diverged, and
 * the weights are left as they were. */
double trainer_step(struct trainer *t, const struct batch *b, uint64_t s);

/* Learning rate of step s; and after it, all of the batch's gradient, flat. */
double trainer_rate(const struct trainer *t, uint64_t s);
const real *trainer_grad(const struct trainer *t);

/* The first tensor with a learned weight, *value, that is not finite; or
 * NULL. */
const struct param *trainer_fault(const struct trainer *t, double *value);

/* SHA-256 of the learned weights, in order of declaration. */
void trainer_digest(const struct trainer *t, char hex[HASH_HEX]);

/* `rows` examples as long as the task's may be, all ids and labels 0. */
struct batch batch_longest(const struct config *c, const struct task *task,
                           int rows, struct arena *a);
/* ... and each side so long. */
struct batch batch_alike(const struct config *c, int source, int target,
                         int rows, struct arena *a);

/* Rows [first, last) of a batch. */
struct input batch_rows(const struct batch *b, int first, int last);
