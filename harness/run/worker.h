/*
 * worker: trains one cell in a process of its own, so that an abort, a signal
 * or a lack of memory fails only that cell.  The parent calls worker_start,
 * then worker_read whenever the pipe is readable, and worker_end at its end.
 *
 * The child writes each struct note to the pipe with one write of at most
 * PIPE_BUF bytes, which is atomic.  Its stdout and stderr go to
 * STORE/logs/ID.log.  SIGTERM, SIGINT and SIGHUP (base/signals.h) make it save
 * a checkpoint and end.  It dies with its parent.
 */
#pragma once

#include "harness/plan/plan.h"

#include <sys/types.h>

struct team;
struct place;

struct note {
    int    ended;         /* 1: the last note; rc and message are set */
    int    rc;
    char   message[1024];
    char   phase[16];
    long   done, of;
    double loss, fraction;
    long   saved;         /* steps in the checkpoint                  */
    double gap;           /* longest time between two checks for a stop
                             request so far, seconds                  */
    int    remark;        /* 1: has only a message for the user, which may
                             be "" to show that the worker is alive   */
};

struct pool_options {
    int         jobs;    /* cells at a time; 0: as many as the granted
                            processors allow                               */
    double      timeout; /* seconds that a cell may take; 0: no limit      */
    double      stall;   /* seconds without progress; 0: no limit; negative:
                            chosen by the phase and pace of the worker     */
    double      wait;    /* seconds to wait for cells that another process
                            trains; if it dies, they are taken over        */
    const char *cache;   /* folder of fetched and prepared data            */
    const char *files;   /* folder of official data; NULL: the cache       */
    struct team *team;   /* ranks that train each cell together; NULL: one
                            process                                        */
    int         exact;   /* 1: use jobs and threads as given, even if fewer
                            processors were granted, because a test depends
                            on these numbers                               */
    int         stop_after; /* steps after which a cell is saved, unfinished;
                               0: train it to the end                      */

    /* place_open sets these. */
    int         threads; /* most threads of a cell; 0: no limit            */
    int         preparing; /* threads of a WORKER_DATA (datasets.h); 0: one */
    const struct place *place; /* NULL: not set yet                        */
    int         slot;    /* index of the cell in place->on                 */
};

/* TICK_MS: milliseconds between two checks of the workers. */
enum { WORKERS_MAX = 1024, TICK_MS = 200 };

/* WORKER_DATA: only prepares the data. */
enum worker_job { WORKER_TRAIN, WORKER_DATA };

struct worker {
    const struct cell *cell;
    enum worker_job job;
    pid_t       pid;      /* 0: free                                 */
    int         pipe;     /* poll it; if readable, call worker_read  */
    double      phase_began;
    long        phase_from; /* last.done at that time                */
    char       *log;
    long        log_from; /* offset of this attempt's first byte     */
    struct note last;     /* the last note that is not a remark      */
    char        remark[1024]; /* message of the last remark; "": none, or it
                                 has been printed                    */

    /* watchdog.h sets these. */
    double      ran;      /* seconds, without suspended ones         */
    double      counted;  /* when `ran` was last updated             */
    double      quiet;    /* seconds since the last note             */
    double      rss;      /* bytes                                   */
    char        state;    /* from /proc/PID/stat                     */
    double      grant;    /* after a signal: seconds to save in      */

    const char *killed;   /* class of failure for worker_end, or NULL */
    char        why[256]; /* its message                              */
};

/* Loops over the workers of `of` that are not free. */
#define EACH_AT_WORK(w, of)                                                   \
    for (__typeof__((of)->worker + 0) w = (of)->worker;                       \
         w < (of)->worker + (of)->workers; w++)                               \
        if (!w->pid) {                                                        \
        } else

/* A format for "ID random/lm1b/1", and its arguments. */
#define CELL_NAME "%s %s/%s/%llu"
#define CELL_NAMED(c)                                                         \
    (c)->id, (c)->row, (c)->config.task,                                      \
        (unsigned long long)(c)->config.seed

/* Starts a worker.  s: for WORKER_TRAIN, the store with the cell's lease, which
 * is checked before the cell is committed; else NULL.  Returns ERR_IO if no
 * process can be started. */
int worker_start(struct worker *w, const struct cell *c, const struct plan *p,
                 const struct pool_options *o, struct store *s,
                 enum worker_job job);

/* Kills a worker (SIGKILL).  worker_end then returns this class and message.
 * Only the first call has an effect. */
void worker_kill(struct worker *w, const char *class, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Reads the notes in the pipe.  Returns 1 if the pipe is closed, because the
 * child has ended, else 0. */
int worker_read(struct worker *w);

/*
 * Waits for the end of the worker and frees w.  Returns OK if it did its work;
 * ERR_STOPPED if it saved a checkpoint; or the error of the failure, with the
 * message in err_last() and the class of failure in *class: "signal",
 * "diverged", "bad-data", "oom", "device", "error", or that of worker_kill.
 */
int worker_end(struct worker *w, const char **class);
