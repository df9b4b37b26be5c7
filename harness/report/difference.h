/*
 * difference: compares two stores, A and B, row by row: which results are
 * bit-identical, and which are better or worse in B.  A row is a variant, alone
 * or with varied settings ("random,steps=700"), on a task at a scale.  Cells of
 * a row are paired by seed.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/report/compare.h"
#include "harness/report/report.h"

enum { DIFFERENCE_A, DIFFERENCE_B, DIFFERENCE_SIDES };

/* A row that both stores have. */
struct difference_row {
    const struct report_cell *is;    /* one of the row's cells in A */
    struct compare_side       of[DIFFERENCE_SIDES];
    int                       pairs, same; /* number of common seeds; number of
                                              common seeds whose results are
                                              bit-identical               */
    const char               *changed;     /* changed settings and commits, or
                                              ""                          */
    const char               *unlike;      /* why the sides cannot be
                                              compared, or NULL           */
    struct comparison        *by;          /* NULL: not compared          */
};

struct difference {
    const struct report   *side[DIFFERENCE_SIDES];
    int                    rows, differ; /* number of rows; number of rows that
                                            are not bit-identical        */
    struct difference_row *row;
    struct arena          *memory;       /* owns everything here */
};

/* Sets *out to the list of a task's metrics, which ends with NULL. */
typedef int difference_metrics(const char *const **out, const char *task);

/* Compares the stores of reports `a` and `b`.  For every row that is not
 * bit-identical, calls `of` to get the metrics to compare.  metrics: as for
 * outcomes_open.  Returns ERR_STORE if a cell is damaged, or an error of
 * `of`. */
int  difference_open(struct difference **out, const struct report *a,
                     const struct report *b, difference_metrics *of,
                     const struct metric *const *metrics);
void difference_close(struct difference *d); /* NULL is allowed */
OWNER(difference_close, struct difference *)

/* Returns 1 if the cell `c` is finished and belongs to the same row as the cell
 * `of`. */
int difference_is_of(const struct report_cell *c, const struct report_cell *of);

