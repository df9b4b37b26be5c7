/*
 * vectors: reference vectors that a metric must reproduce, `synthbench verify
 * metrics`.  One file vectors_NAME.c that ends in
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

/* All of list.h, in its order; ends with NULL. */
extern const struct vectors *const vectors_all[];

#endif
