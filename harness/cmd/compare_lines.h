/*
 * compare_lines: makes the lines that `compare` prints for A and B: two cells,
 * two variants, or one row of two stores.  There is one line per metric.  Every
 * difference is B minus A.
 */
#pragma once

#include "harness/base/relation.h"
#include "harness/report/compare.h"
#include "harness/report/difference.h"

struct compare_line {
    struct compare_row is;
    const char        *better;  /* "higher" or "lower"        */
    const char        *verdict; /* about B: of compare_verdict */
    const char        *scope;   /* " (this seed only)", or "" */
    /* The members below are set only if two stores are compared: the row, and
     * its changed settings. */
    const char        *task, *scale, *name;
    const char        *changed;
    int                pairs, synthetic;
};

extern const struct column compare_columns[]; /* for cells and variants */
extern const struct column compare_columns_stores[];

/* Returns a line for each row of `c`; the arena `a` owns the lines. */
struct compare_line *compare_lines(const struct comparison *c,
                                   const char *scope, struct arena *a);

/* Returns "B is better by 0.031 in ce; B - A: -0.052 to -0.010", or, if B is
 * neither better nor worse, a line such as "ce: undecided; B - A: ...". */
const char *compare_headline(const struct compare_line *l, struct arena *a);
