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

/* Says whether a cell that was trained again has the same bits as before (with
 * what differs, what that makes stale, and both builds) and puts it in the
 * place of the old one.  Counts in r->same, r->changed. */
int rerun_adopt(struct pool_result *r, const struct plan *p, struct store *s,
                const struct cell *c, double seconds);

/* Nothing of it waits to be gone on with: sweeps it, unless others are at
 * work. */
void rerun_close(const struct plan *p, struct store *s);
