/*
 * watchdog: measures the time and memory of workers, and kills those that
 * exceed a limit or hang.  workers.c and rank_n.c call watchdog_tick in their
 * loops.
 *
 * Time counts only while both the worker and this process run, not while one of
 * them is suspended (Ctrl-Z, SIGSTOP).
 */
#pragma once

#include "harness/run/worker.h"

struct watchdog {
    struct worker *worker;
    int            workers;
    double         timeout; /* maximum seconds of a cell; 0: no limit        */
    double         stall;   /* maximum seconds between two notes (worker.h) of a
                               worker; 0: no limit; negative: its phase and
                               pace determine the limit                      */
    double         clock;   /* seconds that this process ran, without the
                               time during which it was suspended            */
    double         looked;  /* wall-clock time of the last tick              */
};

/* Call it several times per second.  Counts the time of the workers, and kills
 * (worker_kill) those that take too long ("timeout"), use too much memory
 * ("oom") or have stopped reporting progress ("stalled"). */
void watchdog_tick(struct watchdog *g);

/* Counts the time of a worker up to now; call it when the worker has ended. */
void watchdog_end(struct worker *w);

/* These functions are for use after a signal.  watchdog_expects returns the
 * estimated seconds until the worker has saved its state; watchdog_grants
 * returns the seconds after which the worker is killed if it has not ended.
 * Both return 0 if the worker has nothing to save. */
double watchdog_expects(const struct worker *w);
double watchdog_grants(const struct worker *w);

/*
 * Returns 1 if memory is nearly exhausted and this worker is the cause.  This
 * means that less than a twentieth of the machine's memory is available, and
 * the worker uses more than twice its estimate and more than 1 GiB beyond it.
 * Sizes in bytes.
 */
int watchdog_blames(double rss, double planned, double available, double total);
