/* step: computes the shapes of the batches of a cell without the data, by the
 * same rules that batch the data.  cost.c, bench.c and watch.c use it. */
#pragma once

#include "harness/data/batch.h"
#include "harness/data/buckets.h"
#include "harness/tasks/lengths.h"
#include "harness/train/config.h"

/* Returns the rule by which the data are batched (data/batch.h). */
struct batching step_batching(const struct config *c);

/* A kind of batch: its number of examples, and the number of ids in the source
 * and in the target of each.  With batch_by "examples" there is one kind; with
 * "tokens" there is one kind for each bucket (data/buckets.h). */
struct step_kind {
    int    rows;
    double source, target;
    double share; /* share of steps, 0 to 1 */
};

struct step_kinds { int n; struct step_kind of[BUCKETS]; };

/* Writes all kinds of batches for examples of at most `source` and `target`
 * ids.  The examples of each kind are as long as the kind and these limits
 * allow.  The kind with the longest examples is the last.  With buckets,
 * `share` is 0, because the shares are unknown. */
void step_longest(struct step_kinds *out, const struct config *c, int source,
                  int target);

/* Writes the kinds of batches that are expected for examples with the lengths
 * l. */
void step_expected(struct step_kinds *out, const struct config *c,
                   const struct lengths *l);

/* Returns the number of rows of a batch of the longest examples. */
int step_rows(const struct config *c);
