/*
 * plan: determines the cells of an experiment, their estimated cost, and their
 * state in a store.  plan_open creates the cells and selects those that a
 * filter matches; plan_look then sets their state and cost.  Commands that run
 * or inspect cells call both functions first.
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
    const char        *row; /* name in tables, "random,steps=700" */
    struct config      config;
    struct mix         mix;
    const struct task *task;
    int                selected; /* 0: the filter does not match it       */
    int                anew;     /* 1: train it even if done (run/rerun.h) */
    int                older;    /* 1: from an earlier state of the
                                    experiment                            */
    const char        *refused;  /* why the model is impossible, or NULL  */
    const struct cell *parent;   /* the cell of the plan whose weights this
                                    cell starts from, or NULL             */
    const struct cell **trial;   /* (trials) in the order of config.tuned;
                                    NULL if the plan lacks a trial        */
    int                trials;   /* 0: not tuned                          */

    /* plan_look sets these. */
    struct cost        cost;     /* with the longest examples             */
    struct lengths     lengths;  /* of the examples, estimated            */
    struct expected    step;     /* average step with these lengths       */
    double             seconds;  /* estimated, with one worker            */
    struct cell_status status;
    long               saved;    /* steps in its checkpoint; 0: it has no
                                    checkpoint                            */
    const char        *progress; /* `saved` in words, or ""               */
    const char        *damage;   /* why its status cannot be read, or NULL */
    const char        *blocked;  /* why it cannot start, or NULL          */

    struct cell_queued queued;   /* spool_look sets it                    */
};

struct plan {
    const char   *name, *title;
    /* The folders of prepared and of official data.  If `files` is NULL,
     * plan_look searches neither folder for the lengths of examples, and
     * plan_lacks looks for official data in `cache`. */
    const char   *cache, *files;
    char         *store;      /* folder: --store, or results/NAME         */
    const char  **contrasts;  /* store/contrast.h; ends with NULL         */
    const char  **guessed;    /* store/guess.h; ends with NULL            */
    const char   *file;       /* the experiment file as the user named it,
                                    or NULL                               */
    int           own;        /* as in struct frozen (store/frozen.h)     */
    const char  **uncompared; /* tasks that run but are not compared; ends
                                 with NULL                                */
    int           others;     /* finished cells of the store that are not
                                 selected; plan_look sets it              */
    int           n;
    struct cell  *cell;   /* by scale, task, variant, seed; older ones last */
    struct arena *memory;
};

/* The arguments of plan_open. */
struct plan_of {
    const char   *experiment; /* a file, "-" (standard input), or the name of
                                 an included experiment; NULL: the one that
                                 `run` wrote to STORE/experiment.json       */
    const char   *name, *title; /* NULL: those of the experiment            */
    const char   *store;      /* NULL: results/NAME                         */
    const char   *filter;     /* config/filter.h; NULL: select all cells    */
    int           older;      /* 1: accept a store that has only older cells */
    struct choice choice;     /* changes to the experiment's file           */
    void        (*change)(struct config *c); /* called last for each cell of
                                                the file; or NULL           */
};

/* Opens the plan and selects the cells that of->filter matches, except older
 * cells; the caller closes *out.  Returns ERR_USAGE if the arguments or the
 * experiment are invalid, or an error of freeze_read or experiment_read.
 * Returns ERR_EMPTY if the filter matches no cell, if the store has no
 * experiment, or if all cells are older and of->older is 0. */
int  plan_open(struct plan **out, const struct plan_of *of);

/* Returns 1 if the task is reported, but not compared. */
int  plan_uncompared(const struct plan *p, const char *task);
void plan_close(struct plan *p); /* NULL is fine */
OWNER(plan_close, struct plan *)

/* Sets the status, the cost and the estimated time of all cells.  The time is
 * estimated from the speed of the store's finished cells, or from train_speed
 * if there are none.  If a cell is damaged, sets its `damage` and returns no
 * error. */
int plan_look(struct plan *p);

/* Sets only the status of the selected cells, and reads no other cell.  If some
 * of them are not finished, calls plan_look. */
int plan_look_selected(struct plan *p);

