/*
 * pool: trains the missing cells of a plan, a few at a time.  Failures stay
 * their cell's; a full disk ends the run; a signal saves and ends it, as long
 * as that takes; a second one ends it at once.  One that a worker alone gets
 * saves its cell, which is begun again once when the others are done.
 */
#pragma once

#include "harness/run/worker.h"

struct pool_result {
    int trained, before, failed; /* cells: now; done already             */
    int busy;                    /* another runner is at work on them, or
                                    somebody stopped them, twice          */
    int damaged;                 /* the store has them, and they are bad */
    int refused;                 /* there is no such model               */
    int blocked;                 /* what they start from is not there    */
    int lacking;                 /* their text is missing                */
    int saved, left;             /* checkpoints on the way; not begun    */
    int lost;                    /* ended before they could save         */
    int same, changed;           /* trained again, with and without the bits
                                    that they had before                 */
    int rebuilt;                 /* of `same`: another build made them
                                    before                               */
    int signal;                  /* that ended the run, or 0             */
};

/* The plan has been looked at.  ERR_DATA: the text of all cells is missing;
 * ERR_SPACE; ERR_IO.  A signal is no error: see the result. */
int pool_run(struct pool_result *out, struct plan *p, struct store *s,
             const struct pool_options *o);

/* What came of it as the exit code of a verb; refused cells are none. */
int pool_code(const struct pool_result *r);
