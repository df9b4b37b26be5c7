/*
 * tuning: defines the trials by which settings of a cell are chosen, with the
 * same budget for every row of a table.  matrix.h creates their cells, and
 * run/select_trial.h chooses among them.
 *
 * The value of key `tuned` is the grid of the trials, e.g.
 *
 *     schedule.scale=0.5|1|2,score_rate=1|8,steps=350,seed=0
 *
 * Each combination of the values is a trial; the last key varies fastest.  A
 * trial is a cell with these values (its key `trial` names them) and with the
 * steps and the seed of the grid.  It is not evaluated on test examples.  The
 * tuned cell is trained with the values of the trial whose last validation
 * cross-entropy is lowest; if there are several, the first of these is used.
 * If the learning rate decays to zero after a warmup, the warmup is the same
 * fraction of all steps in a trial as in the cell.
 */
#pragma once

#include "harness/config/experiment.h"

enum { TUNING_TRIALS = 64 };

/* Returns the value of key `tuned` of cell `c`.  `t`, an entry of `tune` in the
 * experiment file, defines the trials.  The caller frees the value. */
char *tuning_text(const struct tune *t, const struct config *c);

/* Returns the number of trials of `c`, or 0 if c->tuned is "none". */
int tuning_trials(const struct config *c);

/* Returns the seed of the trials of `c`, which must be tuned. */
long long tuning_seed(const struct config *c);

/* Sets *out to the configuration of trial `i` of `c`.  Returns ERR_USAGE if
 * settings of the trial conflict. */
int tuning_trial(struct config *out, const struct config *c, int i);

/* Returns the values of trial `i` of `c`, such as
 * "schedule.scale=2,score_rate=8"; the caller frees the text. */
char *tuning_values(const struct config *c, int i);

/* Sets `c` to the values of its trial `i`.  Returns ERR_USAGE if settings
 * conflict. */
int tuning_apply(struct config *c, int i);

/* Returns ERR_USAGE if `text` does not have the form of key `tuned`, or has
 * more than TUNING_TRIALS trials, an invalid value, or a key that cannot be
 * tuned. */
int tuning_check(const char *text);
