/* curves: the learning curves of a cell from which bands are made: the training
 * loss and the metrics measured on validation text.  Private to this folder. */
#pragma once

#include "harness/base/arena.h"
#include "harness/store/cell.h"

struct curve {
    const char *name, *units; /* "train/loss", "nats/token"      */
    size_t      n;
    double     *step, *value; /* [n]; steps increase             */
};

struct curves { size_t n; struct curve *curve; };

/* Reads the curves of a cell into arena a.  Returns ERR_STORE if the cell is
 * damaged or has no training losses. */
int curves_read(struct curves *out, const char *store, const char *id,
                struct arena *a);
const struct curve *curves_find(const struct curves *c, const char *name);

/* Returns 1 if both steps were recorded. */
int curve_has(const struct curve *c, double first, double last);

/* Returns the mean from step `first` to `last`, both of which must be
 * recorded. */
double curve_mean(const struct curve *c, double first, double last);
