/*
 * workers: the workers of a run.  Reads their notes, renews the leases of their
 * cells, and ends them after a signal or a failure.  After workers_open, a run
 * calls workers_attend and workers_watch in a loop until no worker runs, and
 * also workers_end while it ends.
 */
#pragma once

#include "harness/run/progress.h"
#include "harness/run/watchdog.h"

struct workers {
    struct worker *worker;
    int            workers;
    struct store  *store;  /* has the leases of their cells       */
    struct watchdog   guard;
    struct progress_lines     bar;
    double         beat;   /* when leases were last renewed       */
    double         ended;  /* guard.clock when the run began to end; 0: not */
    int            heard;  /* signals that workers_end has seen   */
};

/* Sets *c to this many free workers, in arena a.  From now on SIGINT, SIGTERM
 * and SIGHUP are caught (base/signals.h). */
void workers_open(struct workers *c, int workers, const struct pool_options *o,
                  struct store *s, struct arena *a);

/* Removes the progress bar and prints a message. */
#define crew_say(c, ...) (progress_clear(&(c)->bar), say(__VA_ARGS__))

/* Waits until a worker sends a note or a tick is over, and prints remarks.
 * Calls `over` for each worker that has ended.  Returns the error of `over` as
 * soon as it returns one, else the number of workers that were running. */
int workers_attend(struct workers *c, int (*over)(void *arg, struct worker *w),
                   void *arg);

/* Runs the watchdog and renews leases.  Kills a worker whose lease is lost. */
void workers_watch(struct workers *c);

/* Call it at every tick while the run ends.  The first call asks the workers to
 * save and kills those that have nothing to save.  Later calls kill those that
 * do not save in time, and all of them after another signal. */
void workers_end(struct workers *c);

/* Classes of failure in addition to those of worker_end.  lost: killed before
 * it could save; stolen: another process has the lease of the cell. */
extern const char workers_lost[], workers_stolen[];
