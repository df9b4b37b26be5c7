/*
 * overlap: the share of words that two texts have in common.
 *
 *     |A and B| / min(|A|, |B|)
 *
 * Each word counts once; words are runs \w+ in lower case.  Pair balancing and
 * the overlap-only baseline both use this definition.
 */
#pragma once

#include "harness/base/text.h"

struct map;

struct word_set { int n; const int *word; }; /* ascending word numbers */

/* Returns the set of word numbers of a text.  New words get the next number in
 * `numbers`, a map of copies. */
struct word_set word_set_of(struct map *numbers, struct slice text,
                            struct arena *a);

/* Returns the tenth that the overlap lies in, 0 .. 9 (full overlap: 9), or -1
 * if one of the sets is empty. */
int overlap_tenth(struct word_set a, struct word_set b);
