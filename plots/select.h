/* select: what a figure shows of a report. */
#pragma once

#include "harness/report/report.h"

/* The different tasks or variants, in the order of the experiment; each list
 * ends with NULL and belongs to the report's memory. */
const char *const *select_tasks(const struct report *r);
const char *const *select_variants(const struct report *r);

int select_done(const struct report *r, const char *task); /* cells */
int select_is(const struct report_cell *c, const char *task,
              const char *variant);

/* The most seeds that are done of any variant on the task. */
int select_seeds(const struct report *r, const char *task);

/* "WMT En-De", as the tables call it; of a task in none of them its name. */
const char *select_task_title(const char *task);

/* "Loss: LM1B (SYNTHETIC DATA), scale quick, 3 seeds", kept by the report. */
const char *select_title(const struct report *r, const char *what,
                         const char *task);

/* What lines and bands of so many seeds are. */
const char *select_band(int seeds);

/* Nats.  A model that knows nothing has ln(vocabulary), 14 for a million
 * words; what is over this is worse than that and decides no axis. */
#define SELECT_WORST 20.0
int select_sane(double nats); /* finite and within that */

/* "nats/example" where the task's cells have an accuracy, as of labels, or
 * "nats/token".  ERR_STORE: the first that is done is damaged. */
int select_loss_unit(const char **out, const struct report *r,
                     const char *task);

/* Why a cell is not drawn. */
enum select_lost { SELECT_DRAWN, SELECT_DIVERGED, SELECT_BLIND, SELECT_FAILED };

/* Of a cell that is done, by its loss. */
enum select_lost select_loss(double nats);

/* Of every done cell of the task by its loss on the test set, one a cell of
 * the report, which keeps them. */
int select_losses(enum select_lost **out, const struct report *r,
                  const char *task);

/* One such seed makes every mean of the variant meaningless. */
int select_has_lost(const struct report *r, const char *task,
                    const char *variant, const enum select_lost *lost);

/* "diverged: dense; random seeds 1, 3.  Worse than what sees no input: mixer.
 * Failed: uniform" of the task's cells, "" where there are none; kept by the
 * report.  lost[i]: of cell i, where it counts as done. */
const char *select_absent(const struct report *r, const char *task,
                          const enum select_lost *lost);
