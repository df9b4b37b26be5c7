/*
 * vectors: checks that the metrics reproduce a set of reference vectors, for
 * `synthbench verify metrics`.  The set is a folder DIR:
 *     DIR/METRIC/CASE/expected.json
 *     DIR/METRIC/expected.json           a metric with a single case
 *     DIR/third_party                    word lists that may not be distributed
 * Each METRIC has a row in the table of vectors.c.
 */
#pragma once

#include "harness/verify/facts.h"

/* The outcome of one case.  The caller frees message, which may be NULL. */
struct vector_outcome {
    enum verdict verdict;  /* VERDICT_NONE: a part could not be run     */
    long         compared; /* number of values                          */
    char        *message;  /* first mismatch; VERDICT_NONE: the reason   */
};

/* Returns the folder of row i = 0, 1, ... of the table, or NULL after the last
 * row. */
const char *vectors_folder(int i);

/* Checks the case in `path`, which contains expected.json, by the row of the
 * table for `folder`.  `data` is the folder of third-party data, or NULL.  Each
 * error counts as a mismatch. */
void vectors_run(struct vector_outcome *out, const char *folder,
                 const char *path, const char *data);

/* Receives the outcome of a case.  `name` is "METRIC/CASE" or "METRIC". */
typedef void vectors_report(void *arg, const char *metric, const char *name,
                            const struct vector_outcome *o);

/* Checks every case in `path`, in the order of names.  `path` is DIR, or the
 * folder of one metric or of one case.  A folder without a row in the table
 * counts as a mismatch.  If `data` is NULL, uses DIR/third_party if it exists,
 * else $SYNTHBENCH_METRIC_DATA.  Returns OK, or ERR_DATA if `path` does not
 * exist. */
int vectors_verify(const char *path, const char *data, vectors_report *report,
                   void *arg);
