/*
 * worker: trains one cell in a process of its own, so that an abort, a signal
 * or a lack of memory fails only that cell.  The parent calls worker_start,
 * worker_read whenever the pipe is readable, and worker_end when the pipe is
 * closed.
 *
 * The child reports by notes: it writes each struct note to the pipe with one
 * write of at most PIPE_BUF bytes, which is atomic.  Its stdout and stderr go
 * to STORE/logs/ID.log.  After SIGTERM, SIGINT or SIGHUP (base/signals.h), it
 * saves a checkpoint and ends.  If the parent dies, the child is killed.
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
    /* phase to saved: as in struct progress (train/train.h) */
    char   phase[16];
    long   done, of;
    double loss, fraction;
    long   saved;         /* steps in the checkpoint                  */
    double gap;           /* longest time between two checks for a stop
                             request so far, seconds                  */
    int    remark;        /* 1: only `message` is set, which is for the
                             user; "" only shows that the worker is
                             alive                                    */
};

struct pool_options {
    int         jobs;    /* cells at a time; 0: as many as the granted
                            processors allow                               */
    double      timeout; /* maximum seconds of a cell; 0: no limit         */
    double      stall;   /* as in struct watchdog                          */
    double      wait;    /* seconds to wait for cells that another process
                            trains; if that process dies, its cells are
                            trained here                                   */
    const char *cache;   /* folder of fetched and prepared data            */
    const char *files;   /* folder of official data; NULL: the cache       */
    struct team *team;   /* ranks that train each cell together; NULL: one
                            process                                        */
    int         exact;   /* 1: use `jobs` and `threads` as given, even if
                            fewer processors were granted; for tests       */
    int         stop_after; /* steps after which a cell is saved, unfinished;
                               0: train to the end                         */

    /* place_open sets these. */
    int         threads; /* maximum threads of a cell; 0: no limit         */
    int         preparing; /* threads of a WORKER_DATA job; 0: one         */
    const struct place *place; /* NULL: not set yet                        */
    int         slot;    /* index of the cell in place->on                 */
};

/* TICK_MS: milliseconds between two checks of the workers. */
enum { WORKERS_MAX = 1024, TICK_MS = 200 };

/* WORKER_DATA only prepares the data of the cell (datasets.h). */
enum worker_job { WORKER_TRAIN, WORKER_DATA };

struct worker {
    const struct cell *cell;
    enum worker_job job;
    pid_t       pid;      /* 0: free                                 */
    int         pipe;     /* poll it; if readable, call worker_read  */
    double      phase_began;
    long        phase_from; /* last.done when the phase began        */
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
    double      grant;    /* seconds for saving after a signal      */

    /* If worker_kill was called, the class and message of the failure. */
    const char *killed;   /* or NULL                                 */
    char        why[256];
};

/* Loops over the workers in of->worker that are not free. */
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

/* Starts a worker.  For WORKER_TRAIN, `s` is the store that has the cell's
 * lease; the worker checks the lease before it stores the result.  For
 * WORKER_DATA, `s` is NULL.  Returns ERR_IO if no process can be started. */
int worker_start(struct worker *w, const struct cell *c, const struct plan *p,
                 const struct pool_options *o, struct store *s,
                 enum worker_job job);

/* Kills a worker (SIGKILL).  worker_end then reports `class` and the formatted
 * message.  Only the first call for a worker has an effect. */
void worker_kill(struct worker *w, const char *class, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Reads the notes in the pipe.  Returns 1 if the pipe is closed, because the
 * child has ended, else 0. */
int worker_read(struct worker *w);

/*
 * Waits for the end of the worker and makes `w` free for another cell.  Returns
 * OK if the worker completed its job, or ERR_STOPPED if it saved a checkpoint.
 * If it failed, returns the error, with the message in err_last(), and sets
 * *class to the class of failure: "signal", "diverged", "bad-data", "oom",
 * "device", "error", or the class given to worker_kill.
 */
int worker_end(struct worker *w, const char **class);
