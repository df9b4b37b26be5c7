/*
 * tuning: one equal budget for every row of a table to choose its settings by.
 *
 * Key `tuned` of a cell says how, e.g.
 *
 *     schedule.scale=0.5|1|2,score_rate=1|8,steps=350,seed=0
 *
 * Each combination of the values, the last key's the fastest, is a trial: a
 * cell with these values (key `trial` names them), so many steps and that seed,
 * which looks at no test example.  The cell is trained with the values of the
 * trial whose last validation cross-entropy is the least, the first of equals
 * (run/select_trial.h).  A warmup before a decay to zero is as short a part of
 * a trial as it is of the cell.
 */
#pragma once

#include "harness/config/experiment.h"

enum { TUNING_TRIALS = 64 };

/* What `tune` of an experiment says of a cell, as that key's value; the
 * caller's. */
char *tuning_text(const struct tune *t, const struct config *c);

/* Of config.tuned; 0: it is "none". */
int tuning_trials(const struct config *c);

long long tuning_seed(const struct config *c); /* that of its trials */

/* Trial i of c: another cell.  ERR_USAGE: settings that do not fit together. */
int tuning_trial(struct config *out, const struct config *c, int i);

/* "schedule.scale=2,score_rate=8"; the caller's. */
char *tuning_values(const struct config *c, int i);

/* Gives c the values of trial i.  ERR_USAGE. */
int tuning_apply(struct config *c, int i);

/* ERR_USAGE: no text of this form, or more trials than TUNING_TRIALS. */
int tuning_check(const char *text);
