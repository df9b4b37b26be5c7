/* results: what the file of a finished cell tells, for describe.h. */
#pragma once

#include "harness/plan/plan.h"
#include "harness/report/blind.h"
#include "harness/report/builds.h"

struct fact { const char *group, *name, *text; }; /* an attribute */

struct results {
    int          metrics, facts;
    const char **metric;
    double      *value;
    struct fact *fact;
    struct build build; /* that trained it; cells 0: nothing was read */
    struct blind blind; /* name NULL: nothing to compare              */
};

/* The metrics of the cell's task, and, if `facts`, what they are means of, the
 * scores of its references, provenance, what training still gained, timing.
 * It lives in a.
 * ERR_STORE: the file is damaged. */
int results_read(struct results *out, const char *store, const struct cell *c,
                 int facts, struct arena *a);
