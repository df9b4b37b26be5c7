/*
 * experiment: what a file in experiments/ asks for.
 *
 *     title: one line
 *     variants: [vanilla, random+dense]     # the cells are
 *     tasks: [wmt14_ende, lm1b]             # scales x tasks x variants x seeds
 *     scales: [quick]
 *     seeds: [1, 2]
 *     vary:                                 # and a cell for each value of
 *       steps: [350, 700, 1400]             # settings: its row in tables is
 *                                           # random,steps=700; of several
 *                                           # each with each, or these alone:
 *                                           # [{}, {layers: 4}, {heads: 8}]
 *     uncompared: [glue]                    # of the tasks: it runs, and its
 *                                           # numbers are shown; no rank, star,
 *                                           # correlation or verdict is of them
 *     contrasts:                            # the differences that are judged,
 *       - "lm1b ppl: random - vanilla"      # as one family of tests
 *                                           # (store/contrast.h)
 *     guessed:                              # of a task or a variant: what
 *       dense: reads its head's slice       # nobody published
 *     settings: {layers: 2, steps: 900}     # of every cell
 *     override:                             # in order, later wins
 *       - match: {task: lm1b, variant: [random, dense]}
 *         set: {length: 64}
 *       - match: {task: glue}               # starts from the weights of c4,
 *         set: {pretrained: c4}             # same variant, scale and seed
 *     tune:                                 # and beside such a cell one whose
 *       - match: {task: lm1b}               # settings trials have chosen
 *         grid: {schedule.scale: [1, 2], score_rate: [1, 8]}
 *         share: 1                          # steps of all trials together, in
 *         seed: 0                           # those of a cell; and their seed.
 *                                           # Variants of a task have equally
 *                                           # many trials
 *     exclude:
 *       - {task: lm1b, variant: uniform}
 *       - {seed: 2, tuned: false}           # of the two cells only that one
 *
 * Title and the four axes are required.  Keys of settings: settings.c.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/config/settings.h"
#include "harness/config/tree.h"

/* AXIS_VARY: points, whose values are what their rows add: ",steps=700" */
enum axis { AXIS_SCALE, AXIS_TASK, AXIS_VARIANT, AXIS_SEED, AXIS_VARY, AXES };

struct values { const char *key; int n; const char **value; }; /* and NULL */
struct assigns { int n; struct assign *a; };
struct override { const struct node *match; struct assigns set; };

enum { TUNE_KEYS = 4 };
struct tune {                    /* tuning.h                       */
    const struct node *match;
    int                n;
    struct values      grid[TUNE_KEYS];
    double             share;
    long long          seed;
};

struct experiment {
    const char         *path, *name, *title; /* name: of the file         */
    struct values       axis[AXES];          /* in their normal spelling  */
    struct values       uncompared;          /* of the tasks              */
    struct values       guessed;             /* store/guess.h             */
    struct assigns     *point;               /* what each of AXIS_VARY sets */
    struct assigns      settings;
    int                 noverride;
    struct override    *override;
    int                 ntune;
    struct tune        *tune;
    const struct node  *exclude;             /* the first, or NULL        */
    const struct node  *contrast;            /* likewise, store/contrast.h */
    struct arena       *memory;
};

/* The folder of the experiments that came with the program; caller frees. */
int experiment_folder(char **out);

/* What point i sets the key to, or NULL. */
const char *experiment_varied(const struct experiment *e, int i,
                              const char *key);
/* 1: some point sets it, or all do. */
int experiment_varies(const struct experiment *e, const char *key, int all);

/* path: a file, the name of one of those ("quick"), or "-": what stdin has,
 * experiment "stdin".  ERR_USAGE with
 * FILE:LINE and what is near; ERR_IO. */
int  experiment_read(struct experiment **out, const char *path);
void experiment_close(struct experiment *e); /* NULL is fine */
OWNER(experiment_close, struct experiment *)

/* What it is called: "quick" of "dir/quick.yaml" and of "quick", "stdin" of
 * "-".  From `a`. */
const char *experiment_name(const char *path, struct arena *a);
