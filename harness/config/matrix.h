/*
 * matrix: multiplies the axes of an experiment out to the configurations of its
 * cells.  plan/plan.c reads an experiment with experiment_read and passes it to
 * matrix_cells.
 */
#pragma once

#include "harness/config/experiment.h"

enum { MATRIX_MAX = 100000 };

struct choice {         /* what the command line changes                   */
    const char *scale;  /* replaces the scales of the file; NULL: does not */
    int         seeds;  /* number of seeds that replace those of the file;
                           0: they stay                                    */
    const long long *seed; /* (seeds); NULL: 1 .. seeds                    */
    int         synthetic; /* 1: sets `synthetic` in every cell            */

    /* Lists that replace those of the file and end with NULL; NULL: they stay.
     * If either is set, `tune`, `exclude` and `contrasts` are ignored. */
    const char *const *tasks, *const *variants;

    struct assigns set; /* -S; applied after the settings of the file      */
};

/* A cell and the name of its row in tables: the variant, what the experiment
 * varies, and how the cell is tuned: "random,steps=700", "random,tuned",
 * "random,trial,score_rate=8". */
struct matrix_cell { struct config config; const char *row; };
#define MATRIX_TUNED ",tuned"
#define MATRIX_TRIAL ",trial,"

/* Sets *out to the *n cells of the experiment, after checking their settings.
 * They are ordered by scale, task, variant, seed and point of `vary`, each in
 * the order of the file; trials precede the first cell that is tuned by them.
 * The caller frees *out; rows live in e->memory.  If o replaces tasks or
 * variants, removes `tune`, `exclude` and `contrasts` from e.  Returns
 * ERR_USAGE if settings conflict or there are more than MATRIX_MAX cells. */
int matrix_cells(struct experiment *e, const struct choice *o,
                 struct matrix_cell **out, int *n);

/* ---- match.c: the cells that overrides, exclusions and `tune` match ---- */

/* Limits the cells that the entries of each of these parts match in total. */
enum { MATCH_MAX = 10000000 };

/* An override of a cell; next: index of the cell's next hit, or -1. */
struct match_hit { int override, next; };

enum { EXCLUDED = 1, EXCLUDED_TUNED = 2 }; /* bits: the plain, the tuned cell */

struct match { /* arrays by cell, except `hit` */
    char             *excluded; /* EXCLUDED bits                             */
    int              *tune;     /* index of the last match in e->tune, or -1 */
    int              *first;    /* first hit in the order of the file, or -1 */
    struct match_hit *hit;
};

/* Matches the parts of e against its `cells` cells, which are numbered along
 * the axes, the last one fastest.  Results live in arena a.  Returns ERR_USAGE
 * if a part matches more than MATCH_MAX cells. */
int match_cells(struct match *out, const struct experiment *e,
                const struct values *axis, int cells, struct arena *a);
