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

/* Returns a backend that runs and measures the kernels of `inner`.  It is valid
 * until the next call of this function. */
const struct backend *timed_open(const struct backend *inner);

/* Writes the seconds of each class, summed over all threads, since timed_open
 * or, if this function was called in between, since its previous call. */
void timed_read(double seconds[KERNEL_CLASSES]);
