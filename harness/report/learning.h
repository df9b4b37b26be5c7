/*
 * learning: decides whether more training might change the order of two
 * variants.  `compare`, `evidence` and the tables call it.
 *
 * Each variant has two means over its cells: `ce`, the test cross-entropy, and
 * `gained`, the gain in the last tenth of training (`settled`, train/run.h)
 * with its standard error.  Gains are unknown for cells of earlier versions,
 * and for references, which do not learn; an unknown gain counts as 0.  Another
 * tenth of training would change the gap of two variants by
 *
 *     drift = |gained of one - gained of the other|
 *
 * if this value is more than twice its standard error and at least
 * LEARNING_FLOOR.  Otherwise, or if the curves are too short for a standard
 * error, the drift is 0.  Two variants have not converged relative to their
 * difference (they are "unsettled") if
 *
 *     drift > |ce of one - ce of the other|
 *
 * Then one variant might overtake the other within another tenth of training,
 * or may have done so in the last tenth.  Two variants with equal gains keep
 * their gap, even if both still learn much.  A drift that is hidden by noise is
 * not detected, and the rule says nothing about longer training.  Gains are in
 * nats of training loss, so the gap is always measured in nats of
 * cross-entropy, even if another metric is compared.
 */
#pragma once

/* In nats.  A smaller difference of gains is irrelevant. */
#define LEARNING_FLOOR 0.005

struct cell_reader;

/* Sums over the cells of a variant; zeros: no cells. */
struct learning {
    int    cells, known; /* number of cells with a ce; number of these that
                            also have a gain */
    double ce, gained, variance; /* variance: sum of the squared standard errors
                                    of the gains; NAN if one is NAN */
};

/* Adds a cell to the sums: its test cross-entropy `ce`, its gain `settled` and
 * the standard error of the gain, `error`.  Each is NAN if it is unknown. */
void learning_add(struct learning *l, double ce, double settled, double error);

/* Reads the gain of a cell in the last tenth of training and its standard
 * error; each is NAN if the cell does not have it.  Returns ERR_STORE if the
 * cell is damaged. */
int learning_read(double *settled, double *error, struct cell_reader *r);

/* learning_gained returns the mean gain of a variant, or NAN if it is unknown;
 * learning_error returns the standard error of this mean; learning_drift
 * returns the drift of two variants, as defined above; learning_unsettled
 * returns 1 if they have not converged relative to their difference. */
double learning_gained(const struct learning *l);
double learning_error(const struct learning *l);
double learning_drift(const struct learning *a, const struct learning *b);

/* Returns the difference of two variants' cross-entropies, without sign; NAN if
 * one has no cells. */
double learning_gap(const struct learning *a, const struct learning *b);
int    learning_unsettled(const struct learning *a, const struct learning *b);
