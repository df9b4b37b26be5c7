/*
 * select_trial: chooses the settings of a tuned cell by its trials
 * (config/tuning.h).  A worker calls it before it trains the cell.
 */
#pragma once

#include "harness/plan/plan.h"
#include "harness/store/store.h"

/* Sets *c to the configuration of a tuned cell with the settings of the trial
 * that has the lowest last validation cross-entropy (of equals, the first), and
 * *out, in arena a, to the choice and all trials.  Returns ERR_STORE if a trial
 * is missing or damaged, or ERR_DIVERGED if all trials have diverged. */
int select_trial(struct train_choice *out, struct config *c,
                 const struct cell *cell, struct store *s, struct arena *a);