/* If `c` is to be trained and its data are missing, returns the reason, else
 * NULL.  If several cells need the same data, only the first has a reason.
 * Looks for files in p->cache and in p->files (if it is NULL, only in
 * p->cache), but does not read them. */
const char *plan_lacks(const struct plan *p, const struct cell *c);

/* plan_state returns the state of a cell, and plan_status the state as text.  A
 * damaged cell counts as failed. */
enum cell_state plan_state(const struct cell *c);
const char *plan_status(const struct cell *c);

/* Returns the reason if a cell has failed, or is damaged, refused or blocked;
 * else "". */
const char *plan_reason(const struct cell *c);

/* Returns plan_reason.  If it is "" and the cell has a checkpoint, returns text
 * such as "saved at step 300 of 700". */
const char *plan_note(const struct cell *c);

/* Returns 1 if settings can be chosen by the results of this trial: it is done
 * or has diverged. */
int plan_tried(const struct cell *trial);

/* ---- freeze.c: the experiment of a store (store/frozen.h) ---- */

/*
 * Writes the plan's experiment to STORE/experiment.json, under the store's
 * lock.  Call it before the cells are trained.
 *
 *   The store has             Effect
 *   no experiment             Writes the experiment of the plan.
 *   all cells of the plan     Changes no cell.  If the plan has other
 *                             uncompared tasks or contrasts than the store: if
 *                             `extend` is 0, prints a message, else replaces
 *                             those of the store.
 *   not all of these cells    If `extend` is 0, returns ERR_USAGE with the
 *                             differences, else adds the missing cells.  Cells
 *                             of the store with the same row, task, scale and
 *                             seed as an added cell become older cells.
 *
 * Also returns ERR_STORE if experiment.json is damaged, and the errors of
 * store_lock.
 */
int freeze_write(const struct plan *p, int extend);
int freeze_check(const struct plan *p); /* fails as freeze_write would */

/* Reads the plan of a store; the caller closes *out.  No cell is selected.
 * Returns ERR_EMPTY if nothing was run in the store, or ERR_STORE if its
 * experiment.json is damaged, edited or from another version. */
int freeze_read(struct plan **out, const char *store);

/* ---- target.c: the cells that arguments of `show` and `compare` name ---- */

/*
 * Opens the plan of a store and selects only the cells that `arg` names; the
 * caller closes *out.  target_open also calls plan_look.  `arg` has one of
 * these forms:
 *
 *     STORE#ID            the first six or more digits of the id
 *     STORE#ROW/TASK/SEED ROW: a variant, or a row such as random,steps=700
 *     STORE#ROW/TASK      all seeds (target_group)
 *
 * If STORE# is omitted, the cell is in `store`.  Prefers current cells to older
 * ones.  Returns ERR_EMPTY if there is no such cell.  Returns ERR_USAGE if the
 * name is ambiguous, or if STORE# is omitted and `store` is NULL.
 */
int target_find(struct plan **out, const char *arg, const char *store);
int target_open(struct plan **out, const char *arg, const char *store);

/* Returns 1 if `arg` names every seed of a row and task. */
int target_group(const char *arg);

/* ---- link.c: cells that depend on others ---- */

/* Returns 1 if the cell starts from the weights of another cell. */
int plan_starts(const struct cell *c);

/* Returns 1 if the cell is a trial, by which settings of other cells are
 * chosen. */
int plan_is_trial(const struct cell *c);

/* Returns 1 if another program trains the cell. */
int plan_is_external(const struct cell *c);

/* Sets the ids of all cells.  The id of a cell that starts from the weights of
 * another cell, its parent, depends on the id of the parent.  The parent has
 * the same scale, seed, variant and varied settings; one of the two cells can
 * be tuned and the other not.  Returns ERR_USAGE if a parent is not in the plan
 * or has a different model. */
int plan_identify(struct plan *p);

/* Sets the parents and trials of all cells, whose ids must be set. */
void plan_link(struct plan *p);

/* ---- for freeze.c ---- */

/* Returns an empty plan with room for `cells` cells; the caller calls
 * plan_close. */
struct plan *plan_new(const char *name, const char *title, int cells);

/* Sets the tasks that are not compared.  The list ends with NULL; if it is
 * NULL, all tasks are compared. */
void plan_compare_but(struct plan *p, const char *const *task);
