/*
 * watch: measures what attention does.  train.c calls watch_run before and
 * after training.  For each attention of the model, over one batch of
 * validation examples, it records a histogram of log10 of the visible weights,
 * and the mean entropy of the rows in nats (mean pooling has the ln of the
 * number of keys).
 *
 * It also measures the change of the logits in a training step: the root mean
 * square, over visible keys, of
 *
 *     B(weights after the step) - B(weights before it)
 *
 * without dropout and on the same tokens.  B is the input of the softmax: all
 * parts of a mixture and its position bias; the weights of a linear mixer; the
 * taps of a convolution.  The change is caused by the form's own parameters and
 * by those below, which change X.  It includes the shift of a whole row, which
 * a softmax ignores.
 *
 * The effect of the form's own parameters at the start can be computed: Adam's
 * first step changes each of them by lr, whatever its gradient (except for
 * eps), and so a logit, to first order in lr, by
 *
 *     reach       lr (sum_p |dB_ij / dp|^2)^1/2    root mean square, for random
 *                                                  signs of the gradients
 *     at most     lr sum_p |dB_ij / dp|            if the loss is that logit
 *
 * The file of each variant states both, in units of lr, as means over i, j, the
 * draw of the weights (init: glorot) and rows of X whose mean square is 1, as a
 * norm returns them; mu = (2/pi)^1/2 = E|z| of a normal z.  For d 128, four
 * heads and N 64 the reach of a logit is 1 in random, 2.4 in factorized-random,
 * 5.3 in dense, 10 in factorized-dense and 16 in vanilla.  No learning rate
 * suits all of them, which is why score_rate exists (nn/optim.h).
 * tests/variants/test_reach.c measures them.
 */
#pragma once

#include "harness/store/cell.h"
#include "harness/train/sentence.h"
#include "harness/train/trainer.h"

enum {
    WATCH_DECADES = 6,                /* 1e-6 .. 1; smaller: the first bin */
    WATCH_BINS = 4 * WATCH_DECADES,
    WATCH_LAYERS = 64,
    WATCH_LOGITS = 1 << 15,           /* about, per attention              */
    WATCH_MOVES = 32                  /* more than any number of steps has */
};

struct watched { int64_t bin[WATCH_BINS]; double entropy; long rows; };

struct watch {
    struct watched  place[3][WATCH_LAYERS];
    struct sentence sentence;
};

/* Runs the model on the validation examples of median length and fills out. */
void watch_run(struct watch *out, const struct trainer *t,
               const struct dataset *d);

/* Writes group attention/WHEN ("start", "end").  Bin k begins at 10^(k/4 - 6);
 * the first, which has all smaller weights, begins at 0. */
int watch_put(struct cell_writer *w, const char *when, const struct watch *x);

/* Visible logits of a forward pass.  If there are many, only the rows that a
 * hash of their index selects. */
struct kept { real *x; size_t n, cap; };
struct logits { struct kept place[3][WATCH_LAYERS]; };

tape_watch logits_keep; /* for tape.logits; arg: struct logits */

/* Reads the logits of as many of those examples as a shard has, so that
 * products of these shapes have been made before. */
void logits_read(struct logits *out, const struct trainer *t,
                 const struct dataset *d);
void logits_free(struct logits *l);
OWNER_OF_VALUE(logits_free, struct logits)

struct moves {
    int64_t n, step[WATCH_MOVES];
    int64_t logits[3][WATCH_LAYERS];               /* compared; 0: none */
    double  rms[3][WATCH_LAYERS][WATCH_MOVES];
};

/* Returns 1 if step t = 1 .. steps is measured: 1, 2, 4, 8, ... and the last.
 * Of 200 steps these are 9, of 800 steps 11.  Each requires two forward passes
 * of a shard.  With four shards per batch they take less than 1 % of the time
 * of 200 steps, 0.3 % of 800. */
int moves_due(uint64_t t, uint64_t steps);

void moves_add(struct moves *m, uint64_t t, const struct logits *before,
               const struct logits *after);

/* Returns the first step with a change that is not finite, and that change in
 * *value; or 0. */
int64_t moves_fault(const struct moves *m, double *value);

/* Writes group attention/moves. */
int moves_put(struct cell_writer *w, const struct moves *m);
