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
    double         timeout; /* seconds that a cell may take; 0: no limit     */
    double         stall;   /* seconds without a note; 0: no limit; negative:
                               chosen by the phase and pace of the worker    */
    double         clock;   /* seconds that this process ran, without the
                               time in which it was suspended                */
    double         looked;  /* wall-clock time of the last tick              */
};

/* Call it several times per second.  Counts the time of the workers, and kills
 * (worker_kill) those that take too long ("timeout"), use too much memory
 * ("oom") or have stopped reporting progress ("stalled"). */
void watchdog_tick(struct watchdog *g);

/* Counts the time of a worker up to now; call it when the worker has ended. */
void watchdog_end(struct worker *w);

/* For use after a signal.  Return the seconds until the worker is likely to
 * have saved its state, and the seconds that it is given for that; 0 if it has
 * nothing to save. */
double watchdog_expects(const struct worker *w);
double watchdog_grants(const struct worker *w);

/*
 * Returns 1 if memory is nearly exhausted and this worker is to blame: less
 * than a twentieth of the machine's memory is available, and the worker uses
 * more than twice its estimate and more than 1 GiB beyond it.  Sizes in bytes.
 */
int watchdog_blames(double rss, double planned, double available, double total);
