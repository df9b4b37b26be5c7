/* faults: common errors in public implementations, as faulty variants and
 * faulty kernels. */
#pragma once

#include "harness/nn/attention.h"

struct fault {
    const char *sentence;
    const char *variants; /* variants to verify: "random dense"           */
    const char *subject;  /* the variant whose failures are compared      */
    const char *failing;  /* its expected failures, in order */
    const char *spared;   /* a variant with no failure at all             */

    /* Exactly one is set; it makes the correct `out` faulty. */
    void (*variant)(struct variant *out);
    void (*kernel)(struct backend *out);
};

/* Each array ends with a fault without a sentence. */
extern const struct fault fault_variants[], fault_kernels[];

/* Returns the correct variant of this name. */
const struct variant *fault_truth(const char *name);
