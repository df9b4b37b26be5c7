/* select: determines, for all figures, which tasks, variants and cells of a
 * report they show, and which they leave out and why.  Also returns texts that
 * several figures use. */
#pragma once

#include "harness/report/report.h"

/* select_tasks returns the report's tasks, select_variants its variants, each
 * once, in the order of the experiment.  Each list ends with NULL; the report
 * owns it. */
const char *const *select_tasks(const struct report *r);
const char *const *select_variants(const struct report *r);

/* Returns 1 if the cell belongs to the task and the variant (NULL: any).
 * select_finished also requires that it is finished. */
int select_is(const struct report_cell *c, const char *task,
              const char *variant);
int select_finished(const struct report_cell *c, const char *task,
                    const char *variant);

/* Returns the finished cell of the task and the variant (NULL: any) with the
 * lowest seed, or NULL if none is finished. */
const struct report_cell *select_first(const struct report *r, const char *task,
                                       const char *variant);

/* Returns the maximum, over the variants, of the number of finished seeds on
 * the task. */
int select_seeds(const struct report *r, const char *task);

/* Returns the task's title in the tables, "WMT En-De", or its name if no table
 * has it. */
const char *select_task_title(const char *task);

/* Returns a title, "Loss: LM1B (SYNTHETIC DATA), scale quick, 3 seeds"; the
 * report owns the title.  `what` is the part before the colon. */
const char *select_title(const struct report *r, const char *what,
                         const char *task);

/* Returns a text for the picture that explains its lines and bands over this
 * number of seeds, or "" if there is one seed. */
const char *select_band(int seeds);

/* Greatest loss that is drawn, in nats.  A model that has learned nothing has a
 * loss of ln(vocabulary size), which is 14 for a million words.  A loss greater
 * than SELECT_WORST does not affect an axis. */
#define SELECT_WORST 20.0
/* Returns 1 if a loss is finite and not greater than SELECT_WORST. */
int select_sane(double nats);

/* Sets *out to "nats/example" if the task's cell of select_first has an
 * accuracy, as tasks with labels do, or else to "nats/token".  Returns
 * ERR_STORE if that cell is damaged. */
int select_loss_unit(const char **out, const struct report *r,
                     const char *task);

/* Reason why a cell is not drawn. */
enum select_lost { SELECT_DRAWN, SELECT_DIVERGED, SELECT_BLIND, SELECT_FAILED };

/* Classifies a finished cell by its loss: SELECT_DRAWN if select_sane returns
 * 1, SELECT_BLIND if the loss is finite but greater than SELECT_WORST, or
 * SELECT_DIVERGED if it is not finite. */
enum select_lost select_loss(double nats);

/* Classifies every finished cell of the task by its loss on the test set.  Sets
 * *out to an array with one entry for each cell of the report, SELECT_DRAWN for
 * all other cells; the report owns the array.  Returns ERR_STORE if a cell is
 * damaged. */
int select_losses(enum select_lost **out, const struct report *r,
                  const char *task);

/* Returns 1 if any cell of the variant on the task has a loss that is not
 * drawn, because then every mean over the variant's seeds is meaningless.
 * `lost` is the array that select_losses sets. */
int select_has_lost(const struct report *r, const char *task,
                    const char *variant, const enum select_lost *lost);

/* Returns a list, by reason, of the cells of the task that are not drawn:
 * "diverged: dense; random seeds 1, 3.  Worse than the input-blind baseline:
 * mixer.  Failed: uniform", or "" if there are none.  The report owns the text.
 * lost[i] is the reason for cell i if the cell is finished. */
const char *select_absent(const struct report *r, const char *task,
                          const enum select_lost *lost);

/* Returns a text about `cells` cells without the values that a figure draws, or
 * "" if there are none.  The report owns the text. */
const char *select_silent(const struct report *r, int cells);

/* Returns both texts as sentences, or only one if the other is "". */
const char *select_note(const struct report *r, const char *a, const char *b);
