/*
 * pacer: starts a child process that times training steps on request
 * (`synthbench bench --config JSON --paced`).  cost.c lets several such
 * processes take turns within hundredths of a second.
 */
#pragma once

#include "harness/base/owned.h"

struct pacer;

/* Starts a program.  program: a path, or a name in PATH.  config: the
 * configuration of a cell as JSON.  Returns ERR_USAGE if the program cannot be
 * started.  If the program does not support --paced, pacer_open returns OK and
 * the first call of pacer_steps fails. */
int  pacer_open(struct pacer **out, const char *program, const char *config,
                int threads);
void pacer_close(struct pacer *p); /* ends the process; NULL is fine */
OWNER(pacer_close, struct pacer *)

struct paced {
    double seconds; /* median per step             */
    double bytes;   /* peak resident memory        */
};

/* Times n steps, 1 to 100000.  Returns ERR_USAGE, with the message of the
 * process, if the process has ended or its answer is invalid, or ERR_STOPPED if
 * a signal was caught. */
int pacer_steps(struct paced *out, struct pacer *p, int n);
