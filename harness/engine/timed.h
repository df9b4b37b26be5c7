/* timed: measures the time of each kernel.  A backend that wraps another one
 * and reads the clock at every kernel; the rest of a step is everything
 * else. */
#pragma once

#include "harness/engine/backend.h"

enum kernel_class {
    KERNEL_PRODUCTS, KERNEL_ATTENTION, KERNEL_NORM, KERNEL_LOSS,
    KERNEL_OPTIMIZER, KERNEL_CONVOLUTION, KERNEL_SCORES, KERNEL_EMBEDDING,
    KERNEL_DROPOUT, KERNEL_ELEMENTWISE, KERNEL_CLASSES
};
extern const char *const kernel_class_name[KERNEL_CLASSES + 1]; /* NULL ends */

/* Returns a backend that measures inner.  Only one can be open at a time. */
const struct backend *timed_open(const struct backend *inner);

/* Writes the seconds since timed_open or the last call, summed over all
 * threads. */
void timed_read(double seconds[KERNEL_CLASSES]);
