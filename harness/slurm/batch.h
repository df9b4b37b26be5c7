/*
 * batch: the missing cells of a plan as job arrays of Slurm.
 *
 * What a task asks for is the plan's estimate with a margin: three times its
 * time and 10 minutes; half more than its memory and 256 MB, for the runner
 * that watches it.  A cell that its time was too short for saves its state and
 * goes on from there (`slurm resubmit`).
 *
 * Cells whose limits are within a factor of two share an array, which asks for
 * the most of them; longest cells come first, in an array and among arrays.  An
 * array has at most so many cells as the cluster has indices.  Cells that start
 * from others' weights, or are tuned by trials, are in arrays behind those:
 * they begin when these have ended, however that was, and one whose parent did
 * not come about says so and ends.
 */
#pragma once

#include "harness/plan/plan.h"

struct batch_need { int cores, gpus, minutes, megabytes; /* 2^20 bytes */ };

struct batch_array {
    const struct cell **cell;   /* (n); the index of a task is its place   */
    int                 n;
    struct batch_need   need;   /* the most of its cells                   */
    int                *after;  /* (afters) arrays before this one         */
    int                 afters;
    const char        **waits;  /* (waiting) tasks in the queue, "123_4"   */
    int                 waiting;
    const char         *job;    /* once Slurm has it: its number           */
};

struct batch {
    struct batch_array *array;  /* in the order of submission              */
    int                 n;
    int                 cells;  /* of all arrays                           */
    int                 done, queued, busy, refused, blocked, damaged;
                                /* cells that are left out, and why; busy: of
                                   a runner that is not Slurm's, or behind a
                                   cell of one                             */
    struct arena       *memory; /* the plan's                              */
};

enum { BATCH_ARRAY = 1001 }; /* Slurm's default MaxArraySize */

/* The plan was looked at, and Slurm asked (spool.h).  most: cells of an array.
 * Says which cells are blocked or damaged. */
void batch_make(struct batch *out, const struct plan *p, int most);

struct batch_need batch_need(const struct cell *c);
