/*
 * datasets: prepares the data of the cells in a queue before any of these cells
 * is trained.  pool.c calls it.  Each data set is opened once, in a process of
 * its own; several are opened at a time.  So missing text data are reported
 * before training starts, and no data set is prepared twice.
 */
#pragma once

#include "harness/run/workers.h"
#include "harness/run/queue.h"

struct datasets {
    const struct plan         *plan;
    const struct pool_options *o;
    struct workers               *crew;     /* must all be free  */
    struct arena              *memory;
    void                     (*draw)(void *arg); /* called at every tick */
    void                      *arg;

    /* Results, in the order of the queue. */
    int n;
    struct opened {
        const struct cell *cell;    /* a cell that uses the data set */
        int                rc;      /* OK or ERR_DATA             */
        const char        *message; /* of ERR_DATA; else NULL     */
    } *of;
};

/* Opens the data sets of all cells in `q`.  The caller sets the members before
 * `n`.  If a data set is missing or damaged, sets its `rc` and continues with
 * the others.  After any other error, ends all workers and returns the error.
 * After a signal, ends all workers and returns OK. */
int datasets_open(struct datasets *d, const struct queue *q);
