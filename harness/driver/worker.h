/*
 * worker: one cell in a process of its own, so that an abort, a signal or a
 * lack of memory there is one failed cell here.
 *
 * The child writes struct note through a pipe, each in one write (less than
 * PIPE_BUF, so never torn).  Its stdout and stderr go to STORE/logs/ID.log.
 * SIGTERM, SIGINT and SIGHUP make it save a checkpoint and end; it dies with
 * its parent.
 */
#ifndef DRIVER_WORKER_H
#define DRIVER_WORKER_H

#include "harness/driver/plan.h"

#include <sys/types.h>

struct note {
    int    ended;         /* 1: the last one; rc and message hold */
    int    rc;
    char   message[1024];
    char   phase[16];
    long   done, of;
    double loss, fraction;
};

enum { WORKERS_MAX = 1024, TICK_MS = 200 }; /* between looks at them */

struct worker {
    const struct cell *cell;
    pid_t       pid;      /* 0: free                             */
    int         pipe;     /* poll it; worker_read when it speaks */
    double      began;
    int         late;     /* 1: killed, it took too long     */
    double      phase_began;
    long        phase_from; /* `done` then                     */
    char       *log;
    long        log_from; /* this attempt's first byte           */
    struct note last;
};

enum worker_job { WORKER_TRAIN, WORKER_DATA }; /* DATA: only prepare them */

int worker_start(struct worker *w, const struct cell *c, const struct plan *p,
                 const struct options *o, enum worker_job job);

/* Takes what the pipe holds.  1: it is closed, the child is at its end. */
int worker_read(struct worker *w);

/*
 * Waits for the end and frees w.  OK: it did its work; ERR_STOPPED; or how it
 * failed: the code, with the message in err_last() and its failure class in
 * *class ("signal", "diverged", "bad-data", "error").
 */
int worker_end(struct worker *w, const char **class);

#endif
