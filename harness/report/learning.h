/*
 * learning: whether more training might change the order of two variants.
 *
 * For each variant there are two means over its cells: ce, the test
 * cross-entropy, and `gained`, the gain in the last tenth of training
 * (`settled`, train/run.h) with its standard error.  An unknown gain counts as
 * 0: that of cells of earlier versions, and of references, which do not learn.
 * Another tenth of training would change the gap of two variants by
 *
 *     drift = |gained of one - gained of the other|
 *
 * if this is more than twice its standard error and at least LEARNING_FLOOR,
 * otherwise by 0.  The drift is also 0 if the curves are too short for a
 * standard error.  Two variants have not converged relative to their difference
 * (they are unsettled) if
 *
 *     drift > |ce of one - ce of the other|
 *
 * With a tenth more training, one might overtake the other, or it may have done
 * so in the last tenth.  Two variants with equal gains keep their gap, even if
 * both still learn much.  A drift that is hidden by noise is not detected, and
 * nothing is implied about longer training.  Gains are in nats of training
 * loss, so the gap is that of cross-entropy in nats, whatever metric is
 * compared.
 */
#pragma once

/* In nats.  Differences of gains below it are smaller than any margin of
 * interest. */
#define LEARNING_FLOOR 0.005

struct cell_reader;

/* Sums over the cells of a variant; zeros: no cells. */
struct learning {
    int    cells, known; /* cells with a ce; with `settled`, too */
    double ce, gained, variance; /* sums; variance is that of gained, NAN if a
                                    cell has no error */
};

/* Adds a cell.  NAN: unknown. */
void learning_add(struct learning *l, double ce, double settled, double error);

/* Reads *settled and *error of a cell, NAN if it has none.  Returns ERR_STORE
 * if it is damaged. */
int learning_read(double *settled, double *error, struct cell_reader *r);

double learning_gained(const struct learning *l); /* mean; NAN: unknown */
double learning_error(const struct learning *l);  /* its standard error */
double learning_drift(const struct learning *a, const struct learning *b);
int    learning_unsettled(const struct learning *a, const struct learning *b);
