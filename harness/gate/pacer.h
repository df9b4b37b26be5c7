/*
 * pacer: a program that times training steps when it is told to (`synthbench
 * bench --config JSON --paced`), so that two of them can take turns within
 * hundredths of a second.
 */
#pragma once

#include "harness/base/owned.h"

struct pacer;

/* Starts it.  program: a path, or a name in PATH; config: of a cell.
 * ERR_USAGE: it cannot be started, or cannot do that; with what it said. */
int  pacer_open(struct pacer **out, const char *program, const char *config,
                int threads);
void pacer_close(struct pacer *p); /* ends it; NULL is fine */
OWNER(pacer_close, struct pacer *)

struct paced {
    double seconds; /* median of a step            */
    double bytes;   /* the most that were resident */
};

/* n steps, 1 to 100000.  ERR_USAGE as above: it ended, or answered something
 * else; ERR_STOPPED: a signal was caught. */
int pacer_steps(struct paced *out, struct pacer *p, int n);
