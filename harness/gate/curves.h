/* curves: reads the learning curves from which bands (band.h) are made: the
 * training loss of a cell, and its metrics on validation text.  Private to this
 * folder. */
#pragma once

#include "harness/base/arena.h"
#include "harness/store/cell.h"

struct curve {
    const char *name, *units; /* "train/loss", "nats/token"      */
    size_t      n;
    double     *step, *value; /* [n]; steps increase             */
};

struct curves { size_t n; struct curve *curve; };

/* Reads the curves of a cell; the arena `a` owns them.  Returns ERR_STORE if
 * the cell is damaged or has no training losses. */
int curves_read(struct curves *out, const char *store, const char *id,
                struct arena *a);
const struct curve *curves_find(const struct curves *c, const char *name);

/* Returns 1 if the curve has points at the steps `first` and `last`. */
int curve_has(const struct curve *c, double first, double last);

/* Returns the mean of the curve from step `first` to step `last`, both of which
 * it must have. */
double curve_mean(const struct curve *c, double first, double last);
