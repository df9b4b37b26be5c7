/*
 * datasets: what the cells of a queue are trained on, opened before anything is
 * trained, each data set once and several at a time: text that is missing shows
 * first, and each is made by one process.
 */
#pragma once

#include "harness/run/workers.h"
#include "harness/run/queue.h"

struct datasets {
    const struct plan         *plan;
    const struct pool_options *o;
    struct workers               *crew;     /* all of it free */
    struct arena              *memory;
    void                     (*draw)(void *arg); /* now and then */
    void                      *arg;

    /* What came of it, in the order of the queue. */
    int n;
    struct opened {
        const struct cell *cell;    /* one that is trained on it */
        int                rc;      /* OK or ERR_DATA            */
        const char        *message; /* why                       */
    } *of;
};

/* Reads what stands above `n`.  ERR_DATA is told of the data set alone; other
 * errors end it, and so does a signal, which is none. */
int datasets_open(struct datasets *d, const struct queue *q);

int datasets_same(const struct cell *a, const struct cell *b);
