/*
 * experiment: what a file in experiments/ asks for.
 *
 *     title: one line
 *     variants: [vanilla, random+dense]     # the cells are
 *     tasks: [wmt14_ende, lm1b]             # scales x tasks x variants x seeds
 *     scales: [quick]
 *     seeds: [1, 2]
 *     settings: {layers: 2, steps: 900}     # of every cell
 *     override:                             # in order, later wins
 *       - match: {task: lm1b, variant: [random, dense]}
 *         set: {length: 64}
 *       - match: {task: glue}               # starts from the weights of c4,
 *         set: {pretrained: c4}             # same variant, scale and seed
 *     exclude:
 *       - {task: lm1b, variant: uniform}
 *
 * The first five are required.  Keys of settings: settings.c.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/config/settings.h"
#include "harness/config/tree.h"

enum axis { AXIS_SCALE, AXIS_TASK, AXIS_VARIANT, AXIS_SEED, AXES };
extern const char *const experiment_axis[AXES]; /* the key of each */

struct values { int n; const char **value; };
struct assigns { int n; struct assign *a; };
struct override { const struct node *match; struct assigns set; };

struct experiment {
    const char         *path, *name, *title; /* name: of the file         */
    struct values       axis[AXES];          /* in their normal spelling  */
    struct assigns      settings;
    int                 noverride;
    struct override    *override;
    const struct node  *exclude;             /* the first, or NULL        */
    struct arena       *memory;
};

/* The folder of the experiments that came with the program; caller frees. */
int experiment_folder(char **out);

/* path: a file, or the name of one of those ("quick").  ERR_USAGE with
 * FILE:LINE and what is near; ERR_IO. */
int  experiment_read(struct experiment **out, const char *path);
void experiment_close(struct experiment *e); /* NULL is fine */
OWNER(experiment_close, struct experiment *)
