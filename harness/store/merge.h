/*
 * merge: combines several stores into one new store; `synthbench merge` calls
 * it.  The result depends only on the set of stores.  It does not depend on
 * their order, on whether a store is given twice, or on whether they are merged
 * in several steps.  The new store contains:
 *
 *     cells/ID.h5      the cells of all stores.  The files of a cell in several
 *                      stores must have bit-identical results (cell_diff.h);
 *                      the file with the lowest SHA-256 is copied
 *     weights/ID.h5    the weights of these cells, found by their digest
 *     journal.tsv      the lines of these cells, in the order of their ids
 *     failed/ID.json   the failure notes of cells that no store has finished;
 *                      if several stores have a note for a cell, one of class
 *                      "diverged" is preferred
 *     experiment.json  the union of the experiments (frozen_unite)
 *
 * Unfinished work (leases, checkpoints, logs), rendered results and quarantined
 * files are not copied.
 */
#pragma once

struct merged { int cells, shared, failed, weightless; };

/* Merges `n` stores into the folder `to`, which must not exist or must be
 * empty; the new store appears only when it is complete.  *out counts the
 * cells, the cells that several stores share, the failed cells, and the cells
 * whose weights were not found.  Returns ERR_EMPTY if a store does not exist.
 * Returns ERR_USAGE if `to` is not empty or the stores belong to different
 * experiments.  Returns ERR_STORE if a cell is damaged, or if two stores have
 * different results for one id (the message names both stores). */
int merge_stores(struct merged *out, const char *to,
                 const char *const store[], int n);
