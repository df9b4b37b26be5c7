/* timed: a backend that measures the time of each kernel.  It wraps another
 * backend and reads the clock before and after every kernel.  train/train.c
 * uses it in profiled steps, train/bench.c in `synthbench bench`. */
#pragma once

#include "harness/engine/backend.h"

enum kernel_class {
    KERNEL_PRODUCTS, KERNEL_ATTENTION, KERNEL_NORM, KERNEL_LOSS,
    KERNEL_OPTIMIZER, KERNEL_CONVOLUTION, KERNEL_SCORES, KERNEL_EMBEDDING,
    KERNEL_DROPOUT, KERNEL_ELEMENTWISE, KERNEL_CLASSES
};
/* ends with NULL */
extern const char *const kernel_class_name[KERNEL_CLASSES + 1];

/* Returns a backend that runs and measures the kernels of `inner`.  Only one
 * such backend can be open at a time. */
const struct backend *timed_open(const struct backend *inner);

/* Writes the seconds of each class since timed_open or the last call of this
 * function, summed over all threads. */
void timed_read(double seconds[KERNEL_CLASSES]);
