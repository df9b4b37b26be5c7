/*
 * rehearsal: tests in a short time whether an experiment can run on this
 * machine.  The command `rehearse` calls it.
 *
 * Cells with the same kind of task and the same model size form a family.  In
 * each family, the cell that needs the most memory is trained twice in a
 * separate store, at full size, but for a few steps with a small batch.  The
 * first run is not interrupted; the second one is stopped after its first step
 * and resumed from the checkpoint.  Both runs must have the same results.
 */
#pragma once

#include "harness/run/pool.h"

#define REHEARSAL "-rehearsal" /* appended to the experiment's name */

struct rehearsed {
    const struct cell *real;  /* the cell of the experiment, after plan_look  */
    struct cell       *cell;  /* its rehearsal                                */
    int                rc;    /* OK: the rehearsal passed; else the error     */
    const char        *why;   /* why it failed, or NULL                       */
    int                same;  /* 1: the resumed run had the same results      */
    double             saved; /* size of its checkpoint in bytes              */
};

struct rehearsal {
    struct plan      *real, *plan; /* the experiment; the rehearsal           */
    int               n;
    struct rehearsed *of; /* (n) in the order of the plan                     */
    int               signal; /* the signal that ended the rehearsal, or 0    */
};

/* Returns 1 if both cells belong to the same family. */
int rehearsal_alike(const struct cell *a, const struct cell *b);

/* Rehearses an experiment.  If a family fails or its data are missing, sets its
 * `rc` and continues with the next one.  Returns ERR_EMPTY if there is no cell
 * to rehearse, ERR_USAGE if the experiment varies settings that a rehearsal
 * changes, ERR_SPACE if the disk is full, or an error of plan_open.  Call
 * rehearsal_close in any case. */
int  rehearsal_run(struct rehearsal *out, const struct plan_of *of,
                   const struct pool_options *o);
void rehearsal_close(struct rehearsal *r);
OWNER_OF_VALUE(rehearsal_close, struct rehearsal)
