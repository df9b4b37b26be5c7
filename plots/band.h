/*
 * band: combines the curves of several seeds.  At each training step, the band
 * has the mean, the minimum and the maximum over the seeds that have a value at
 * this step.  Figures call band_add for the points of every seed, then
 * band_close.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

struct band_point {
    double step, value;       /* value: mean of the values            */
    double smooth, low, high; /* mean, minimum and maximum of the smoothed
                                 values                               */
    int    seeds;             /* number of seeds with a value         */
};

struct band { size_t n, room; struct band_point *point; }; /* starts as {0} */

/* Adds to b a point of the curve of one seed; `smooth` is the smoothed value.
 * If `value` or `smooth` is not finite, does nothing. */
void band_add(struct band *b, double step, double value, double smooth);

/* Combines the points, so that b->point has one point for each step, sorted by
 * step.  Call band_close after the last seed. */
void band_close(struct band *b);

void band_free(struct band *b);
OWNER_OF_VALUE(band_free, struct band)
