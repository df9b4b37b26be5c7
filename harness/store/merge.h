/*
 * merge: combines several stores into one new store; `synthbench merge` calls
 * it.  The result depends only on the set of stores: not on their order, on
 * repetitions, or on whether they were merged in several steps.
 *
 *     cells/ID.h5      the cells of every store.  All files of one id must have
 *                      bit-identical results (cell_diff.h); the other contents
 *                      (hour, machine) are those of the file with the lowest
 *                      SHA-256
 *     weights/ID.h5    the weights that the cell wrote, found by their digest
 *     journal.tsv      the lines of these cells, in the order of their ids
 *     failed/ID.json   of cells that no store has finished; a diverged one
 *                      precedes other failures
 *     experiment.json  frozen_unite
 *
 * Unfinished work (leases, checkpoints, logs), rendered results and quarantined
 * files are not copied.
 */
#pragma once

struct merged { int cells, shared, failed, weightless; };

/* Merges n stores into the folder `to`, which must not exist or must be empty;
 * it appears when it is complete.  *out counts the cells, those that several
 * stores share, the failed ones, and the cells whose weights were not found.
 * Returns ERR_USAGE if `to` is taken or the stores belong to different
 * experiments; ERR_STORE if a cell is damaged, or if two stores have different
 * results for one id (the message names both); ERR_EMPTY if a store does not
 * exist. */
int merge_stores(struct merged *out, const char *to,
                 const char *const store[], int n);
