/*
 * owned: what a block has is given back where the block ends, whichever way it
 * is left, the last one first.
 *
 *     OWNED(free) char *path = str_format("%s/lock", store);
 *     OWNED(cell_close) struct cell_reader *r = NULL;
 *
 * It begins as something, or as nothing; handed on, it is set to NULL, as by
 * `return HAND_ON(out, own)`.  Beside the function that gives a type of ours
 * back stands an OWNER of it.
 */
#pragma once

#include <stdlib.h>
#include <string.h>

/* `unused`: to be given back is use enough, which Clang does not see. */
#define OWNED(give_back) __attribute__((cleanup(give_back##_own), unused))

/* Of pointers; of values, which give_back takes by their address. */
#define OWNER(give_back, type)                                                \
    static inline void give_back##_own(type *own) { give_back(*own); }
#define OWNER_OF_VALUE(give_back, type)                                       \
    static inline void give_back##_own(type *own) { give_back(own); }

/* *out has it now: OK. */
#define HAND_ON(out, own) (*(out) = (own), (own) = NULL, 0)

/* Of any type of pointer. */
static inline void free_own(void *own)
{
    void *block;

    memcpy(&block, own, sizeof block);
    free(block);
}
