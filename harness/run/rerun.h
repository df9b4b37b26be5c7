/*
 * rerun: finished cells that are trained again (cell.anew), beside the old
 * ones, which stay until the new are whole:
 *
 *     STORE/rerun    a store of their own, with checkpoints; swept when none
 *                    of them is left
 *
 * Claims, heartbeats and the order of parents and children are those of the
 * store itself.
 */
#pragma once

#include "harness/run/pool.h"

/* Where a worker puts what it makes of a cell; caller frees. */
char *rerun_folder(const struct plan *p, const struct cell *c);

/* Before any of them is trained, and under the claim of each, for who had it
 * before may have swept the folder; does nothing where none is to be. */
int rerun_open(const struct plan *p);

/* Compares a cell that was trained again with the one before, and puts it in
 * its place.  Counts it in r->same or r->changed, and says what differs and
 * what that makes stale; for the first cell that another build made, it names
 * both builds. */
int rerun_adopt(struct pool_result *r, const struct plan *p, struct store *s,
                const struct cell *c, double seconds);

/* Nothing of it waits to be gone on with: sweeps it, unless others are at
 * work. */
void rerun_close(const struct plan *p, struct store *s);
