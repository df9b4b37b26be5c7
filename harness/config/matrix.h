/*
 * matrix: creates the configuration of every cell of an experiment, one for
 * each combination of the values of its axes.  plan/plan.c reads an experiment
 * with experiment_read and passes it to matrix_cells.
 */
#pragma once

#include "harness/config/experiment.h"

enum { MATRIX_MAX = 100000 };

struct choice {         /* changes made by the command line                */
    const char *scale;  /* replaces the scales of the file, unless NULL    */
    int         seeds;  /* number of seeds that replace the seeds of the
                           file; 0: the file's seeds are used              */
    const long long *seed; /* (seeds) the seeds; NULL: 1, 2, ..., `seeds`  */
    int         synthetic; /* 1: sets `synthetic` in every cell            */

    /* Replace the tasks or the variants of the file, unless NULL; the lists end
     * with NULL.  If either is set, `tune`, `exclude` and `contrasts` of the
     * file are ignored. */
    const char *const *tasks, *const *variants;

    struct assigns set; /* -S; overrides all settings of the file          */
};

/* A cell and the name of its row in tables, which consists of the variant, the
 * varied settings, and a mark if the cell is tuned or a trial (tuning.h):
 * "random,steps=700", "random,tuned", "random,trial,score_rate=8". */
struct matrix_cell { struct config config; const char *row; };
#define MATRIX_TUNED ",tuned"
#define MATRIX_TRIAL ",trial,"

/* Checks the settings of the experiment's cells and sets *out to the *n cells.
 * They are ordered by scale, task, variant, seed and point of `vary`, each in
 * the order of the file; trials precede the first cell that is tuned by them.
 * The caller frees *out; the row names live in e->memory.  If `o` replaces
 * tasks or variants, removes `tune`, `exclude` and `contrasts` from `e`.
 * Returns ERR_USAGE if settings conflict or there are more than MATRIX_MAX
 * cells. */
int matrix_cells(struct experiment *e, const struct choice *o,
                 struct matrix_cell **out, int *n);

/* ---- match.c: the cells that overrides, exclusions and `tune` match ---- */

/* The maximum number of matches between cells and the entries of one part
 * (`override`, `exclude` or `tune`), summed over its entries. */
enum { MATCH_MAX = 10000000 };

/* A hit, which is an override that matches a cell: the index of the override in
 * e->override, and the index of the cell's next hit in match.hit, or -1. */
struct match_hit { int override, next; };

/* Bits of match.excluded: EXCLUDED is set if the plain cell is excluded,
 * EXCLUDED_TUNED if the tuned cell is excluded. */
enum { EXCLUDED = 1, EXCLUDED_TUNED = 2 };

struct match { /* arrays by cell, except `hit` */
    char             *excluded; /* EXCLUDED bits                             */
    int              *tune;     /* index in e->tune of the last entry that
                                   matches the cell, or -1                   */
    int              *first;    /* index of the cell's first hit in the order
                                   of the file, or -1                        */
    struct match_hit *hit;
};

/* Matches the overrides, exclusions and `tune` of `e` against its `cells`
 * cells.  The cells are the combinations of the values of `axis`, an array of
 * AXES axes, and are numbered so that the last axis varies fastest.  Results
 * live in arena `a`.  Returns ERR_USAGE if there are more than MATCH_MAX
 * matches. */
int match_cells(struct match *out, const struct experiment *e,
                const struct values *axis, int cells, struct arena *a);
