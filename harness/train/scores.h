/* scores: shares the results of an evaluation among the ranks.
 * train/evaluate.c calls it at the end of each. */
#pragma once

#include "harness/train/evaluate.h"

/* Shares the numbers.  mine: (n) 1 for the examples that this rank has scored;
 * each example was scored by exactly one rank.  Returns 0, or 1 if any rank was
 * stopped; then nothing is shared. */
int scores_share(struct scores *x, const struct zero1 *s, const char *mine,
                 int stopped);

/* Does the same for the decoded texts.  Those of other ranks are allocated in
 * a. */
int scores_share_texts(struct scores *x, const struct zero1 *s,
                       const char *mine, int stopped, struct arena *a);
