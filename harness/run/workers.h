/*
 * workers: manages the workers of a run.  It reads their notes, renews the
 * leases of their cells, and ends them after a signal or a failure.  A run
 * calls workers_open, then workers_attend and workers_watch in a loop until no
 * worker runs.  When the run has to end early, the loop also calls workers_end.
 */
#pragma once

#include "harness/run/progress.h"
#include "harness/run/watchdog.h"

struct workers {
    struct worker *worker;
    int            workers;
    struct store  *store;  /* has the leases of the workers' cells */
    struct watchdog   guard;
    struct progress_lines     bar;
    double         beat;   /* when leases were last renewed       */
    double         ended;  /* guard.clock when the run began to end, or 0 */
    int            heard;  /* signals_count() at the last workers_end */
};

/* Sets *c to `workers` free workers, allocated from arena `a`.  From now on,
 * SIGINT, SIGTERM and SIGHUP are caught (base/signals.h). */
void workers_open(struct workers *c, int workers, const struct pool_options *o,
                  struct store *s, struct arena *a);

/* Removes the progress bar and prints a message. */
#define crew_say(c, ...) (progress_clear(&(c)->bar), say(__VA_ARGS__))

/* Waits until a worker sends a note, but at most TICK_MS milliseconds, and
 * prints remarks.  Calls `over` for each worker that has ended.  If `over`
 * returns an error, returns this error at once.  Otherwise returns the number
 * of workers that were running when it was called. */
int workers_attend(struct workers *c, int (*over)(void *arg, struct worker *w),
                   void *arg);

/* Runs the watchdog and renews leases.  Kills a worker whose lease is lost. */
void workers_watch(struct workers *c);

/* Ends the workers.  Call it at every tick while the run ends.  The first call
 * requests the workers to save their state, and kills workers that have nothing
 * to save.  Later calls kill workers that do not save in time.  After another
 * signal, the next call kills all workers. */
void workers_end(struct workers *c);

/* Names of classes of failure, in addition to those of worker_end.
 * workers_lost: the worker was killed before it could save.  workers_stolen:
 * another process took the lease of the cell. */
extern const char workers_lost[], workers_stolen[];
