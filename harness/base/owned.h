/*
 * owned: releases resources when the block that owns them ends, on every path,
 * in reverse order of declaration.
 *
 *     OWNED(free) char *path = str_format("%s/lock", store);
 *     OWNED(cell_close) struct cell_reader *r = NULL;
 *
 * The variable must be initialized; NULL is allowed.  To pass ownership to
 * another variable, set this one to NULL, for example with
 * `return MOVE_OUT(out, own)`.  Each type of this program has an OWNER after
 * the declaration of the function that releases it.
 */
#pragma once

#include <stdlib.h>
#include <string.h>

/* `unused` is needed because Clang does not count the cleanup as a use. */
#define OWNED(give_back) __attribute__((cleanup(give_back##_own), unused))

/* OWNER is for a `give_back` that takes a pointer of type `type`;
 * OWNER_OF_VALUE is for one that takes the address of a value of that type. */
#define OWNER(give_back, type)                                                \
    static inline void give_back##_own(type *own) { give_back(*own); }
#define OWNER_OF_VALUE(give_back, type)                                       \
    static inline void give_back##_own(type *own) { give_back(own); }

/* Moves `own` to *out and sets `own` to NULL.  The expression has the value OK
 * (0). */
#define MOVE_OUT(out, own) (*(out) = (own), (own) = NULL, 0)

/* The cleanup function for OWNED(free); `own` points to a pointer of any
 * type. */
static inline void free_own(void *own)
{
    void *block;

    memcpy(&block, own, sizeof block);
    free(block);
}
