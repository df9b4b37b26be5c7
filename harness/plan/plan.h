/*
 * plan: the cells of an experiment, their estimated cost, and their state in a
 * store.  plan_open builds the cells and selects some of them; plan_look then
 * sets their state and cost.  Commands that run or inspect cells start here.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/owned.h"
#include "harness/config/matrix.h"
#include "harness/nn/transformer.h"
#include "harness/store/store.h"
#include "harness/tasks/task.h"
#include "harness/train/train.h"
#include "variants/variants.h"

/* The state of a cell in the queue of a batch system (slurm/spool.h). */
struct cell_queued {
    const char *job;            /* "123_4"; NULL: not in the queue */
    const char *state, *reason; /* "PENDING", "Priority"           */
};

struct cell {
    char               id[SETTINGS_ID];
    const char        *row; /* in tables: "random", "random,steps=700" */
    struct config      config;
    struct mix         mix;
    const struct task *task;
    int                selected; /* 0: the filter does not match it       */
    int                anew;     /* 1: train it even if done (run/rerun.h) */
    int                older;    /* 1: from an earlier state of the
                                    experiment                            */
    const char        *refused;  /* why the model is impossible, or NULL  */
    const struct cell *parent;   /* the cell of the plan whose weights it
                                    starts from, or NULL                  */
    const struct cell **trial;   /* (trials) in the order of config.tuned;
                                    NULL if the plan lacks one            */
    int                trials;   /* 0: not tuned                          */

    /* plan_look sets these. */
    struct cost        cost;     /* with the longest examples             */
    struct lengths     lengths;  /* of the examples, estimated            */
    struct expected    step;     /* average step on such examples         */
    double             seconds;  /* estimated, with one worker            */
    struct cell_status status;
    long               saved;    /* steps in its checkpoint; 0: none      */
    const char        *progress; /* `saved` in words, or ""               */
    const char        *damage;   /* why its status cannot be read, or NULL */
    const char        *blocked;  /* why it cannot start, or NULL          */

    struct cell_queued queued;   /* spool_look sets it                    */
};

struct plan {
    const char   *name, *title;
    const char   *cache, *files; /* folders in which plan_look finds lengths of
                                    prepared and official data; files NULL:
                                    official data are not looked for      */
    char         *store;      /* folder: --store, or results/NAME         */
    const char  **contrasts;  /* store/contrast.h; ends with NULL         */
    const char  **guessed;    /* store/guess.h; ends with NULL            */
    const char   *file;       /* as in struct frozen, or NULL             */
    int           own;        /* as in struct frozen                      */
    const char  **uncompared; /* tasks that run but are not compared; ends
                                 with NULL                                */
    int           others;     /* finished cells of the store that are not
                                 selected; plan_look sets it              */
    int           n;
    struct cell  *cell;   /* by scale, task, variant, seed; older ones last */
    struct arena *memory;
};

/* What plan_open opens. */
struct plan_of {
    const char   *experiment; /* a file, "-" (standard input), or the name of
                                 an included experiment; NULL: the experiment
                                 that `run` froze in `store`                */
    const char   *name, *title; /* NULL: those of the experiment            */
    const char   *store;      /* NULL: results/NAME                         */
    const char   *filter;     /* config/filter.h; NULL: select all cells    */
    int           older;      /* 1: accept a store with older cells only    */
    struct choice choice;     /* changes to the experiment's file           */
    void        (*change)(struct config *c); /* called last for each cell of
                                                the file; or NULL           */
};

/* Opens the plan and selects its cells; the caller closes *out.  Older cells
 * are never selected.  Returns ERR_USAGE if the arguments or the experiment are
 * invalid; ERR_EMPTY if the filter matches no cell, the store has no
 * experiment, or (unless of->older) all cells are older; else as freeze_read
 * and experiment_read. */
int  plan_open(struct plan **out, const struct plan_of *of);

/* Returns 1 if the task is reported, but not compared. */
int  plan_uncompared(const struct plan *p, const char *task);
void plan_close(struct plan *p); /* NULL is fine */
OWNER(plan_close, struct plan *)

