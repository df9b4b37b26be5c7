/*
 * owned: releases what a block owns when the block ends, on every path, in
 * reverse order of declaration.
 *
 *     OWNED(free) char *path = str_format("%s/lock", store);
 *     OWNED(cell_close) struct cell_reader *r = NULL;
 *
 * The variable must be initialized, if only with NULL.  To pass the value on,
 * set the variable to NULL, for example with `return HAND_ON(out, own)`.  A
 * type of ours has an OWNER after the declaration of the function that releases
 * it.
 */
#pragma once

#include <stdlib.h>
#include <string.h>

/* `unused`: Clang does not count the cleanup as a use. */
#define OWNED(give_back) __attribute__((cleanup(give_back##_own), unused))

/* OWNER is for pointers; OWNER_OF_VALUE is for values, whose address give_back
 * takes. */
#define OWNER(give_back, type)                                                \
    static inline void give_back##_own(type *own) { give_back(*own); }
#define OWNER_OF_VALUE(give_back, type)                                       \
    static inline void give_back##_own(type *own) { give_back(own); }

/* Moves own to *out; its value is OK (0). */
#define HAND_ON(out, own) (*(out) = (own), (own) = NULL, 0)

/* For pointers of any type. */
static inline void free_own(void *own)
{
    void *block;

    memcpy(&block, own, sizeof block);
    free(block);
}
