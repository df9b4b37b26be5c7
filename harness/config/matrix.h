/* matrix: an experiment's values multiplied out to configurations. */
#pragma once

#include "harness/config/experiment.h"

enum { MATRIX_MAX = 100000 };

struct choice {         /* what the command line changes                  */
    const char *scale;  /* in place of the file's; NULL: the file's       */
    int         seeds;  /* so many in place of the file's; 0: those       */
    const long long *seed; /* which; NULL: 1 .. seeds                     */
    int         synthetic;
    struct assigns set; /* -S, after all that the file says               */
};

/* The configuration of every cell, checked; order: scale, task, variant,
 * seed, each as the file lists them.  Caller frees *out.  ERR_USAGE. */
int matrix_cells(const struct experiment *e, const struct choice *o,
                 struct config **out, int *n);

/* ---- match.c: which cells overrides and exclusions mean ---- */
enum { MATCH_MAX = 10000000 }; /* cells in all boxes together */

struct match_hit { int override, next; }; /* next: another hit, or -1 */

struct match {
    char             *excluded; /* one a cell                               */
    int              *first;    /* hit of each cell, or -1; in file's order */
    struct match_hit *hit;
};

/* Cells are numbered as the axes say, the last one fastest.  Memory is a's.
 * ERR_USAGE: more than MATCH_MAX. */
int match_cells(struct match *out, const struct experiment *e,
                const struct values axis[AXES], int cells, struct arena *a);
