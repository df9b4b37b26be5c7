/* results: what the file of a finished cell tells: `show`, its page. */
#pragma once

#include "harness/base/arena.h"
#include "harness/report/blind_baseline.h"
#include "harness/report/builds.h"

struct fact { const char *group, *name, *text; }; /* an attribute */

struct results {
    int          metrics, facts;
    const char **metric;
    double      *value;
    struct fact *fact;
    struct build build; /* that trained it; cells 0: nothing was read */
    struct blind_baseline blind; /* name NULL: nothing to compare */
};

/* The metrics `first` (it ends with NULL) and, if `facts`, the others that the
 * cell has, the scores of its references, provenance, what training still
 * gained, timing.  It lives in a.  ERR_STORE: the file is damaged. */
int results_read(struct results *out, const char *store, const char *id,
                 const char *const *first, int facts, struct arena *a);
