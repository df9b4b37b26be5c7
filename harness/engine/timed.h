/* timed: where the time goes.  A backend around another one, with a clock at
 * every kernel; what is left of a step is everything else. */
#pragma once

#include "harness/engine/backend.h"

enum kernel_class {
    KERNEL_PRODUCTS, KERNEL_ATTENTION, KERNEL_NORM, KERNEL_LOSS,
    KERNEL_OPTIMIZER, KERNEL_CONVOLUTION, KERNEL_SCORES, KERNEL_EMBEDDING,
    KERNEL_DROPOUT, KERNEL_ELEMENTWISE, KERNEL_CLASSES
};
extern const char *const kernel_class_name[KERNEL_CLASSES + 1]; /* NULL ends */

/* Only one at a time. */
const struct backend *timed_open(const struct backend *inner);

/* Seconds since timed_open or the last call, summed over all threads. */
void timed_read(double seconds[KERNEL_CLASSES]);
