/* faults: common errors in public implementations, as faulty variants and
 * faulty kernels. */
#pragma once

#include "harness/nn/attention.h"

struct fault {
    const char *sentence;
    const char *variants; /* variants to verify: "random dense"           */
    const char *subject;  /* variant whose failures are compared          */
    const char *failing;  /* expected failures of `subject`, in order */
    const char *spared;   /* variant that must have no failure            */

    /* Exactly one of these two functions is set. It makes the correct `out`
     * faulty. */
    void (*variant)(struct variant *out);
    void (*kernel)(struct backend *out);
};

/* Each array ends with a fault whose sentence is NULL. */
extern const struct fault fault_variants[], fault_kernels[];

/* Returns the correct variant of this name. */
const struct variant *fault_truth(const char *name);
