/*
 * worker: one cell in a process of its own, so that an abort, a signal or a
 * lack of memory there is one failed cell here.
 *
 * The child writes struct note through a pipe, each in one write (less than
 * PIPE_BUF, so never torn).  Its stdout and stderr go to STORE/logs/ID.log.
 * SIGTERM, SIGINT and SIGHUP (base/signals.h) make it save a checkpoint and
 * end; it dies with its parent.
 */
#pragma once

#include "harness/plan/plan.h"

#include <sys/types.h>

struct team;
struct place;

struct note {
    int    ended;         /* 1: the last one; rc and message hold */
    int    rc;
    char   message[1024];
    char   phase[16];
    long   done, of;
    double loss, fraction;
    long   saved;         /* steps that a checkpoint holds            */
    double gap;           /* longest wait for a stop so far, seconds  */
    int    remark;        /* 1: only a message for the user           */
};

struct pool_options {
    int         jobs;    /* 0: as many as there are processors for       */
    double      timeout; /* seconds a cell may take; 0: any              */
    double      stall;   /* seconds without a sign of life; 0: any; less:
                            as many as is likely                         */
    double      wait;    /* seconds for cells that another runner holds; when
                            it dies, they are ours                         */
    const char *cache;   /* where fetched and prepared data are          */
    const char *files;   /* where official files are; NULL: in the cache   */
    struct team *team;   /* with whom each cell is trained; NULL: alone    */
    int         exact;   /* 1: as many jobs and threads as are said, whatever
                            was granted: the numbers are what is tested  */
    int         stop_after; /* steps, and a cell is saved, unfinished; 0: it
                               is trained to its end                       */

    /* place.h sets these. */
    int         threads; /* of a cell at the most; 0: any                  */
    int         preparing; /* of each WORKER_DATA (datasets.h); 0: one     */
    const struct place *place; /* NULL: not known yet                      */
    int         slot;    /* which of the cells at a time                   */
};

enum { WORKERS_MAX = 1024, TICK_MS = 200 }; /* between looks at them */

enum worker_job { WORKER_TRAIN, WORKER_DATA }; /* DATA: only prepare them */

struct worker {
    const struct cell *cell;
    enum worker_job job;
    pid_t       pid;      /* 0: free                             */
    int         pipe;     /* poll it; worker_read when it speaks */
    double      phase_began;
    long        phase_from; /* `done` then                     */
    char       *log;
    long        log_from; /* this attempt's first byte           */
    struct note last;     /* that was no remark                  */
    char        remark[1024]; /* or ""; whoever tells it empties it */

    /* watchdog.h keeps these. */
    double      ran;      /* seconds, stopped ones left out      */
    double      counted;  /* when `ran` was last counted         */
    double      quiet;    /* seconds since its last note         */
    double      rss;      /* bytes                               */
    char        state;    /* of /proc/PID/stat                   */
    double      grant;    /* after a signal: seconds to save in  */

    const char *killed;   /* the class of failure it was killed for, or NULL */
    char        why[256];
};

/* For each of the `workers` of something that is not free. */
#define EACH_AT_WORK(w, of)                                                   \
    for (__typeof__((of)->worker + 0) w = (of)->worker;                       \
         w < (of)->worker + (of)->workers; w++)                               \
        if (!w->pid) {                                                        \
        } else

/* "ID random/lm1b/1": a format, and what it takes. */
#define CELL_NAME "%s %s/%s/%llu"
#define CELL_NAMED(c)                                                         \
    (c)->id, (c)->row, (c)->config.task,                                      \
        (unsigned long long)(c)->config.seed

/* s, of WORKER_TRAIN: holds the claim, which is looked at before the cell is
 * committed. */
int worker_start(struct worker *w, const struct cell *c, const struct plan *p,
                 const struct pool_options *o, struct store *s,
                 enum worker_job job);

/* SIGKILL, and how worker_end then calls it; only the first counts. */
void worker_kill(struct worker *w, const char *class, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Takes what the pipe holds.  1: it is closed, the child is at its end. */
int worker_read(struct worker *w);

/*
 * Waits for the end and frees w.  OK: it did its work; ERR_STOPPED; or how it
 * failed: the code, with the message in err_last() and its failure class in
 * *class ("signal", "diverged", "bad-data", "oom", "device", "error", or
 * why it was killed).
 */
int worker_end(struct worker *w, const char **class);
