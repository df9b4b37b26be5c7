/*
 * vectors: reference vectors that a metric must reproduce, for `synthbench
 * verify metrics`:
 *     DIR/METRIC/CASE/expected.json
 *     DIR/METRIC/expected.json           a metric with a single case
 *     DIR/third_party                    word lists that we may not distribute
 * Each METRIC has a row in the table of vectors.c.
 */
#pragma once

#include "harness/verify/facts.h"

/* The outcome of one case.  The caller frees message, which may be NULL. */
struct vector_outcome {
    enum verdict verdict;  /* VERDICT_NONE: a part could not be run     */
    long         compared; /* number of values                          */
    char        *message;  /* the first mismatch in full, or why not run */
};

/* Returns the folder of row i of the table, i = 0 .., or NULL after the
 * last. */
const char *vectors_folder(int i);

/* Runs one case of a folder: `path`, which has an expected.json.  data is the
 * folder of third-party data, or NULL.  Every failure is a mismatch. */
void vectors_run(struct vector_outcome *out, const char *folder,
                 const char *path, const char *data);

/* `name` is "METRIC/CASE", or METRIC alone. */
typedef void vectors_report(void *arg, const char *metric, const char *name,
                            const struct vector_outcome *o);

/* Runs every case of `path`, which is DIR, a metric's folder in it or one case,
 * in the order of names.  A folder without a row in the table is a mismatch.
 * If data is NULL, uses third_party of the set or $SYNTHBENCH_METRIC_DATA.
 * Returns OK, or ERR_DATA if there is no such folder. */
int vectors_verify(const char *path, const char *data, vectors_report *report,
                   void *arg);
