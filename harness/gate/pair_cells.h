/*
 * pair_cells: matches the cells of two baselines.  Cells with the same id
 * match.  Among the other cells, two with the same name
 * (variant/task/scale/seed), one in each baseline, match if no third of these
 * cells has the name.
 */
#pragma once

#include "harness/gate/baseline.h"

struct cell_pair { const struct baseline_cell *a, *b; }; /* NULL: no cell */

/* Sets *out to a list of pairs, allocated from `m`, in which every cell of both
 * baselines occurs once; pairs with a cell of `a` come first.  Returns the
 * number of pairs. */
int pair_baselines(struct cell_pair **out, const struct baseline *a,
                   const struct baseline *b, struct arena *m);

/* Returns 1 if the cells of a pair (neither is NULL) differ: in their ids, in
 * the digests of their results, or in a metric of `a`.  The digest has no
 * metrics of later versions (store/cell_diff.h).  A metric that only `b` has is
 * no difference. */
int pair_moved(const struct cell_pair *m);

/* pair_group returns the length of the part of a cell's name before the seed:
 * "random/lm1b/smoke/" in "random/lm1b/smoke/1".  pair_same_group returns 1 if
 * these parts of two names are equal.  pair_all_seeds returns this part
 * followed by a star. */
size_t      pair_group(const char *name);
int         pair_same_group(const char *x, const char *y);
const char *pair_all_seeds(const char *name, struct arena *a);
