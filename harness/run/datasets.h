/*
 * datasets: prepares the data of the cells in a queue before any is trained.
 * Each data set is opened once, in a process of its own, several at a time.  So
 * missing text is reported first, and no data set is prepared twice.
 */
#pragma once

#include "harness/run/workers.h"
#include "harness/run/queue.h"

struct datasets {
    const struct plan         *plan;
    const struct pool_options *o;
    struct workers               *crew;     /* all of them free  */
    struct arena              *memory;
    void                     (*draw)(void *arg); /* called at every tick */
    void                      *arg;

    /* Results, in the order of the queue. */
    int n;
    struct opened {
        const struct cell *cell;    /* one that uses the data set */
        int                rc;      /* OK or ERR_DATA             */
        const char        *message; /* of ERR_DATA; else NULL     */
    } *of;
};

/* Opens the data sets of all cells in q.  The caller sets the members before
 * `n`.  If a data set is missing or damaged, sets its rc and continues with the
 * others.  Returns OK, or another error after ending all workers.  A signal
 * also ends them, but is no error. */
int datasets_open(struct datasets *d, const struct queue *q);

/* Returns 1 if both cells use the same data set. */
int datasets_same(const struct cell *a, const struct cell *b);
