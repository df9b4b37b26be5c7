/* run: the state of one cell on its way from data to file. */
#ifndef TRAIN_RUN_H
#define TRAIN_RUN_H

#include "harness/train/evaluate.h"
#include "harness/train/train.h"
#include "harness/train/watch.h"

enum { CURVE = 1000, EVALS = 256 }; /* points of a curve at most */

/* What a checkpoint holds beside weights and optimiser state. */
struct history {
    double loss[CURVE]; /* mean training loss of each stretch of `stride` */
    double ce[EVALS];   /* validation cross-entropy, nats a token         */
    int64_t at[EVALS];  /* after this many steps                          */
    int64_t evals;      /* filled entries of ce and at                    */
    int64_t tokens;     /* trained on, targets (or examples) so far       */
    double seconds;     /* spent in training steps                        */
    double eval_seconds;
};

struct run {
    struct config         c; /* with what the data decides filled in */
    const struct mix     *mix;
    const struct task    *task;
    const struct train_env *env;
    struct dataset        data;
    struct trainer        trainer;
    struct history       *history;
    struct watch         *first, *last; /* attention at start and end */
    struct scores         test;
    struct arena         *memory;
};

int64_t run_stride(const struct run *r); /* steps a point of history->loss */

int record_write(struct run *r);         /* the cell file, committed */

#endif
