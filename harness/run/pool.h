/*
 * pool: trains the missing cells of a plan, several at a time.
 *
 * If a cell fails, the others continue.  A full disk ends the run.  A signal
 * makes all workers save their state and ends the run when they have; a second
 * one ends it at once.  If only a worker receives a signal, it saves its cell,
 * which is resumed once after the others are done.
 */
#pragma once

#include "harness/run/worker.h"

struct pool_result {
    /* Numbers of cells. */
    int trained, before, failed; /* now; done before the run; failed now  */
    int busy;                    /* another process trains them, or their
                                    worker was stopped twice              */
    int damaged;                 /* their stored result is damaged        */
    int refused;                 /* there is no such model                */
    int blocked;                 /* a cell that they depend on is missing */
    int lacking;                 /* their text is missing                 */
    int saved, left;             /* saved unfinished; not started         */
    int lost;                    /* ended before they could save          */
    int same, changed;           /* retrained: bit-identical; different   */
    int rebuilt;                 /* of `same`: made by another build before */

    int signal;                  /* that ended the run, or 0              */
};

/* Trains the selected cells of a plan into s; requires plan_look.  Returns OK,
 * also after a signal (out->signal); ERR_DATA if the text of all cells is
 * missing; ERR_SPACE; or ERR_IO. */
int pool_run(struct pool_result *out, struct plan *p, struct store *s,
             const struct pool_options *o);

/* Returns the exit code of a command with this result.  Refused cells do not
 * count as failed. */
int pool_code(const struct pool_result *r);
