/*
 * array: lists that grow.  Reserve room before each element is added:
 *
 *     ARRAY_ROOM(l->item, l->n, l->room);
 *     l->item[l->n++] = x;
 *
 * A list starts as NULL with `room` 0.  The caller frees it with free().
 */
#pragma once

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* Makes room for `more` elements after the first `n`.  `room`, a size_t, is the
 * number of elements that are allocated; it at least doubles when the list
 * grows.  If the type of `n` (int or size_t) is too small for the number of
 * elements, the process ends as if it were out of memory. */
#define ARRAY_MORE(list, n, room, more)                                       \
    ((list) = array_more(list, (size_t)(n), &(room), more, sizeof *(list),    \
                         sizeof(n) < sizeof(size_t) ? INT_MAX : SIZE_MAX))
#define ARRAY_ROOM(list, n, room) ARRAY_MORE(list, n, room, 1)

void *array_grow(void *list, size_t n, size_t *room, size_t more, size_t size,
                 size_t most);

static inline void *array_more(void *list, size_t n, size_t *room, size_t more,
                               size_t size, size_t most)
{
    return more <= *room - n ? list
                             : array_grow(list, n, room, more, size, most);
}
