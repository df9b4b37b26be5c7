/*
 * vectors: reference vectors that a metric must reproduce, `synthbench verify
 * metrics`:
 *     DIR/METRIC/CASE/expected.json
 *     DIR/METRIC/expected.json           a metric of one case
 *     DIR/third_party                    word lists that are not ours to ship
 * One file vectors_NAME.c that ends in
 *     const struct vectors vectors_NAME = {.folders = ..., .check = check};
 * and one row VECTORS(NAME) in metrics/list.h.  vector_case.h helps to write
 * check().
 */
#ifndef VERIFY_METRICS_VECTORS_H
#define VERIFY_METRICS_VECTORS_H

struct vector_case;

/* What check() returns besides OK and enum err, with a message by err_set. */
enum { CASE_MISMATCH = -100, CASE_SKIPPED = -101 };

struct vectors {
    const char *const *folders; /* "glue_accuracy", ...; ends with NULL  */
    int (*check)(struct vector_case *c);
};

/* Outcome of one case; the texts are the caller's to free, or NULL. */
struct vector_outcome {
    int   verdict;  /* OK, CASE_MISMATCH or CASE_SKIPPED           */
    long  compared; /* values                                      */
    char *message;  /* the first mismatch in full, or why skipped  */
};

/* Runs one case, PATH (a folder with expected.json); data: the folder of data
 * that is not part of the program, or NULL.  Whatever fails is a mismatch. */
void vectors_run(struct vector_outcome *out, const struct vectors *v,
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

const struct vectors *vectors_find(const char *folder); /* or NULL */

/* All of list.h, in its order; ends with NULL. */
extern const struct vectors *const vectors_all[];

#endif
