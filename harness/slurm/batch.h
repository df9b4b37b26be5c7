/*
 * batch: divides the missing cells of a plan into job arrays of Slurm.  The
 * command `slurm` calls spool_look, then batch_make, and submits the arrays
 * with script.h and spool.h.
 *
 * A Slurm task trains one cell.  It requests the plan's estimate with a margin:
 * three times the estimated time plus 10 minutes, and one and a half times the
 * estimated memory plus 256 MiB for the runner that supervises the cell.  If
 * the requested time is too short, the cell saves its state, and the next
 * `slurm submit` resumes it.
 *
 * Cells whose requests differ by at most a factor of two share an array, which
 * requests the maximum for all of them.  The longest cells come first, within
 * an array and among arrays.  An array has at most as many cells as the cluster
 * allows indices.  Cells that start from the weights of others, or are tuned by
 * trials, are in later arrays, which begin when the earlier arrays have ended,
 * with or without success.  If a cell starts from the weights of a cell that is
 * not finished by then, its task reports this and ends.
 */
#pragma once

#include "harness/plan/plan.h"

/* A megabyte is 2^20 bytes. */
struct batch_need { int cores, gpus, minutes, megabytes; };

struct batch_array {
    const struct cell **cell;   /* (n) by the index of the task            */
    int                 n;
    struct batch_need   need;   /* the maximum of its cells                */
    int                *after;  /* (afters) indices of the arrays that must
                                   end first                               */
    int                 afters;
    const char        **waits;  /* (waiting) queued tasks that must end
                                   first, "123_4"                          */
    int                 waiting;
    const char         *job;    /* job number, once submitted              */
};

struct batch {
    struct batch_array *array;  /* in the order of submission              */
    int                 n;
    int                 cells;  /* number of cells in all arrays           */
    /* Numbers of cells that are in no array, by reason.  `busy` counts cells
     * that a runner outside of Slurm trains, and cells that depend on these. */
    int                 done, queued, busy, refused, blocked, damaged;
    struct arena       *memory; /* the plan's                              */
};

enum { BATCH_ARRAY = 1001 }; /* Slurm's default MaxArraySize */

/* Makes the arrays of a plan and reports blocked and damaged cells.  Call
 * plan_look and spool_look before.  `most` is the maximum number of cells in an
 * array. */
void batch_make(struct batch *out, const struct plan *p, int most);

/* Returns the resources that a task for the cell requests. */
struct batch_need batch_need(const struct cell *c);
