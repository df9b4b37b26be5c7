/*
 * watchdog: what workers take of time and memory, and which of them must end.
 *
 * Time counts while both the worker and this process run: what is stopped
 * (Ctrl-Z, SIGSTOP) has not worked.
 */
#pragma once

#include "harness/run/worker.h"

struct watchdog {
    struct worker *worker;
    int            workers;
    double         timeout; /* seconds a cell may take; 0: any               */
    double         stall;   /* seconds without a note; 0: any; less: as many
                               as its own pace makes likely                  */
    double         clock;   /* seconds that this process ran, not stopped    */
    double         looked;  /* by the wall: when the last tick was           */
};

/* Call it a few times a second: counts their time and ends (worker_kill) what
 * has taken too long ("timeout"), too much memory ("oom"), or says nothing any
 * more ("stalled"). */
void watchdog_tick(struct watchdog *g);

/* When a worker's end is known: counts its time up to now. */
void watchdog_end(struct worker *w);

/* After a signal: seconds until it is likely to have saved its state, and how
 * long it is given.  0: it has nothing to save. */
double watchdog_expects(const struct worker *w);
double watchdog_grants(const struct worker *w);

/*
 * Is memory nearly gone, and is this worker to blame?  It takes far more than
 * was planned while less than a twentieth of the machine's is left.  Bytes.
 */
int watchdog_blames(double rss, double planned, double available, double total);
