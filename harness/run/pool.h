/*
 * pool: trains the missing cells of a plan, several at a time.  The commands
 * `run`, `rerun` and `gate` and the module `rehearsal` call it.
 *
 * If a cell fails, the others continue.  A full disk ends the run.  After a
 * signal, all workers save their state, and the run ends when they have done
 * so; a second signal ends it at once.  If only a worker receives a signal, it
 * saves its cell, which is resumed once, after the other cells.
 */
#pragma once

#include "harness/run/worker.h"

struct pool_result {
    /* Numbers of cells. */
    int trained, before, failed; /* trained by this run; done before this
                                    run; failed in this run               */
    int busy;                    /* another process trains them, or their
                                    worker was stopped twice              */
    int damaged;                 /* their stored result is damaged        */
    int refused;                 /* their model is impossible             */
    int blocked;                 /* a cell that they depend on is missing */
    int lacking;                 /* their text is missing                 */
    int saved, left;             /* saved unfinished; not started         */
    int lost;                    /* ended before they could save          */
    int same, changed;           /* retrained with bit-identical results;
                                    with different results                */
    int rebuilt;                 /* the part of `same` whose previous
                                    results are from another build        */

    int signal;                  /* the signal that ended the run, or 0   */
};

/* Trains the selected cells of a plan and stores them in `s`.  Call plan_look
 * before.  Returns OK, also after a signal (out->signal).  Returns ERR_DATA if
 * the text of all cells is missing, ERR_SPACE if the disk is full, or ERR_IO
 * for any other error. */
int pool_run(struct pool_result *out, struct plan *p, struct store *s,
             const struct pool_options *o);

/* Returns the exit code of a command with the result `r`.  Refused cells do not
 * count as failed. */
int pool_code(const struct pool_result *r);
