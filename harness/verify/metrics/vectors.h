/*
 * vectors: reference vectors that a metric must reproduce, `synthbench verify
 * metrics`:
 *     DIR/METRIC/CASE/expected.json
 *     DIR/METRIC/expected.json           a metric of one case
 *     DIR/third_party                    word lists that are not ours to ship
 * Each METRIC has a row of the table in vectors.c.
 */
#pragma once

#include "harness/verify/facts.h"

/* Outcome of one case; the message is the caller's to free, or NULL. */
struct vector_outcome {
    enum verdict verdict;  /* VERDICT_NONE: a part could not be run     */
    long         compared; /* values                                    */
    char        *message;  /* the first mismatch in full, or why not run */
};

/* The folders that a metric knows: i = 0 ..; NULL behind the last. */
const char *vectors_folder(int i);

/* Runs one case, PATH (a folder with expected.json), of a folder; data: the
 * folder of data that is not part of the program, or NULL.  Whatever fails is a
 * mismatch. */
void vectors_run(struct vector_outcome *out, const char *folder,
                 const char *path, const char *data);

/* `name` is "METRIC/CASE", or METRIC alone. */
typedef void vectors_report(void *arg, const char *metric, const char *name,
                            const struct vector_outcome *o);

/* Runs every case of `path`, a DIR, a metric's folder in it or one case, by
 * the order of names; a folder that no metric knows is a mismatch.  data NULL:
 * third_party of the set, or $SYNTHBENCH_METRIC_DATA.  ERR_DATA: there is no
 * such folder. */
int vectors_verify(const char *path, const char *data, vectors_report *report,
                   void *arg);
