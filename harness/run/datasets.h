/*
 * datasets: what the cells of a queue are trained on, opened before anything is
 * trained, each data set once and several at a time: text that is missing shows
 * first, and each is made by one process.
 */
#ifndef RUN_DATASETS_H
#define RUN_DATASETS_H

#include "harness/base/arena.h"
#include "harness/run/queue.h"
#include "harness/run/worker.h"

#include <signal.h>

struct datasets {
    const struct plan            *plan;
    const struct pool_options    *o;
    struct worker                *worker; /* (workers), all free           */
    int                           workers;
    const volatile sig_atomic_t  *stop;   /* not 0: kill them and be done  */
    void                        (*draw)(void *arg); /* now and then        */
    void                         *arg;

    /* What came of it, in the order of the queue. */
    int n;
    struct opened {
        const struct cell *cell;    /* one that is trained on it */
        int                rc;      /* OK or ERR_DATA            */
        const char        *message; /* why                       */
    } *of;
};

/* Reads what stands above `n`; in arena a.  ERR_DATA is told of the data set
 * alone; other errors end it. */
int datasets_open(struct datasets *d, const struct queue *q, struct arena *a);

int datasets_same(const struct cell *a, const struct cell *b);

#endif
