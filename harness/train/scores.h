/* scores: shares the results of an evaluation among the ranks that train a cell
 * (zero1.h).  train/evaluate.c calls scores_share at the end of each
 * evaluation. */
#pragma once

#include "harness/train/evaluate.h"

/* Shares the numbers in x, so that every rank has all of them.  mine[i] is 1 if
 * this rank has scored example i; each example was scored by exactly one rank.
 * `stopped` is 1 if this rank was stopped.  If any rank was stopped, shares
 * nothing and returns 1; else returns 0. */
int scores_share(struct scores *x, const struct zero1 *s, const char *mine,
                 int stopped);

/* scores_share_texts does the same for the decoded texts.  The texts of other
 * ranks are allocated in `a`. */
int scores_share_texts(struct scores *x, const struct zero1 *s,
                       const char *mine, int stopped, struct arena *a);
