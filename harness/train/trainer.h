/*
 * trainer: a model with its optimizer, trained one step at a time.  Call
 * trainer_open first, then trainer_join if there are other ranks, then
 * trainer_step for each step.
 *
 * The batch of a step is cut into shards, and each shard belongs to a lane
 * (train.h).  All lanes share the model's weights; every lane has a gradient
 * buffer, every thread a tape.  A step is therefore one fork and join, and
 * memory grows with lanes and threads, not with shards.
 */
#pragma once

#include "harness/data/batch.h"
#include "harness/nn/optim.h"
#include "harness/nn/transformer.h"
#include "harness/tasks/task.h"
#include "harness/train/relay.h"

struct lane {
    struct params view;  /* shares the weights, has its own gradients */
    struct model *model;
};

struct trainer {
    const struct config *c;
    const struct backend *be;
    /* `plan`: the result of params_count (nn/params.h). */
    struct params        plan, params;
    struct optim         optim;
    struct zero1         share; /* division of the work among ranks */
    struct relay        *relay;
    real               **grad;  /* (lanes) flat gradients           */
    const struct schedule *schedule;
    struct lane         *lane; /* (lanes)   */
    struct tape        **tape; /* (threads) */
    int                  threads; /* number used; <= config.threads */
    double              *loss; /* (shards)  */
    /* The weights in the precision of the matrix products, or NULL. */
    uint16_t            *low;
};

/* Draws the weights of a new model.  c->model.family, vocab and classes must be
 * set.  If `be` is NULL, opens the backend of c->precision.  Returns OK or the
 * error of backend_of.  The caller must call trainer_close even after an
 * error. */
int trainer_open(struct trainer *t, const struct config *c,
                  const struct mix *mix, const struct backend *be);
void trainer_close(struct trainer *t);

/* From now on, trains together with the other ranks of r, each of which must
 * call trainer_join as well.  If r is NULL, this process trains alone. */
void trainer_join(struct trainer *t, struct ranks *r);

/* trainer_gather, which all ranks must call, collects the optimizer's state of
 * all ranks in rank 0, which stores the state.  trainer_thin then releases the
 * parts of the state that belong to other ranks. */
void trainer_gather(const struct trainer *t);
void trainer_thin(const struct trainer *t);

/* From now on, uses the backend `be`, which must share memory with the present
 * one. */
void trainer_use(struct trainer *t, const struct backend *be);

/* trainer_ready converts the weights to the precision of the matrix products.
 * Forward passes until trainer_rest use the converted weights, so the weights
 * must not change in between.  trainer_step and evaluate call both. */
void trainer_ready(const struct trainer *t);
void trainer_rest(const struct trainer *t);

/* Performs step s = 0, 1, ... and returns the mean loss of the batch.  If the
 * loss is not finite, the run has diverged and the weights do not change. */
double trainer_step(struct trainer *t, const struct batch *b, uint64_t s);

/* trainer_rate returns the learning rate of step `s`.  After a step,
 * trainer_grad returns the flat gradient of the batch; with several ranks, it
 * is complete only in the parts that this rank updates. */
double trainer_rate(const struct trainer *t, uint64_t s);
const real *trainer_grad(const struct trainer *t);

/* Returns the first learned tensor with a weight that is not finite and stores
 * this weight in *value.  Returns NULL if all weights are finite. */
const struct param *trainer_fault(const struct trainer *t, double *value);

/* Writes the SHA-256 of the learned weights, which are hashed in the order of
 * their declaration. */
void trainer_digest(const struct trainer *t, char hex[HASH_HEX]);

/* batch_longest returns a batch of `rows` examples of the longest length that
 * the task allows (NULL: that c allows), with all ids and labels 0.  The arrays
 * are allocated in a. */
struct batch batch_longest(const struct config *c, const struct task *task,
                           int rows, struct arena *a);
/* batch_alike does the same for examples with `source` ids in the source and
 * `target` ids in the target. */
struct batch batch_alike(const struct config *c, int source, int target,
                         int rows, struct arena *a);

/* Returns the rows `first` to `last` - 1 of a batch, without copying them. */
struct input batch_rows(const struct batch *b, int first, int last);
