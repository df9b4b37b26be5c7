/*
 * rerun: manages a second store, for the new results of finished cells that are
 * trained again (cell.anew).  The previous results stay in the main store until
 * the new ones are complete.
 *
 *     STORE/rerun    the store of the new results, with checkpoints; removed
 *                    when it has no unfinished cell
 *
 * Leases (store/store.h) are taken in the main store, not in STORE/rerun.
 */
#pragma once

#include "harness/run/pool.h"

/* Returns the path of the store to which a worker writes cell `c`: STORE/rerun
 * if c->anew is 1, else STORE.  The caller frees it. */
char *rerun_folder(const struct plan *p, const struct cell *c);

/* Creates STORE/rerun if a selected cell is to be trained again.  Call it
 * before training starts, and again after taking the lease of such a cell,
 * because the previous owner of the lease may have removed the folder.  Returns
 * OK or an error of store_open. */
int rerun_open(const struct plan *p);

/* Compares the new result of a cell with the previous one, and replaces the
 * previous one.  Counts the cell in r->same or r->changed (in neither if the
 * previous result cannot be read), and prints what differs, and which cells
 * become stale because they started from the previous weights.  For the first
 * cell whose previous result is from another build, also prints both builds. */
int rerun_adopt(struct pool_result *r, const struct plan *p, struct store *s,
                const struct cell *c, double seconds);

/* Removes STORE/rerun unless another process works in the store.  Call it if
 * STORE/rerun has no cell to resume. */
void rerun_close(const struct plan *p, struct store *s);
