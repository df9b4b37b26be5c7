/*
 * pair_cells: matches the cells of two baselines: by id, else by name
 * (variant/task/scale/seed) if each side has exactly one cell of that name that
 * no id has matched.
 */
#pragma once

#include "harness/gate/baseline.h"

struct cell_pair { const struct baseline_cell *a, *b; }; /* NULL: no cell */

/* Writes every cell of both baselines once, those of a first, to *out in arena
 * m.  Returns the number of pairs. */
int pair_baselines(struct cell_pair **out, const struct baseline *a,
                const struct baseline *b, struct arena *m);

/* Returns 1 if the cells of a pair differ: in their ids or in the digests of
 * their results. */
int pair_moved(const struct cell_pair *m);

/* Names of cells that differ only in their seeds.  pair_group returns the
 * length of "random/lm1b/smoke/" in "random/lm1b/smoke/1"; pair_same_group
 * returns 1 if these are equal; pair_all_seeds returns this part followed by a
 * star. */
size_t      pair_group(const char *name);
int         pair_same_group(const char *x, const char *y);
const char *pair_all_seeds(const char *name, struct arena *a);
