/*
 * select_trial: the settings that a cell's trials have chosen for it: those of
 * the trial whose last validation cross-entropy is the least, the first of
 * equals.
 */
#pragma once

#include "harness/plan/plan.h"
#include "harness/store/store.h"

/* Of a cell that is tuned.  c: its configuration with what was chosen; out: in
 * arena a.  ERR_STORE: a trial is not there, or damaged; ERR_DIVERGED: all
 * have. */
int select_trial(struct train_choice *out, struct config *c,
                 const struct cell *cell, struct store *s, struct arena *a);
