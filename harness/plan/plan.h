/*
 * plan: the cells of an experiment, what each will cost, and what a store
 * already has of them.
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

/* A cell in the queue of a batch system: slurm/spool.h. */
struct cell_queued {
    const char *job;            /* "123_4"; NULL: it is in none  */
    const char *state, *reason; /* "PENDING", "Priority"         */
};

struct cell {
    char               id[SETTINGS_ID];
    const char        *row; /* matrix_cell: "random", "random,steps=700" */
    struct config      config;
    struct mix         mix;
    const struct task *task;
    int                selected; /* 0: -E left it out                     */
    int                anew;     /* 1: train it though it is done: rerun.h */
    int                older;    /* 1: of an experiment as it was before  */
    const char        *refused;  /* why there is no such model, or NULL   */
    const struct cell *parent;   /* config.pretrained as a cell of the plan,
                                    or NULL                               */
    const struct cell **trial;   /* [trials] of config.tuned, in its order;
                                    NULL where the plan has not all of them */
    int                trials;   /* 0: nothing is chosen                  */

    /* plan_look */
    struct cost        cost;  /* of the longest examples                  */
    struct lengths     lengths; /* of the examples, as expected           */
    struct expected    step;    /* of such examples                       */
    double             seconds;  /* expected, one worker                  */
    struct cell_status status;
    long               saved;    /* steps that a checkpoint holds; 0: none */
    const char        *progress; /* that, in words; or ""                 */
    const char        *damage;   /* why the store cannot tell, or NULL    */
    const char        *blocked;  /* why it cannot begin, or NULL          */

    struct cell_queued queued;   /* where somebody asked Slurm            */
};

struct plan {
    const char   *name, *title;
    const char   *cache, *files; /* where plan_look looks for lengths; files
                                    NULL: nowhere */
    char         *store;  /* folder: --store, or results/NAME             */
    const char  **contrasts;  /* store/contrast.h; ends with NULL       */
    const char  **guessed;    /* store/guess.h; ends with NULL          */
    const char   *file;   /* store/frozen.h, or NULL                    */
    int           own;    /* likewise                                   */
    const char  **uncompared; /* tasks that run and are not compared; ends
                                 with NULL                                */
    int           others; /* plan_look: finished cells of the store that are
                             not selected                                 */
    int           n;
    struct cell  *cell;   /* scale, task, variant, seed; older ones last  */
    struct arena *memory;
};

/* Which cells. */
struct plan_of {
    const char   *experiment; /* a file, "-", or the name of one that came with
                                 the program; NULL: what `run` froze in
                                 `store`                                    */
    const char   *name, *title; /* NULL: those of the experiment            */
    const char   *store;      /* NULL: results/NAME                         */
    const char   *filter;     /* config/filter.h; NULL: all                 */
    int           older;      /* 1: older cells alone will do               */
    struct choice choice;     /* of an experiment file                      */
    void        (*change)(struct config *c); /* of each cell of the file, last
                                                of all; or NULL             */
};

int  plan_open(struct plan **out, const struct plan_of *of);
int  plan_uncompared(const struct plan *p, const char *task); /* 1: it is */
void plan_close(struct plan *p); /* NULL is fine */
OWNER(plan_close, struct plan *)

/* Status, cost and expected time of the selected cells.  The speed is that of
 * cells which the store has done, else a guess.  A damaged cell is noted. */
int plan_look(struct plan *p);

/* Returns why the data of a cell that is to be trained are missing, or NULL.
 * Of cells with the same data only the first has a reason.  Looks for files in
 * p->cache and p->files (NULL: p->cache), and does not read them. */
const char *plan_lacks(const struct plan *p, const struct cell *c);

/* Damage is a failure. */
enum cell_state plan_state(const struct cell *c);
const char *plan_status(const struct cell *c);

/* Why a cell failed, is refused or blocked; or "". */
const char *plan_reason(const struct cell *c);
/* That; or where its state is saved, "saved at step 300 of 700". */
const char *plan_note(const struct cell *c);

/* 1: one can choose by this trial: it is done, or has diverged. */
int plan_tried(const struct cell *trial);

/* ---- freeze.c: the experiment that a store belongs to, which
 * STORE/experiment.json holds (store/frozen.h): the cells that its tables show,
 * and older ones ---- */

/*
 * Before the plan's cells are trained into its store, under the store's lock:
 *
 *   no experiment yet     the plan's is frozen
 *   it has all of them    nothing changes; that it compares other tasks than
 *                         the plan does is told as a remark, and with `extend`
 *                         it compares those of the plan
 *   it lacks some         ERR_USAGE, with what differs; with `extend` they
 *                         become part of it, and its cells of the same variant,
 *                         task, scale and seed move to the older ones
 */
int freeze_write(const struct plan *p, int extend);

/* ERR_EMPTY: nothing was run there; ERR_STORE: damaged, edited, or newer. */
int freeze_read(struct plan **out, const char *store);

/* ---- target.c ---- */

/*
 * STORE#CELL, what show and compare are asked about.
 *
 *     STORE#ID            six or more digits of the id, as many as are needed
 *     STORE#ROW/TASK/SEED a row is a variant, or random,steps=700 and the like
 *     STORE#ROW/TASK      every seed (target_group)
 *
 * Without STORE# it is in `store`, which may be NULL.
 */
/* The store's plan, looked at, with nothing selected but the cell or cells.
 * ERR_EMPTY: there is none like that; ERR_USAGE: there are several. */
int target_open(struct plan **out, const char *arg, const char *store);

/* 1: arg names every seed of a variant and task. */
int target_group(const char *arg);

/* ---- link.c: cells that come before others ---- */
int plan_starts(const struct cell *c);   /* from another's weights */
int plan_is_trial(const struct cell *c); /* others choose by it    */
int plan_is_external(const struct cell *c); /* another program trained it */

/* Sets all ids: one hashes that of the cell it starts from, whose row is like
 * its own.  ERR_USAGE: there is none, or it is another model. */
int plan_identify(struct plan *p);
void plan_link(struct plan *p); /* ids are known: sets parents and trials */

/* ---- for freeze.c ---- */
struct plan *plan_new(const char *name, const char *title, int cells);
void plan_compare_but(struct plan *p, const char *const *task); /* NULL: all */
