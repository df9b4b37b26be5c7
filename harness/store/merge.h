/*
 * merge: several stores as one new store.  What it holds depends on the set of
 * stores alone: not on their order, not on how often one is named, and not on
 * whether they were merged by and by.
 *
 *     cells/ID.h5      of every store.  Of one id all must have the same
 *                      results, to the bit (cell_diff.h); what else they say
 *                      (the hour, the machine) is that of the file whose
 *                      SHA-256 is the least
 *     weights/ID.h5    that which the cell says it left
 *     journal.tsv      the lines of these cells, in the order of their ids
 *     failed/ID.json   of cells that no store has: one that has diverged before
 *                      one that only did not come to its end
 *     experiment.json  frozen_unite
 *
 * What is unfinished (claims, checkpoints, logs), what is rendered and what was
 * put aside stay where they are.
 */
#pragma once

struct merged { int cells, shared, failed, weightless; };

/* shared: cells of several stores; weightless: those whose weights are nowhere.
 * `to` must not be there, or be an empty folder; it appears when it is whole.
 * ERR_USAGE: something is there, or the stores are of other experiments;
 * ERR_STORE: a cell is damaged, or two stores have other bits under one id: the
 * message names both; ERR_EMPTY: there is no such store. */
int merge_stores(struct merged *out, const char *to,
                 const char *const store[], int n);
