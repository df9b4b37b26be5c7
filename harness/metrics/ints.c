#include "harness/metrics/ints.h"

#include <stdlib.h>

void ints_free(struct ints *l)
{
    free(l->v);
    *l = (struct ints){0};
}

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

void ints_sort(struct ints *l)
{
    if (l->n)
        qsort(l->v, l->n, sizeof *l->v, by_number);
}

void ints_unite(struct ints *a, const struct ints *b)
{
    struct ints sum = {0};
    size_t i = 0, j = 0;

    while (i < a->n || j < b->n) {
        int from_a = j == b->n || (i < a->n && a->v[i] <= b->v[j]);
        int id = from_a ? a->v[i] : b->v[j];

        i += i < a->n && a->v[i] == id;
        j += j < b->n && b->v[j] == id;
        ints_add(&sum, id);
    }
    ints_free(a);
    *a = sum;
}

size_t ints_common(const struct ints *a, const struct ints *b)
{
    size_t i = 0, j = 0, common = 0;

    while (i < a->n && j < b->n) {
        int x = a->v[i], y = b->v[j];

        common += x == y;
        i += x <= y;
        j += y <= x;
    }
    return common;
}
