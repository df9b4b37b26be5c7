/*
 * select_trial: chooses the settings of a tuned cell from the results of its
 * trials (config/tuning.h).  A worker calls it before it trains the cell.
 */
#pragma once

#include "harness/plan/plan.h"
#include "harness/store/store.h"

/* Chooses the trial with the lowest final validation cross-entropy, or the
 * first of several such trials.  Sets *c to the configuration of `cell` with
 * the settings of this trial, and *out to the choice and the results of all
 * trials, allocated from arena `a`.  Returns ERR_STORE if a trial is missing or
 * damaged, or ERR_DIVERGED if all trials have diverged. */
int select_trial(struct train_choice *out, struct config *c,
                 const struct cell *cell, struct store *s, struct arena *a);
