/*
 * learning: does a cell still learn so fast that its place is not known?
 *
 * Of a variant, over its cells: ce, the mean of their test cross-entropies, and
 * `gained`, the mean of what the last tenth of training still gained
 * (`settled`, train/run.h), with the standard error that theirs give it.  A
 * gain counts where it is more than twice its error; one that does not count is
 * 0, and so is an unknown one: of cells of older programs, of curves too short
 * for an error, of references, which do not learn.  Two variants are unsettled
 * where
 *
 *     the greater gain that counts > |ce of the one - ce of the other|
 *
 * Each might overtake the other with a tenth more training, or have been
 * overtaken by it.  Gains are nats of training loss; so the gap is that of
 * cross-entropy, in nats, whatever metric is compared.
 */
#pragma once

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
double learning_counts(double gained, double error); /* what of it counts */
int    learning_unsettled(const struct learning *a, const struct learning *b);
