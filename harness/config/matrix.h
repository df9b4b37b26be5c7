/* matrix: an experiment's values multiplied out to configurations. */
#pragma once

#include "harness/config/experiment.h"

enum { MATRIX_MAX = 100000 };

struct choice {         /* what the command line changes                  */
    const char *scale;  /* in place of the file's; NULL: the file's       */
    int         seeds;  /* so many in place of the file's; 0: those       */
    const long long *seed; /* which; NULL: 1 .. seeds                     */
    int         synthetic;
    const char *const *tasks, *const *variants; /* in place of the file's, each
                           as it stands: nothing is tuned or excluded, and
                           there are no contrasts; lists end with NULL;
                           NULL: the file's                              */
    struct assigns set; /* -S, after all that the file says               */
};

/* Its row in tables is named by its variant, what the experiment varies, and
 * how it is tuned: "random,steps=700", "random,tuned", "random,trial,
 * score_rate=8". */
struct matrix_cell { struct config config; const char *row; };
#define MATRIX_TUNED ",tuned"
#define MATRIX_TRIAL ",trial,"

/* Every cell, checked; order: scale, task, variant, seed, what is varied, each
 * as the file lists them, trials in front of the first cell that is tuned by
 * them.  Caller frees *out; rows live in e->memory.  ERR_USAGE. */
int matrix_cells(struct experiment *e, const struct choice *o,
                 struct matrix_cell **out, int *n);

/* ---- match.c: which cells overrides and exclusions mean ---- */
enum { MATCH_MAX = 10000000 }; /* cells in all boxes together */

struct match_hit { int override, next; }; /* next: another hit, or -1 */

enum { EXCLUDED = 1, EXCLUDED_TUNED = 2 }; /* a cell, and the tuned one */

struct match {
    char             *excluded; /* one a cell: of these                     */
    int              *tune;     /* of each cell the last that matches, or -1 */
    int              *first;    /* hit of each cell, or -1; in file's order */
    struct match_hit *hit;
};

/* Cells are numbered as the axes say, the last one fastest.  Memory is a's.
 * ERR_USAGE: more than MATCH_MAX. */
int match_cells(struct match *out, const struct experiment *e,
                const struct values *axis, int cells, struct arena *a);
