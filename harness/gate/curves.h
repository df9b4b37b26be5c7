/* curves: those of a cell that a band is made of: the training loss and what
 * was measured on validation text; private to this folder. */
#pragma once

#include "harness/base/arena.h"
#include "harness/store/cell.h"

struct curve {
    const char *name, *units; /* "train/loss", "nats/token"      */
    size_t      n;
    double     *step, *value; /* [n], of a step that rises       */
};

struct curves { size_t n; struct curve *curve; };

/* They live in a.  ERR_STORE: the cell is damaged, or lacks its losses. */
int curves_read(struct curves *out, const char *store, const char *id,
                struct arena *a);
const struct curve *curves_find(const struct curves *c, const char *name);

/* 1: both steps were recorded. */
int curve_has(const struct curve *c, double first, double last);

/* The mean of what was recorded from step first to last, which it has. */
double curve_mean(const struct curve *c, double first, double last);
