/*
 * watch: what attention does.  For each attention of the model, over one batch
 * of validation examples: a histogram of log10 of the visible weights, and the
 * mean entropy of the rows in nats (ln of the number of keys: mean pooling).
 *
 * And how far its logits move in a step of training: the root mean square, over
 * visible keys, of
 *
 *     B(weights after the step) - B(weights before it)
 *
 * without dropout and on tokens that stay, B being what the softmax sees: all
 * parts of a mixture and its position bias; the weights of a linear mixer; the
 * taps of a convolution.  So it is what the form's own parameters do and what
 * those below do to X.  A shift of a whole row is in it, which no softmax sees.
 *
 * Of the form's own parameters alone, at the start: Adam's first step moves
 * each by lr, whatever its gradient (but for eps), and so a logit, to first
 * order in lr, by
 *
 *     reach       lr (sum_p |dB_ij / dp|^2)^1/2    root mean square, where the
 *                                                  gradients' signs are tossed
 *     at most     lr sum_p |dB_ij / dp|            where the loss is that logit
 *
 * The file of each variant has both, in units of lr, as means over i, j, the
 * draw of the weights (init: glorot) and rows of X whose mean square is 1, as a
 * norm gives them; mu = (2/pi)^1/2 = E|z| of a normal z.  For d 128, four heads
 * and N 64 a logit of random reaches 1, of factorized-random 2.4, of dense 5.3,
 * of factorized-dense 10 and of vanilla 16: no rate suits all of them, hence
 * score_rate (nn/optim.h).  tests/variants/test_reach.c measures them.
 */
#pragma once

#include "harness/store/cell.h"
#include "harness/train/sentence.h"
#include "harness/train/trainer.h"

enum {
    WATCH_DECADES = 6,                /* 1e-6 .. 1; smaller: the first bin */
    WATCH_BINS = 4 * WATCH_DECADES,
    WATCH_LAYERS = 64,
    WATCH_LOGITS = 1 << 15,           /* or so, of an attention            */
    WATCH_MOVES = 32                  /* more than of any number of steps  */
};

struct watched { int64_t bin[WATCH_BINS]; double entropy; long rows; };

struct watch {
    struct watched  place[3][WATCH_LAYERS];
    struct sentence sentence;
};

/* The model on the validation examples of median length. */
void watch_run(struct watch *out, const struct trainer *t,
               const struct dataset *d);

/* Group attention/WHEN ("start", "end").  A bin begins with 10^(k/4 - 6), but
 * the first, which has all that is smaller, with 0. */
int watch_put(struct cell_writer *w, const char *when, const struct watch *x);

/* Visible logits of a forward; of many the rows that a hash of their number
 * picks. */
struct kept { real *x; size_t n, cap; };
struct logits { struct kept place[3][WATCH_LAYERS]; };

tape_watch logits_keep; /* a tape tells them; arg: struct logits */

/* Of as many of those examples as a shard has, so that its products have been
 * made before. */
void logits_read(struct logits *out, const struct trainer *t,
                 const struct dataset *d);
void logits_free(struct logits *l);
OWNER_OF_VALUE(logits_free, struct logits)

struct moves {
    int64_t n, step[WATCH_MOVES];
    int64_t logits[3][WATCH_LAYERS];               /* compared; 0: no such */
    double  rms[3][WATCH_LAYERS][WATCH_MOVES];
};

/* Is step t = 1 .. steps measured?  1, 2, 4, 8, ... and the last: of 200 steps
 * 9, of 800 11.  Each takes two forwards of a shard, so with four shards to a
 * batch all together under 1 % of the time of 200 steps, 0.3 % of 800. */
int moves_due(uint64_t t, uint64_t steps);

void moves_add(struct moves *m, uint64_t t, const struct logits *before,
               const struct logits *after);

/* The first step with a move, *value, that is not finite; or 0. */
int64_t moves_fault(const struct moves *m, double *value);

/* Group attention/moves. */
int moves_put(struct cell_writer *w, const struct moves *m);
