/* scores: what each rank found of an evaluation becomes what all know. */
#pragma once

#include "harness/train/evaluate.h"

/* mine: (n) 1 where this rank has scored the example; each has been by one
 * rank.  1: a rank was stopped on the way, and nothing is shared. */
int scores_share(struct scores *x, const struct zero1 *s, const char *mine,
                 int stopped);

/* The same of what was decoded; new texts are of arena a. */
int scores_share_texts(struct scores *x, const struct zero1 *s,
                       const char *mine, int stopped, struct arena *a);
