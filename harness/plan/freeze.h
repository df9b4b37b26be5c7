/*
 * freeze: a store belongs to an experiment, which STORE/experiment.json holds
 * (store/frozen.h): the cells that its tables show, and older ones.
 */
#ifndef PLAN_FREEZE_H
#define PLAN_FREEZE_H

#include "harness/plan/plan.h"

/*
 * Before the plan's cells are trained into its store, under the store's lock:
 *
 *   no experiment yet     the plan's is frozen
 *   it has all of them    nothing changes
 *   it lacks some         ERR_USAGE, with what differs; with `extend` they
 *                         become part of it, and its cells of the same variant,
 *                         task, scale and seed move to the older ones
 */
int freeze_write(const struct plan *p, int extend);

/* ERR_EMPTY: nothing was run there; ERR_STORE: damaged, edited, or newer. */
int freeze_read(struct plan **out, const char *store);

#endif
