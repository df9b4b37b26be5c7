/* results: the contents of the file of a finished cell, for `show` and the page
 * of the cell. */
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
    struct build build; /* that trained it; cells 0: not read */
    struct blind_baseline blind; /* name NULL: nothing to compare */
};

/* Reads the metrics `first` (ending with NULL) that the cell has and, if
 * `facts`, its other metrics, the scores of its model-free baselines,
 * provenance, the gain at the end of training, and timing.  The results live in
 * a.  Returns ERR_STORE if the file is damaged. */
int results_read(struct results *out, const char *store, const char *id,
                 const char *const *first, int facts, struct arena *a);
