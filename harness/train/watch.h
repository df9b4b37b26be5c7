/*
 * watch: measures the weights of attention, and how training changes the
 * logits.  train.c calls watch_run before and after training.  For each
 * attention layer, over one batch of validation examples, watch_run records a
 * histogram of log10 of the visible weights and the mean entropy of the rows.
 * The entropy is in nats; the entropy of mean pooling is ln(number of keys).
 *
 * The functions logits_... and changes_... measure the change of the logits in
 * a training step: the root mean square, over visible keys, of
 *
 *     B(weights after the step) - B(weights before it)
 *
 * without dropout and on the same tokens.  B is the input of the softmax: all
 * parts of a mixture and its position bias.  For a linear mixer, B is its
 * weights; for a convolution, its taps.  The change is caused by the parameters
 * of the variant and by the parameters of earlier layers, which change the
 * input X.  It includes the shift of a whole row, which a softmax ignores.
 *
 * The effect of the variant's own parameters p at the start of training can be
 * computed.  Adam's first step changes each parameter by the learning rate lr,
 * whatever its gradient is (except for eps).  To first order in lr, this
 * changes logit B_ij by
 *
 *     reach       lr (sum_p |dB_ij / dp|^2)^1/2    root mean square, for random
 *                                                  signs of the gradients
 *     maximum     lr sum_p |dB_ij / dp|            if the loss is B_ij itself
 *
 * The file of each variant states both values in units of lr, as means over i,
 * j, the random weights (init: glorot) and rows of X with mean square 1, such
 * as the output of a layer norm.  In these files mu = (2/pi)^1/2, which is E|z|
 * of a standard normal z.  For d = 128, four heads and N = 64, the reach of a
 * logit is 1 in `random`, 2.4 in `factorized-random`, 5.3 in `dense`, 10 in
 * `factorized-dense` and 16 in `vanilla`.  No single learning rate suits all of
 * these variants; this is the reason for score_rate (nn/optim.h).
 * tests/variants/test_reach.c measures the values.
 */
#pragma once

#include "harness/store/cell.h"
#include "harness/train/sentence.h"
#include "harness/train/trainer.h"

enum {
    WATCH_DECADES = 6,                /* of the histogram, 1e-6 to 1       */
    WATCH_BINS = 4 * WATCH_DECADES,
    WATCH_LAYERS = 64,
    WATCH_LOGITS = 1 << 15,           /* logits kept per layer, about      */
    WATCH_CHANGES = 32                /* maximum number of measured steps  */
};

/* `entropy` is the sum of the entropies of `rows` rows. */
struct watched { int64_t bin[WATCH_BINS]; double entropy; long rows; };

struct watch {
    struct watched  place[3][WATCH_LAYERS]; /* [enum tape_place] */
    struct sentence sentence;
};

/* Runs the model on validation examples of median length and fills *out. */
void watch_run(struct watch *out, const struct trainer *t,
               const struct dataset *d);

/* Writes group attention/WHEN, where `when` is "start" or "end".  Bin k of the
 * histogram begins at 10^(k/4 - 6), except that bin 0 begins at 0. */
int watch_put(struct cell_writer *w, const char *when, const struct watch *x);

/* The visible logits of a forward pass.  If a layer has more than about
 * WATCH_LOGITS, only some of its rows are kept, selected by a hash of their
 * index. */
struct kept { real *x; size_t n, cap; };
struct logits { struct kept place[3][WATCH_LAYERS]; };

/* Appends the logits of one attention layer to a struct logits.  Set
 * tape.logits to this function and tape.watch_arg to the struct. */
tape_watch logits_keep;

/* Fills *out with the logits of the first examples that watch_run uses.  Uses
 * as many examples as a shard has, so that matrix products have the same shapes
 * as in training. */
void logits_read(struct logits *out, const struct trainer *t,
                 const struct dataset *d);
void logits_free(struct logits *l);
OWNER_OF_VALUE(logits_free, struct logits)

struct logit_changes {
    int64_t n, step[WATCH_CHANGES];
    int64_t logits[3][WATCH_LAYERS];  /* logits compared; 0: no such layer */
    double  rms[3][WATCH_LAYERS][WATCH_CHANGES];
};

/* Returns 1 if step t of `steps` is measured.  Steps 1, 2, 4, 8, ... and the
 * last step are measured: 9 in a run of 200 steps, 11 in a run of 800.  Each
 * measurement requires two forward passes of a shard.  With four shards per
 * batch, all measurements take less than 1 % of the time of 200 steps, and 0.3
 * % of the time of 800. */
int changes_due(uint64_t t, uint64_t steps);

/* Appends the change of the logits in step t to m. */
void changes_add(struct logit_changes *m, uint64_t t,
                 const struct logits *before, const struct logits *after);

/* Returns the number (from 1) of the first step with a change that is not
 * finite and stores the change in *value.  Returns 0 if all changes are
 * finite. */
int64_t changes_fault(const struct logit_changes *m, double *value);

/* Writes the changes as group attention/moves. */
int changes_put(struct cell_writer *w, const struct logit_changes *m);
