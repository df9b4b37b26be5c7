/*
 * overlap: computes the share of words that two texts have in common.  For the
 * sets of words A and B of the two texts, the overlap is
 *
 *     |A and B| / min(|A|, |B|)
 *
 * Words are the matches of \w+ in lower case.  The overlap-only baseline
 * (reference.h) calls word_set_of, then overlap_tenth.
 */
#pragma once

#include "harness/base/text.h"

struct map;

struct word_set { int n; const int *word; }; /* ascending word numbers */

/* Returns the set of words of a text, as their numbers in the map `numbers`.
 * A word that is not in the map is copied into it and gets the next number. */
struct word_set word_set_of(struct map *numbers, struct slice text,
                            struct arena *a);

/* Returns the tenth of [0,1] in which the overlap lies, numbered 0 to 9
 * (overlap 1: 9), or -1 if a set is empty. */
int overlap_tenth(struct word_set a, struct word_set b);
