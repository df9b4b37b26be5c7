/*
 * ints: growing lists of numbers; a sorted list serves as a multiset.  Scorers
 * and ngram.c store n-grams in such lists, each as the number that
 * ngram_numbers (ngram.h) assigns to it.
 */
#pragma once

#include "harness/base/array.h"
#include "harness/base/owned.h"

struct ints { int *v; size_t n, cap; }; /* starts as {0} */

static inline void ints_add(struct ints *l, int x)
{
    ARRAY_ROOM(l->v, l->n, l->cap);
    l->v[l->n++] = x;
}

void ints_free(struct ints *l);
OWNER_OF_VALUE(ints_free, struct ints)
void ints_sort(struct ints *l);

/* `a` and `b` are sorted lists.  A number that occurs i times in `a` and j
 * times in `b` occurs max(i, j) times in their union and min(i, j) times in
 * their intersection.  ints_unite replaces `a` by the union; ints_common
 * returns the size of the intersection. */
void   ints_unite(struct ints *a, const struct ints *b);
size_t ints_common(const struct ints *a, const struct ints *b);
