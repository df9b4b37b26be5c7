/*
 * ints: growing lists of numbers, and multisets, which are sorted lists.
 * Scorers and ngram.c use them for n-grams.
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

/* `a` and `b` are sorted lists, in which a number occurs i and j times.
 * ints_unite replaces `a` by the union, in which it occurs max(i, j) times.
 * ints_common returns the size of the intersection, in which it occurs
 * min(i, j) times. */
void   ints_unite(struct ints *a, const struct ints *b);
size_t ints_common(const struct ints *a, const struct ints *b);
