/*
 * band: curves of several seeds as one: at each step the mean of those that
 * have a value there, and the least and the greatest of them.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

struct band_point {
    double step, value;
    double smooth, low, high; /* mean, least and greatest of the smoothed */
    int    seeds;
};

struct band { size_t n, room; struct band_point *point; }; /* starts as {0} */

/* Of one seed; what is not finite is left out. */
void band_add(struct band *b, double step, double value, double smooth);

/* After the last seed: one point a step, in their order. */
void band_close(struct band *b);

void band_free(struct band *b);
