/* step: the batches of a cell before there are data, by the same rules as the
 * real ones.  cost.c, bench.c and watch.c use it. */
#pragma once

#include "harness/data/batch.h"
#include "harness/data/buckets.h"
#include "harness/tasks/lengths.h"
#include "harness/train/config.h"

struct batching step_batching(const struct config *c);

/* A kind of batch: its number of examples and the ids of their source and
 * target.  Batches of examples are all of one kind. */
struct step_kind {
    int    rows;
    double source, target;
    double share; /* share of steps, 0 to 1 */
};

struct step_kinds { int n; struct step_kind of[BUCKETS]; };

/* Writes the kinds with their longest sides, at most `source` and `target` ids.
 * The kind with the longest sides is the last. */
void step_longest(struct step_kinds *out, const struct config *c, int source,
                  int target);

/* Writes the kinds that are expected for examples of these lengths. */
void step_expected(struct step_kinds *out, const struct config *c,
                   const struct lengths *l);

/* Returns the number of examples in a batch of the longest ones. */
int step_rows(const struct config *c);
