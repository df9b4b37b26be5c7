/*
 * pair_cells: which cells of two baselines belong together: those of one id;
 * else those of one name (variant/task/scale/seed), where either side has a
 * single one of it that no id has matched.
 */
#pragma once

#include "harness/gate/baseline.h"

struct cell_pair { const struct baseline_cell *a, *b; }; /* NULL: no cell */

/* Every cell of both, once, those of a first; in arena m. */
int pair_baselines(struct cell_pair **out, const struct baseline *a,
                const struct baseline *b, struct arena *m);

/* 1: another bit decides: digests of results, or weights, or the id itself is
 * another. */
int pair_moved(const struct cell_pair *m);

/* Names of cells that differ in their seeds alone: the length of
 * "random/lm1b/smoke/" in "random/lm1b/smoke/1"; 1: it is the same; all of
 * them: that and a star. */
size_t      pair_group(const char *name);
int         pair_same_group(const char *x, const char *y);
const char *pair_all_seeds(const char *name, struct arena *a);
