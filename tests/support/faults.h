/* faults: mistakes that are found in public code, as wrong variants and wrong
 * kernels. */
#pragma once

#include "harness/nn/attention.h"

struct fault {
    const char *sentence;
    const char *variants; /* what is verified: "random dense"             */
    const char *subject;  /* whose failures are named, of these variants  */
    const char *failing;  /* its properties, in their order: "output free" */
    const char *spared;   /* nothing of it fails                          */

    /* One of the two: makes the true `out` wrong. */
    void (*variant)(struct variant *out);
    void (*kernel)(struct backend *out);
};

/* Each ends with a fault without a sentence. */
extern const struct fault fault_variants[], fault_kernels[];

/* The true variant of this name. */
const struct variant *fault_truth(const char *name);
