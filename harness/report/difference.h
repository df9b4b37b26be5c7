/*
 * difference: compares two stores row by row: which results are bit-identical,
 * and what became better or worse from A to B.  A row is a variant, alone or
 * with varied settings ("random,steps=700"), on a task at a scale.  Its cells
 * are paired by seed.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/report/compare.h"
#include "harness/report/report.h"

enum { DIFFERENCE_A, DIFFERENCE_B, DIFFERENCE_SIDES };

/* A row that both stores have. */
struct difference_row {
    const struct report_cell *is;    /* one of its cells in A */
    struct compare_side       of[DIFFERENCE_SIDES];
    int                       pairs, same; /* seeds: common; identical    */
    const char               *changed;     /* settings and commits, or "" */
    const char               *unlike;      /* why they are not comparable */
    struct comparison        *by;          /* NULL: not compared          */
};

struct difference {
    const struct report   *side[DIFFERENCE_SIDES];
    int                    rows, differ; /* rows; not bit-identical ones */
    struct difference_row *row;
    struct arena          *memory;       /* owns everything here */
};

/* Sets *out to the metrics of a task, a list that ends with NULL. */
typedef int difference_metrics(const char *const **out, const char *task);

/* Compares two stores.  `of` is called for every row that is not
 * bit-identical.  metrics: as for outcomes_open.  Returns ERR_STORE if a cell
 * is damaged, or an error of `of`. */
int  difference_open(struct difference **out, const struct report *a,
                     const struct report *b, difference_metrics *of,
                     const struct metric *const *metrics);
void difference_close(struct difference *d); /* NULL is allowed */
OWNER(difference_close, struct difference *)

/* Returns 1 if the row has common seeds and all of them are bit-identical. */
int difference_same(const struct difference_row *r);

/* Returns 1 if c is a finished cell of the row of `of`. */
int difference_is_of(const struct report_cell *c, const struct report_cell *of);

