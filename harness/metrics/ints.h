/* ints: a list of numbers that grows, and multisets: such lists sorted. */
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

/* Of sorted lists: a becomes the union, each number as often as where it is
 * most frequent; the size of the intersection, each as often as where it is
 * least frequent. */
void   ints_unite(struct ints *a, const struct ints *b);
size_t ints_common(const struct ints *a, const struct ints *b);
