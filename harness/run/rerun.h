/*
 * rerun: trains finished cells again (cell.anew).  The previous results stay in
 * the store until the new ones are complete.
 *
 *     STORE/rerun    a store of the new results, with checkpoints; removed when
 *                    no cell in it is unfinished
 *
 * Leases, heartbeats and the order of parents and children are those of the
 * main store.
 */
#pragma once

#include "harness/run/pool.h"

/* Returns the store that a worker writes cell c into; the caller frees it. */
char *rerun_folder(const struct plan *p, const struct cell *c);

/* Creates STORE/rerun if a selected cell is to be trained again.  Call it
 * before any of them is trained, and again with the lease of each, because its
 * previous owner may have removed the folder. */
int rerun_open(const struct plan *p);

/* Compares a cell that was trained again with its previous result, and replaces
 * that.  Counts it in r->same or r->changed, and prints what differs and which
 * cells become stale.  For the first cell that another build had made, also
 * prints both builds. */
int rerun_adopt(struct pool_result *r, const struct plan *p, struct store *s,
                const struct cell *c, double seconds);

/* Removes STORE/rerun unless another process works in the store.  Call it if no
 * cell in it is to be resumed. */
void rerun_close(const struct plan *p, struct store *s);
