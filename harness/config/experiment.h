/*
 * experiment: reads and checks an experiment file, such as the files in
 * experiments/.  matrix.h then creates a cell for each combination of its axes.
 *
 *     title: one line
 *     variants: [vanilla, random+dense]     # The cells are scales x tasks x
 *     tasks: [wmt14_ende, lm1b]             # variants x seeds.
 *     scales: [quick]
 *     seeds: [1, 2]
 *     vary:                                 # Each cell becomes one cell for
 *       steps: [350, 700, 1400]             # each value; its row in tables is
 *                                           # random,steps=700.  Several
 *                                           # settings: every combination.  A
 *                                           # list: these combinations only,
 *                                           # [{}, {layers: 4}, {heads: 8}].
 *     uncompared: [glue]                    # Tasks that run and are reported,
 *                                           # but not compared: no rank, star,
 *                                           # correlation or verdict uses them.
 *     contrasts:                            # The differences that are tested,
 *       - "lm1b ppl: random - vanilla"      # as one family of tests
 *                                           # (store/contrast.h).
 *     guessed:                              # By task or variant: assumptions
 *       dense: reads its head's slice       # that no source states.
 *     settings: {layers: 2, steps: 900}     # Settings of every cell.
 *     override:                             # Applied in order; later ones win.
 *       - match: {task: lm1b, variant: [random, dense]}
 *         set: {length: 64}
 *       - match: {task: glue}               # Starts from the weights of the c4
 *         set: {pretrained: c4}             # cell with the same variant, scale
 *                                           # and seed.
 *     tune:                                 # Adds, for each matching cell, a
 *       - match: {task: lm1b}               # cell whose settings are chosen by
 *                                           # trials (tuning.h).
 *         grid: {schedule.scale: [1, 2], score_rate: [1, 8]}
 *         share: 1                          # Steps of all trials together, as
 *                                           # a multiple of the cell's steps.
 *         seed: 0                           # Seed of the trials.  All variants
 *                                           # of a task must have the same
 *                                           # number of trials.
 *     exclude:
 *       - {task: lm1b, variant: uniform}
 *       - {seed: 2, tuned: false}           # Excludes the plain cell and keeps
 *                                           # the tuned one.
 *
 * The title and the four axes are required.  key_table.h lists the settings.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/config/settings.h"
#include "harness/config/tree.h"

/* A value of AXIS_VARY is a point of `vary`, that is, one combination of its
 * settings.  Its name is the text that it adds to the name of a row, such as
 * ",steps=700". */
enum axis { AXIS_SCALE, AXIS_TASK, AXIS_VARIANT, AXIS_SEED, AXIS_VARY, AXES };

/* `n` values of a key.  If they were read from a file, `value` ends with
 * NULL. */
struct values { const char *key; int n; const char **value; };
struct assigns { int n; struct assign *a; };
struct override { const struct node *match; struct assigns set; };

enum { TUNE_KEYS = 4 };
struct tune { /* an entry of `tune` */
    const struct node *match;
    int                n;
    struct values      grid[TUNE_KEYS];
    double             share;
    long long          seed;
};

struct experiment {
    const char         *path, *name, *title; /* name: experiment_name     */
    struct values       axis[AXES];          /* in normal spelling        */
    struct values       uncompared;          /* tasks                     */
    struct values       guessed;             /* store/guess.h             */
    struct assigns     *point;    /* what each point of AXIS_VARY sets    */
    struct assigns      settings;
    int                 noverride;
    struct override    *override;
    int                 ntune;
    struct tune        *tune;
    const struct node  *exclude;  /* the first entry, or NULL             */
    const struct node  *contrast; /* the first contrast, or NULL          */
    struct arena       *memory;
};

/* Sets *out to the folder of the included experiments: the folder `experiments`
 * in the working directory if it exists, else the folder of this name that
 * datadir_find finds.  The caller frees *out.  Returns OK, or ERR_DATA if there
 * is no such folder. */
int experiment_folder(char **out);

/* Returns the value to which point `i` of `vary` sets the key, or NULL if the
 * point does not set the key. */
const char *experiment_varied(const struct experiment *e, int i,
                              const char *key);
/* If `all` is 0, returns 1 if at least one point of `vary` sets the key.  If
 * `all` is 1, returns 1 if every point sets the key. */
int experiment_varies(const struct experiment *e, const char *key, int all);

/* Reads and checks an experiment.  `path` is a file, the name of an included
 * experiment ("quick"), or "-" for standard input.  The caller closes *out.
 * Returns ERR_USAGE if the file is missing or invalid (the message has
 * FILE:LINE, and suggests a valid name if a name is wrong), or ERR_IO. */
int  experiment_read(struct experiment **out, const char *path);
void experiment_close(struct experiment *e); /* NULL is fine */
OWNER(experiment_close, struct experiment *)

/* Returns the name of the experiment at `path`, allocated from arena `a`:
 * "quick" for "dir/quick.yaml" and for "quick", "stdin" for "-".  cell_name_ok
 * accepts the name, so it can be the name of a store. */
const char *experiment_name(const char *path, struct arena *a);
