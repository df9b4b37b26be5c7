/*
 * batch: divides the missing cells of a plan into job arrays of Slurm.  The
 * command `slurm` calls spool_look, then batch_make, and submits the arrays
 * with script.h and spool.h.
 *
 * A task requests the plan's estimate with a margin: three times its time plus
 * 10 minutes, and one and a half times its memory plus 256 MB for the runner
 * that supervises it.  A cell whose time was too short saves its state, and
 * `slurm resubmit` resumes it.
 *
 * Cells whose limits are within a factor of two share an array, which requests
 * the maximum of them.  The longest cells come first, within an array and among
 * arrays.  An array has at most as many cells as the cluster has indices.
 * Cells that start from the weights of others, or are tuned by trials, are in
 * later arrays: they begin when the earlier arrays have ended, with or without
 * success.  A cell whose parent was not finished reports it and ends.
 */
#pragma once

#include "harness/plan/plan.h"

/* A megabyte is 2^20 bytes. */
struct batch_need { int cores, gpus, minutes, megabytes; };

struct batch_array {
    const struct cell **cell;   /* (n); indexed by the task's index        */
    int                 n;
    struct batch_need   need;   /* the maximum of its cells                */
    int                *after;  /* (afters) arrays that must end first     */
    int                 afters;
    const char        **waits;  /* (waiting) queued tasks, "123_4"         */
    int                 waiting;
    const char         *job;    /* job number, once submitted              */
};

struct batch {
    struct batch_array *array;  /* in the order of submission              */
    int                 n;
    int                 cells;  /* of all arrays                           */
    /* Numbers of cells that are left out, by reason.  busy: trained by a runner
     * outside of Slurm, or dependent on such a cell. */
    int                 done, queued, busy, refused, blocked, damaged;
    struct arena       *memory; /* the plan's                              */
};

enum { BATCH_ARRAY = 1001 }; /* Slurm's default MaxArraySize */

/* Makes the arrays of a plan.  The states of its cells and of their Slurm tasks
 * (spool.h) have been read before.  `most` is the most cells of an array.
 * Reports blocked and damaged cells. */
void batch_make(struct batch *out, const struct plan *p, int most);

/* Returns the resources that a task for the cell requests. */
struct batch_need batch_need(const struct cell *c);
