/*
 * workers: the workers of a run, watched: what they say, the signs of life that
 * their claims need, and the end that a signal or a failure brings.
 */
#pragma once

#include "harness/run/progress.h"
#include "harness/run/watchdog.h"

struct workers {
    struct worker *worker;
    int            workers;
    struct store  *store;  /* of their claims                     */
    struct watchdog   guard;
    struct progress_lines     bar;
    double         beat;   /* when claims were last renewed       */
    double         ended;  /* guard.clock at its end's beginning  */
    int            heard;  /* signals so far                      */
};

/* From now on SIGINT, SIGTERM and SIGHUP are noted
 * (base/signals.h); arrays are of arena a. */
void workers_open(struct workers *c, int workers, const struct pool_options *o,
                  struct store *s, struct arena *a);

#define crew_say(c, ...) (progress_clear(&(c)->bar), say(__VA_ARGS__))

/* Sleeps until a worker speaks or a tick is over.  Those at their end go
 * through `over`, until it answers less than 0; else: how many were at work. */
int workers_attend(struct workers *c, int (*over)(void *arg, struct worker *w),
                   void *arg);

/* Counts time and memory, and renews claims. */
void workers_watch(struct workers *c);

/* Call it at every tick of a run that ends.  First asks the workers to save,
 * and ends those that have nothing to save; a signal more ends all at once. */
void workers_end(struct workers *c);

/* Classes of failure beside those of worker_end: it was ended before it could
 * save; another runner has its cell. */
extern const char workers_lost[], workers_stolen[];
