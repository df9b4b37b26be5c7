/*
 * difference: two whole stores, row by row: what both have with the same bits,
 * what became better or worse from A to B.  A row is a variant, or random,
 * steps=700, on a task at a scale; its cells are paired by seed.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/report/compare.h"
#include "harness/report/report.h"

enum { DIFFERENCE_A, DIFFERENCE_B, DIFFERENCE_SIDES };

/* A row that both have. */
struct difference_row {
    const struct report_cell *is;    /* one of its cells of A             */
    struct compare_side       of[DIFFERENCE_SIDES];
    int                       pairs, same; /* seeds in both; of equal bits */
    const char               *changed;     /* settings, commits; or ""    */
    const char               *unlike;      /* why it cannot be compared   */
    struct comparison        *by;          /* NULL: nothing to compare    */
};

struct difference {
    const struct report   *side[DIFFERENCE_SIDES];
    int                    rows, differ; /* rows; those with other bits */
    struct difference_row *row;
    struct arena          *memory;       /* owns all of it              */
};

/* *out: the metrics of a task; ends with NULL. */
typedef int difference_metrics(const char *const **out, const char *task);

/* of: of every task that both have; metrics: see outcomes_open.  ERR_STORE: a
 * cell is damaged; what `of` answers. */
int  difference_open(struct difference **out, const struct report *a,
                     const struct report *b, difference_metrics *of,
                     const struct metric *const *metrics);
void difference_close(struct difference *d); /* NULL is fine */
OWNER(difference_close, struct difference *)

/* 1: the seeds that both have do, and with the same bits. */
int difference_same(const struct difference_row *r);

/* 1: the cell is done, and of that row. */
int difference_is_of(const struct report_cell *c, const struct report_cell *of);

