/*
 * overlap: how many words two texts share.
 *
 *     |A and B| / min(|A|, |B|)
 *
 * Each word counts once; words are runs \w+ in lower case.  What deals pairs
 * and the reference that knows the overlap alone ask the same question here.
 */
#pragma once

#include "harness/base/text.h"

struct map;

struct word_set { int n; const int *word; }; /* ascending numbers */

/* The words of a text by their numbers, which new ones get in `numbers`, a map
 * of copies. */
struct word_set word_set_of(struct map *numbers, struct slice text,
                            struct arena *a);

/* The tenth in which the overlap lies, 0 .. 9 (all words: the last one, too);
 * -1: one of them has no words. */
int overlap_tenth(struct word_set a, struct word_set b);
