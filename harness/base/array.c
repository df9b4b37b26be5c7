#include "harness/base/array.h"

#include "harness/base/err.h"

#include <stdlib.h>

enum { FIRST_ROOM = 16 };

void *array_grow(void *list, size_t n, size_t *room, size_t more, size_t size,
                 size_t most)
{
    size_t least = *room ? *room : FIRST_ROOM / 2, wanted, bytes;

    if (__builtin_add_overflow(n, more, &wanted) || wanted > most)
        err_no_memory(SIZE_MAX);
    least = least > most / 2 ? most : 2 * least;
    *room = wanted > least ? wanted : least;
    if (__builtin_mul_overflow(*room, size, &bytes))
        err_no_memory(SIZE_MAX);
    return realloc(list, bytes);
}
