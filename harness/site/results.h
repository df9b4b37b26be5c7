/* results: reads the numbers and facts that `show` and the page of a cell print
 * from the file of a finished cell. */
#pragma once

#include "harness/base/arena.h"
#include "harness/report/references.h"
#include "harness/report/builds.h"

/* An attribute of the cell's file. */
struct fact { const char *group, *name, *text; };

struct results {
    int          metrics, facts;
    const char **metric;
    double      *value;
    struct fact *fact;
    struct build build; /* the build that trained the cell; if build.cells
                           is 0, the cell was not read              */
    struct blind_baseline blind; /* if blind.name is NULL, the cell cannot be
                                    compared with a baseline        */
};

/* Reads the metrics in the list `first`, which ends with NULL, except those
 * that the cell does not have.  If `facts` is 1, then also reads the other
 * metrics, the scores of the model-free baselines, provenance, the gain at the
 * end of training, and timing.  The arena `a` owns the results.  Returns
 * ERR_STORE if the file is damaged. */
int results_read(struct results *out, const char *store, const char *id,
                 const char *const *first, int facts, struct arena *a);
