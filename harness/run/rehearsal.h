/*
 * rehearsal: whether an experiment would run here, before days are spent on it.
 *
 * Of the cells of each family, that is of one kind of task and one size of
 * model, the one of most memory is trained at its full size for a few steps of
 * a small batch, in a store of its own: once in one go; once more until it has
 * saved its first step, and on from there.  Both have to come out alike.
 */
#pragma once

#include "harness/run/pool.h"

#define REHEARSAL "-rehearsal" /* behind the experiment's name */

struct rehearsed {
    const struct cell *real;  /* as the experiment has it, which is looked at */
    struct cell       *cell;  /* as it is rehearsed                           */
    int                rc;    /* OK: all of it held                           */
    const char        *why;   /* it did not, or NULL                          */
    int                same;  /* 1: resumed, it came out the same             */
    double             saved; /* bytes of its checkpoint                      */
};

struct rehearsal {
    struct plan      *real, *plan; /* the experiment; what is rehearsed       */
    int               n;
    struct rehearsed *of; /* in the order of the plan                         */
    int               signal; /* that ended it, or 0                          */
};

/* Of one family? */
int rehearsal_alike(const struct cell *a, const struct cell *b);

/* What is missing or damaged of one family is told of that one alone. */
int  rehearsal_run(struct rehearsal *out, const struct plan_of *of,
                   const struct pool_options *o);
void rehearsal_close(struct rehearsal *r);
OWNER_OF_VALUE(rehearsal_close, struct rehearsal)
