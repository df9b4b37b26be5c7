/*
 * learning: would more training change the order of two variants?
 *
 * Of a variant, over its cells: ce, the mean of their test cross-entropies, and
 * `gained`, the mean of what the last tenth of training still gained
 * (`settled`, train/run.h), with the standard error that theirs give it.  An
 * unknown gain is 0: of cells of earlier versions, of references, which do not
 * learn.  What another tenth would do to the gap of two variants is
 *
 *     drift = |gained of the one - gained of the other|
 *
 * if it is more than twice its standard error and at least LEARNING_FLOOR, else
 * 0: of curves too short for an error, too.  Two variants are unsettled if
 *
 *     drift > |ce of the one - ce of the other|
 *
 * Each might overtake the other with a tenth more training, or have been
 * overtaken by it.  Two that gain alike keep their gap, however much both still
 * learn.  A drift that noise hides is not seen; nor does it say anything about
 * longer training.  Gains are nats of training loss; so the gap is that of
 * cross-entropy, in nats, whatever metric is compared.
 */
#pragma once

/* Nats: differences of gains below it are less than any margin of interest. */
#define LEARNING_FLOOR 0.005

struct cell_reader;

/* Sums over the cells of a variant; zeros: of none. */
struct learning {
    int    cells, known; /* that have a ce; and `settled`, of these          */
    double ce, gained, variance; /* of gained; NAN: some has no error        */
};

/* Another cell; NAN: unknown. */
void learning_add(struct learning *l, double ce, double settled, double error);

/* *settled and *error of a cell, NAN where it has none.  ERR_STORE. */
int learning_read(double *settled, double *error, struct cell_reader *r);

double learning_gained(const struct learning *l); /* mean; NAN: unknown */
double learning_error(const struct learning *l);  /* its standard error */
double learning_drift(const struct learning *a, const struct learning *b);
int    learning_unsettled(const struct learning *a, const struct learning *b);
