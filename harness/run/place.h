/*
 * place: as many cells at a time, and threads in each, as cores were granted
 * (base/cores.h).
 *
 * Without -j: as many as keep every core busy; of a team of processes (team.h)
 * one at a time, on the cores that each was granted.  Where somebody granted
 * less than the machine has, -j and `threads` are limits: never more cells than
 * cores, nor more threads than cores in all of them together.  On a machine of
 * one's own both are obeyed.  No bit depends on it.
 */
#pragma once

#include "harness/run/worker.h"

/* Sets jobs and threads of o; says where they are fewer than was asked. */
void place_workers(struct pool_options *o, const struct plan *p);

/* Without -j: how many cells at a time. */
int place_jobs(int cores, const struct plan *p);