/* Sets status, cost and estimated time of all cells.  The time follows from the
 * speed of the store's finished cells, or from train_speed if there are none.
 * A damaged cell is no error; its `damage` is set. */
int plan_look(struct plan *p);

/* Returns why the data of a cell that is to be trained are missing, or NULL.
 * If several cells have the same data, only the first has a reason.  Looks for
 * files in p->cache and p->files (NULL: p->cache), but does not read them. */
const char *plan_lacks(const struct plan *p, const struct cell *c);

/* Returns the state of a cell, or its text.  A damaged cell counts as failed.
 */
enum cell_state plan_state(const struct cell *c);
const char *plan_status(const struct cell *c);

/* Returns why a cell failed, is damaged, refused or blocked; or "". */
const char *plan_reason(const struct cell *c);

/* Returns plan_reason.  If it is "" and the cell has a checkpoint, returns text
 * such as "saved at step 300 of 700". */
const char *plan_note(const struct cell *c);

/* Returns 1 if settings can be chosen by this trial: it is done or has
 * diverged. */
int plan_tried(const struct cell *trial);

/* ---- freeze.c: the experiment of a store (store/frozen.h) ---- */

/*
 * Writes the plan's experiment to STORE/experiment.json, under the store's
 * lock.  Must be called before the cells are trained.
 *
 *   The store has             Effect
 *   no experiment             Writes that of the plan.
 *   all cells of the plan     Changes nothing.  If the plan has other
 *                             uncompared tasks or contrasts, prints a message;
 *                             with `extend`, takes them over instead.
 *   not all of them           Returns ERR_USAGE and reports what differs; with
 *                             `extend`, adds them.  Cells of the store with the
 *                             same row, task, scale and seed become older ones.
 *
 * Also returns ERR_STORE if experiment.json is damaged, and the errors of
 * store_lock.
 */
int freeze_write(const struct plan *p, int extend);

/* Reads the plan of a store; the caller closes *out.  Nothing is selected.
 * Returns ERR_EMPTY if nothing was run in the store, or ERR_STORE if its
 * experiment.json is damaged, edited or from another version. */
int freeze_read(struct plan **out, const char *store);

/* ---- target.c: the cells that arguments of `show` and `compare` name ---- */

/*
 * Opens the plan of a store, looks at it, and selects only the cells that `arg`
 * names; the caller closes *out.
 *
 *     STORE#ID            the first six or more digits of the id
 *     STORE#ROW/TASK/SEED ROW: a variant, or a row such as random,steps=700
 *     STORE#ROW/TASK      every seed (target_group)
 *
 * Without STORE#, the cell is in `store`.  Prefers current cells to older ones.
 * Returns ERR_EMPTY if there is no such cell, or ERR_USAGE if there are several
 * or if neither arg nor `store` (NULL) names a store.
 */
int target_open(struct plan **out, const char *arg, const char *store);

/* Returns 1 if arg names every seed of a row and task. */
int target_group(const char *arg);

/* ---- link.c: cells that depend on others ---- */

/* Returns 1 if the cell starts from the weights of another. */
int plan_starts(const struct cell *c);

/* Returns 1 if the cell is a trial, by which others choose their settings. */
int plan_is_trial(const struct cell *c);

/* Returns 1 if another program trained the cell. */
int plan_is_external(const struct cell *c);

/* Sets the ids of all cells.  If a cell starts from another, its id hashes the
 * id of that cell, which has the same row (tuned or not), scale and seed.
 * Returns ERR_USAGE if there is no such cell, or its model differs. */
int plan_identify(struct plan *p);

/* Sets the parents and trials of all cells, whose ids must be set. */
void plan_link(struct plan *p);

/* ---- for freeze.c ---- */

/* Returns an empty plan with room for `cells` cells; plan_close it. */
struct plan *plan_new(const char *name, const char *title, int cells);

/* Sets the tasks that are not compared.  The list ends with NULL; NULL: all
 * tasks are compared. */
void plan_compare_but(struct plan *p, const char *const *task);
