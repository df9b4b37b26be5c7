/* step: what a step of a cell takes, before there are data: by the rules that
 * make its batches. */
#pragma once

#include "harness/data/batch.h"
#include "harness/data/buckets.h"
#include "harness/tasks/lengths.h"
#include "harness/train/config.h"

struct batching step_batching(const struct config *c);

/* Batches as they may be: so many examples, each side so long at most.  Of
 * batches of examples there is one kind. */
struct step_kind {
    int    rows;
    double source, target;
    double share; /* of steps, 0 to 1 */
};

struct step_kinds { int n; struct step_kind of[BUCKETS]; };

/* With sides as long as may be, and no longer than these; the longest are the
 * last. */
void step_longest(struct step_kinds *out, const struct config *c, int source,
                  int target);

/* As they are expected of such examples. */
void step_expected(struct step_kinds *out, const struct config *c,
                   const struct lengths *l);

/* Examples of a batch of the longest. */
int step_rows(const struct config *c);
